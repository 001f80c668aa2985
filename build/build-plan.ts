// What a build is asked for, what it plans, and what it tells.
import type { BudgetLine } from "./budget/budget.ts";
import type { Catalog, Deployment } from "./content/catalog.ts";
import type { OutputFile } from "./file.ts";
import type { HostAdapter } from "./hosts/host.ts";
import type { Change, OutputResult } from "./output/folder.ts";
import type { ApiPlan } from "./pages/pages.ts";
import type { RoutingTable } from "./routing/table.ts";

export interface BuildOptions {
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
  /** Whether this process builds again into the same folder, for which it keeps what it knows of every page. */
  readonly again?: boolean;
}

export interface BuildPlan {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly api: ApiPlan;
  readonly table: RoutingTable;
  /** What the build uses of the hosts' limits. */
  readonly budget: readonly BudgetLine[];
  /** How many files the publish root gets, without compressed copies: how many these are shows when they are made. */
  readonly count: number;
  readonly marker: OutputFile;
  readonly files: Iterable<OutputFile>;
  /** What hosts read and must not serve. */
  readonly beside: Iterable<OutputFile>;
}

export interface BuildEvents {
  /** Another build has the output folder; this one waits for it. */
  readonly onWait: () => void;
  /** The content is valid and fits the hosts; its files follow. */
  readonly onPlan: (plan: BuildPlan) => void;
  readonly onChange: (change: Change) => void;
}

export interface Built extends OutputResult {
  readonly plan: BuildPlan;
}
