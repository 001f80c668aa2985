// The options, the plan and the events of a build.
import type { Api } from "../src/api.ts";
import type { BudgetLine } from "./budget/budget.ts";
import type { Cost } from "./budget/cost.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import type { ContentEvents } from "./content/content.ts";
import { type Document, documentFile } from "./document.ts";
import type { Documents } from "./documents/documents.ts";
import type { OutputFile, PlannedFiles } from "./file.ts";
import { flatten } from "./flatten.ts";
import type { History } from "./history/history.ts";
import type { HistoryOptions } from "./history/load.ts";
import { type Retired, type RetiredPage, retiredFile } from "./history/retired.ts";
import type { Configuration } from "./hosts/configuration.ts";
import type { HostAdapter } from "./hosts/host.ts";
import type { PublicationResult } from "./output/publication.ts";
import type { Change } from "./output/stage.ts";
import { type ApiPlan, countItems } from "./pages/pages.ts";
import { markerOf, type RoutingTable } from "./routing/table.ts";

export interface BuildOptions extends ContentEvents {
  readonly api: Api;
  readonly content: string;
  /** The folder to publish. */
  readonly out: string;
  /** Undefined: the content's default. */
  readonly deployment: string | undefined;
  readonly hosts: readonly HostAdapter[];
  /** The cache folder. Undefined: nothing is cached. */
  readonly cache?: string;
  /** Whether to rewrite every file and ignore the cache. */
  readonly clean?: boolean;
  /** The earlier builds whose cursors stay valid. Undefined: none. */
  readonly history?: HistoryOptions | undefined;
  /** Whether this process will build into the same folder again. It then keeps the state of every page. */
  readonly again?: boolean;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly documents: readonly Document[];
  /** Pages of earlier builds that readers reach only with an old cursor. */
  readonly retired: readonly RetiredPage[];
  /** Notes about valid content for the user, one or two sentences each. */
  readonly warnings: readonly string[];
  readonly table: RoutingTable;
  /** How much of the hosts' limits the build uses. */
  readonly budget: readonly BudgetLine[];
  /** The cost of the current files, without retired pages. */
  readonly cost: Cost;
  /** The number of files in the publish root. */
  readonly count: number;
  readonly marker: OutputFile;
  readonly files: PlannedFiles;
  /** Files that hosts read and must not serve. */
  readonly beside: Iterable<OutputFile>;
  /** Files that have the path of a document but were not written by stillapi. They are kept. */
  readonly foreign: ReadonlySet<string>;
}

interface Parts extends Pick<BuildPlan, "catalog" | "deployment" | "api" | "table"> {
  readonly history: History;
  readonly documents: Documents;
  readonly foreign: ReadonlySet<string>;
  readonly configuration: Configuration;
  readonly budget: Pick<BuildPlan, "cost"> & { readonly lines: readonly BudgetLine[]; readonly retired: Retired };
}

/** The number of files that are neither pages nor items: errors, documents, configuration and the marker. */
const othersIn = (api: ApiPlan, { made }: Documents, { files }: Configuration): number =>
  api.count - api.pages - countItems(api.items) + made.length + files.length + 1;

/** The part of the output that does not depend on page sizes, apart from the current pages. */
export const spendingOf = (api: ApiPlan, documents: Documents, configuration: Configuration) => ({
  ...api,
  others: othersIn(api, documents, configuration),
  otherBytes: documents.bytes,
});

export function planOf({ history, documents, configuration, budget, ...plan }: Parts): BuildPlan {
  const { api, table } = plan;
  const { files, beside } = configuration;
  const { lines, retired, cost } = budget;
  return {
    ...plan,
    documents: documents.made,
    retired: retired.pages,
    warnings: [...history.warnings, ...documents.warnings, ...retired.warnings],
    budget: lines,
    cost,
    count: api.pages + countItems(api.items) + retired.pages.length + othersIn(api, documents, configuration),
    marker: markerOf(table, history.state),
    files: flatten([api.files, documents.made.map(documentFile), made(retired.pages), files]),
    beside,
  };
}

function* made(pages: readonly RetiredPage[]): Generator<OutputFile> {
  for (const page of pages) yield retiredFile(page);
}

export interface BuildEvents {
  /** Called when another build holds the lock of the output folder and this one waits. */
  readonly onWait: () => void;
  /** Called when the content is valid and fits the hosts, before any file is written. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
}

export interface Built extends PublicationResult {
  readonly plan: BuildPlan;
}
