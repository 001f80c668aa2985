// What a build is asked for, what it plans, and what it tells.
import type { Budget, BudgetLine } from "./budget/budget.ts";
import type { Cost } from "./budget/cost.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import type { ContentEvents } from "./content/content.ts";
import { type Document, documentFile } from "./document.ts";
import type { Documents } from "./documents/documents.ts";
import type { OutputFile } from "./file.ts";
import { flatten } from "./flatten.ts";
import type { History } from "./history/history.ts";
import type { HistoryOptions } from "./history/recall.ts";
import type { Configuration } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import type { PublicationResult } from "./output/publication.ts";
import type { Change } from "./output/stage.ts";
import type { ApiPlan } from "./pages/pages.ts";
import { withSidecars } from "./pages/precompress.ts";
import { type RetiredPage, retiredFile } from "./pages/retired.ts";
import type { Encoding } from "./routing/sidecar.ts";
import { markerOf, type RoutingTable } from "./routing/table.ts";

export interface BuildOptions extends ContentEvents {
  readonly content: string;
  /** The folder to publish. */
  readonly out: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** Whether pages get compressed copies for the hosts that send them. */
  readonly precompress?: boolean;
  /** A folder for what later builds may know of this one. Undefined: they know nothing. */
  readonly cache?: string;
  /** Whether every file is written again, and nothing is known of earlier builds. */
  readonly clean?: boolean;
  /** Which earlier build's cursors stay valid. Undefined: none's. */
  readonly history?: HistoryOptions | undefined;
  /** Whether this process builds again into the same folder, for which it keeps what it knows of every page. */
  readonly again?: boolean;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly documents: readonly Document[];
  /** The pages that only readers of earlier builds ask for. */
  readonly retired: readonly RetiredPage[];
  /** What the user should know though nothing is wrong with the content. A sentence or two each. */
  readonly warnings: readonly string[];
  readonly table: RoutingTable;
  /** What the build uses of the hosts' limits. */
  readonly budget: readonly BudgetLine[];
  /** Of today's files, without retired pages. */
  readonly cost: Cost;
  /** How many files the publish root gets, without compressed copies: how many these are shows when they are made. */
  readonly count: number;
  readonly marker: OutputFile;
  readonly files: Iterable<OutputFile>;
  /** What hosts read and must not serve. */
  readonly beside: Iterable<OutputFile>;
  /** Files in the place of documents that the program did not write. They stay. */
  readonly foreign: ReadonlySet<string>;
}

interface Parts extends Pick<BuildPlan, "catalog" | "deployment" | "api" | "table"> {
  readonly history: History;
  readonly documents: Documents;
  readonly foreign: ReadonlySet<string>;
  readonly configuration: Configuration;
  readonly budget: Budget;
  readonly encodings: readonly Encoding[];
}

/** How many files there are besides pages: errors, documents, configuration and the marker. */
const othersIn = (api: ApiPlan, { made }: Documents, { files }: Configuration): number =>
  api.count - api.pages + made.length + files.length + 1;

/** What is written whatever the page sizes are, besides today's pages. */
export const spendingOf = (
  api: ApiPlan,
  documents: Documents,
  configuration: Configuration,
  encodings: readonly Encoding[],
) => ({
  ...api,
  others: othersIn(api, documents, configuration),
  otherBytes: documents.bytes,
  copies: encodings.length,
});

/** Retired pages have no compressed copies: few readers ask for them, and not for long. */
export function planOf({ history, documents, configuration, budget, encodings, ...plan }: Parts): BuildPlan {
  const { api, table } = plan;
  const { files, beside } = configuration;
  const { lines, retired, cost } = budget;
  const answers = withSidecars(flatten([api.files, documents.made.map(documentFile)]), encodings);
  return {
    ...plan,
    documents: documents.made,
    retired: retired.pages,
    warnings: [...history.warnings, ...documents.warnings, ...retired.warnings],
    budget: lines,
    cost,
    count: api.pages + retired.pages.length + othersIn(api, documents, configuration),
    marker: markerOf(table, history.state),
    files: flatten([answers, made(retired.pages), files]),
    beside,
  };
}

function* made(pages: readonly RetiredPage[]): Generator<OutputFile> {
  for (const page of pages) yield retiredFile(page);
}

export interface BuildEvents {
  /** Another build has the output folder; this one waits for it. */
  readonly onWait: () => void;
  /** The content is valid and fits the hosts; its files follow. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
}

export interface Built extends PublicationResult {
  readonly plan: BuildPlan;
}
