// The report of a build: the written files, the use of the hosts' limits, and the hosts that have to load files.
import path from "node:path";
import type { Colors } from "picocolors/types.js";
import prettyBytes from "pretty-bytes";
import type { BudgetLine } from "../../budget/budget.ts";
import type { Reload } from "../../hosts/configuration.ts";
import type { FileChange } from "../../output/folder.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { apiFolder } from "../../routing/paths.ts";
import { columns, integer, plural, withAnd } from "../../text/words.ts";
import { wrapped } from "../terminal.ts";
import type { BuildOutput, Envelope } from "./json-output.ts";

export interface BuildOutcome {
  readonly plan: BuildPlan;
  readonly summary: Summary;
  /** The hosts that have to load files. */
  readonly reloads: readonly Reload[];
  readonly milliseconds: number;
}

const nothing = { items: 0, listings: 0, files: 0, bytes: 0, filesBefore: 0, bytesBefore: 0 };

type Tally = typeof nothing;

export interface Summary {
  readonly apis: readonly ApiSummary[];
  /** All other files: errors, documents, outputs, and the files of the hosts. */
  readonly others: Readonly<Tally>;
  readonly counts: Readonly<Record<FileChange["kind"], number>>;
  /** Counts a change. */
  readonly add: (change: FileChange) => void;
}

interface ApiSummary {
  readonly base: string;
  /** By operation. */
  readonly operations: ReadonlyMap<string, Tally>;
}

export function summarise(plan: BuildPlan): Summary {
  const others: Tally = { ...nothing };
  const apis = plan.apis.map(({ table: { base }, deployment, listings }) => {
    const operations = new Map<string, Tally>(deployment.operations.map((name) => [name, { ...nothing }]));
    for (const { operation, params, items } of listings) {
      const row = operations.get(operation.name) ?? others;
      row.listings++;
      if (params.length === 0) row.items = items.count;
    }
    return { base, root: `${apiFolder(base)}/`, operations };
  });
  const rowOf = (file: string): Tally => {
    const api = apis.find(({ root }) => file.startsWith(root));
    // No output and no document has such a path.
    const [, operation = ""] = /^([^/.]+)(?:\.json$|\/)/.exec(file.slice(api?.root.length)) ?? [];
    return api?.operations.get(operation) ?? others;
  };
  const counts = { written: 0, kept: 0, removed: 0 };
  return {
    apis,
    others,
    counts,
    add({ file, kind, before, after }) {
      counts[kind]++;
      const row = rowOf(file);
      row.files += after === undefined ? 0 : 1;
      row.bytes += after ?? 0;
      row.filesBefore += before === undefined ? 0 : 1;
      row.bytesBefore += before ?? 0;
    },
  };
}

/** `from` and `to` are folders. `width` is the width of the terminal. */
export function builtText(
  { plan, summary, reloads }: BuildOutcome,
  { from, to }: { readonly from: string; readonly to: string },
  colors: Colors,
  width?: number,
): string {
  const { apis, budget } = plan;
  const [{ catalog, deployment }] = apis;
  const which = catalog.deployments.size < 2 ? "" : `, deployment ${deployment.name}`;
  const titles = apis.map((one) => one.catalog.settings.title ?? (apis.length === 1 ? "The API" : one.table.base));
  const title = [...new Set(titles)].join(", ");
  const items = apis.flatMap((api) => api.items);
  const single = items.reduce((sum, { files }) => sum + files, 0);
  const bytes = items.reduce((sum, files) => sum + files.bytes, 0);
  const retired = apis.reduce((sum, api) => sum + api.retired.length, 0);
  const table = [
    tableText(summary, colors),
    single > 0 && `${integer(single)} of the files are single items, ${sizeText(bytes)} together.`,
    retired > 0 && `${integer(retired)} of the files are retired pages, for readers of earlier builds.`,
  ];
  const parts = [
    `${colors.bold(title)}${which}: ${from} → ${to}`,
    table.filter((line) => line !== false).join("\n"),
    budgetText(budget, colors, width),
    reloads.map((reload) => wrapped(reloadText(reload), width, 0, 0)).join("\n"),
  ];
  return parts.map((part) => (part === "" ? "" : `${part}\n\n`)).join("");
}

export function lastLine({ summary: { counts }, milliseconds }: BuildOutcome, colors: Colors): string {
  const { written, kept, removed } = counts;
  const outcome =
    written + removed === 0
      ? `Nothing changed: all ${integer(kept)} files are as they were`
      : `${plural(written, "file")} written, ${integer(kept)} kept, ${integer(removed)} removed`;
  return `${colors.green("✓")} ${outcome}, in ${(milliseconds / 1_000).toFixed(1)} s.`;
}

export const builtAsData = ({
  plan,
  summary: { counts, apis, others },
  reloads,
  milliseconds,
}: BuildOutcome): Omit<BuildOutput, keyof Envelope> => ({
  deployment: plan.apis[0].deployment.name,
  ...counts,
  apis: apis.map(({ base, operations }, index) => ({
    base,
    retired: plan.apis[index]?.retired.length ?? 0,
    operations: Object.fromEntries(operations),
  })),
  others: {
    files: others.files,
    bytes: others.bytes,
    filesBefore: others.filesBefore,
    bytesBefore: others.bytesBefore,
  },
  budget: plan.budget,
  reloads,
  seconds: milliseconds / 1_000,
});

/** What to do after the first build of a folder. Undefined after later ones. */
export function nextStep({ counts: { kept, removed } }: Summary, folder: string, colors: Colors): string | undefined {
  if (kept + removed > 0) return undefined;
  const out = path.normalize(folder) === "dist" ? "" : ` -- --out ${folder}`;
  return `Next, ${colors.cyan(`npm run preview${out}`)} serves it on this machine.`;
}

/** The items, listings, files and bytes of each operation, and their growth. */
function tableText({ apis, others }: Summary, colors: Colors): string {
  const ofApis = apis.flatMap(({ base, operations }) =>
    [...operations].map(([name, row]) => [apis.length === 1 ? name : `${base}/${name}`, row] as const),
  );
  const rows = [...ofApis, ["errors, documents, hosts", others] as const];
  const total: Tally = { ...nothing };
  for (const [, row] of rows) {
    for (const key of Object.keys(nothing) as (keyof Tally)[]) total[key] += row[key];
  }
  const all = [...rows, ["total", total] as const];
  // A build into an empty folder shows no growth.
  const hasGrown = total.filesBefore > 0 && all.some(([, row]) => growth(row) !== "");
  const lines = all.map(([name, row]) => [
    name,
    ...[row.items, row.listings].map((count) => (row.listings > 0 ? integer(count) : "")),
    integer(row.files),
    sizeText(row.bytes),
    hasGrown ? growth(row) : "",
  ]);
  const printed = columns([["", "items", "listings", "files", "size", hasGrown ? "grew by" : ""], ...lines]);
  const head = printed[0] ?? "";
  const last = printed.at(-1) ?? "";
  return [colors.dim(head), ...printed.slice(1, -1), colors.bold(last)].join("\n");
}

function growth({ files, filesBefore, bytes, bytesBefore }: Tally): string {
  const signed = (value: number, print: (value: number) => string) =>
    `${value < 0 ? "−" : "+"}${print(Math.abs(value))}`;
  const parts: string[] = [];
  if (files !== filesBefore) parts.push(signed(files - filesBefore, (count) => `${integer(count)} files`));
  if (bytes !== bytesBefore) parts.push(signed(bytes - bytesBefore, sizeText));
  return parts.join(", ");
}

/** In decimal units, as the limits of hosts are. */
export const sizeText = (bytes: number): string => prettyBytes(bytes);

/** A sentence about a host that has to load another configuration. */
export const reloadText = ({ host, files }: Reload): string =>
  `${host} needs a new configuration: publish and load ${files.join(", ")}, or some requests fail.`;

/** A limit of which a smaller part is used is only counted. */
const nearFrom = 0.5;

const partUsed = ({ used, most }: BudgetLine): number => used / most;

/**
 * The use of the limits of the hosts: those that are near as a table, the others in one sentence. If the table is wider than
 * `width` columns, each place is on a separate line.
 */
export function budgetText(lines: readonly BudgetLine[], colors: Colors, width?: number): string {
  const near = lines.filter((line) => partUsed(line) >= nearFrom);
  const far = lines.filter((line) => partUsed(line) < nearFrom);
  const parts: string[] = [];
  if (near.length > 0) parts.push(tableOfLimits(near, colors, width));
  if (far.length > 0) parts.push(wrapped(farText(far, near.length > 0), width, 0, 0));
  return parts.join("\n");
}

/** `Of 3 limits of netlify and serve, at most 44% is used.` */
function farText(lines: readonly BudgetLine[], areFurther: boolean): string {
  const hosts = [...new Set(lines.map(({ host }) => host))];
  const names = withAnd(hosts);
  const percent = Math.ceil(100 * Math.max(...lines.map(partUsed)));
  return `Of ${plural(lines.length, areFurther ? "more limit" : "limit")} of ${names}, at most ${percent}% is used.`;
}

function tableOfLimits(lines: readonly BudgetLine[], colors: Colors, width = Number.POSITIVE_INFINITY): string {
  const rows = lines.flatMap(({ host, what, plan, used, most, apis = {} }) => [
    [
      `${host}: ${what}${plan === undefined ? "" : `, ${plan}`}`,
      integer(used),
      integer(most),
      integer(Math.max(0, most - used)),
    ],
    ...Object.entries(apis).map(([base, usedBy]) => [`  ${base}`, integer(usedBy), "", ""]),
  ]);
  const [head = "", ...body] = fitted([["limits", "used", "at most", "left"], ...rows], width);
  return [colors.dim(head), ...body].join("\n");
}

function fitted(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const lines = columns(rows);
  if (lines.every((line) => line.length <= width)) return lines;
  const placeOf = /^(.*) \((.*)\)$/;
  const short = columns(rows.map(([label = "", ...numbers]) => [label.replace(placeOf, "$1"), ...numbers]));
  return short.flatMap((line, index) => {
    const place = placeOf.exec(rows[index]?.[0] ?? "")?.[2];
    return place === undefined ? line : [line, `  in ${place}`];
  });
}
