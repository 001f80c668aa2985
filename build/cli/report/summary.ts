// The result of a build as a table: items, listings, files and bytes of each operation, and their growth.
import type { Colors } from "picocolors/types.js";
import prettyBytes from "pretty-bytes";
import type { BuildPlan } from "../../build.ts";
import type { Change } from "../../output/folder.ts";
import { countItems } from "../../pages/pages.ts";
import { apiFolder } from "../../routing/paths.ts";
import { columns, integer, plural } from "../../words.ts";

export interface Tally {
  items: number;
  listings: number;
  files: number;
  bytes: number;
  filesBefore: number;
  bytesBefore: number;
}

export interface Summary {
  /** By operation; all other files are counted under "errors, documents, hosts". */
  readonly rows: ReadonlyMap<string, Tally>;
  readonly counts: Readonly<Record<Change["kind"], number>>;
  /** The number of retired pages among the files. */
  readonly retired: number;
  /** The single items among the files. */
  readonly single: { readonly files: number; readonly bytes: number };
}

const rest = "errors, documents, hosts";

/** Counts changes as they are reported. */
export interface Summariser extends Summary {
  add(change: Change): void;
  /** Whether all planned files were counted. */
  isComplete(): boolean;
}

const empty = (): Tally => ({ items: 0, listings: 0, files: 0, bytes: 0, filesBefore: 0, bytesBefore: 0 });

export function summarise(plan: BuildPlan): Summariser {
  const rows = new Map<string, Tally>(plan.deployment.operations.map((name) => [name, empty()]));
  for (const { operation, chosen, items } of plan.api.listings) {
    const row = rows.get(operation.name) ?? empty();
    row.listings++;
    if (chosen.length === 0) row.items = items.count;
    rows.set(operation.name, row);
  }
  const counts = { written: 0, kept: 0, removed: 0 };
  const root = `${apiFolder(plan.catalog.api.base)}/`;
  const others = empty();
  const rowOf = (file: string): Tally => {
    const [name = ""] = file.startsWith(root) ? (/^[^/.]+/.exec(file.slice(root.length)) ?? []) : [];
    return rows.get(name) ?? others;
  };
  rows.set(rest, others);
  return {
    rows,
    counts,
    retired: plan.retired.length,
    single: {
      files: countItems(plan.api.items),
      bytes: plan.api.items.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    add({ file, kind, before, after }) {
      counts[kind]++;
      const row = rowOf(file);
      row.files += after === undefined ? 0 : 1;
      row.bytes += after ?? 0;
      row.filesBefore += before === undefined ? 0 : 1;
      row.bytesBefore += before ?? 0;
    },
    isComplete: () => counts.written + counts.kept >= plan.count,
  };
}

export function summaryText({ rows, retired, single }: Summary, colors: Colors): string {
  const total = [...rows].reduce(
    (sum, [, row]) => ({
      items: sum.items + row.items,
      listings: sum.listings + row.listings,
      files: sum.files + row.files,
      bytes: sum.bytes + row.bytes,
      filesBefore: sum.filesBefore + row.filesBefore,
      bytesBefore: sum.bytesBefore + row.bytesBefore,
    }),
    empty(),
  );
  // A build into an empty folder shows no growth.
  const fresh = total.filesBefore === 0;
  const lines = [...rows, ["total", total] as const].map(([name, row]) => [
    name,
    row.listings > 0 ? integer(row.items) : "",
    row.listings > 0 ? integer(row.listings) : "",
    integer(row.files),
    sizeText(row.bytes),
    fresh ? "" : growth(row),
  ]);
  const head = ["", "items", "listings", "files", "size", fresh ? "" : "grew by"];
  const [title = "", ...printed] = columns([head, ...lines]);
  return [
    colors.dim(title),
    ...printed.map((line, index) => (index === printed.length - 1 ? colors.bold(line) : line)),
    ...(single.files > 0
      ? [`${integer(single.files)} of the files are single items, ${sizeText(single.bytes)} together.`]
      : []),
    ...(retired > 0 ? [`${integer(retired)} of the files are retired pages, for readers of earlier builds.`] : []),
  ].join("\n");
}

/** The ends of the phases of a build, in milliseconds since its start. */
export interface Times {
  readonly content: number;
  readonly pages: number;
  readonly all: number;
}

/** Measures the phases of a build. */
export function stopwatch() {
  const started = performance.now();
  const since = () => performance.now() - started;
  const ended = { content: 0, pages: 0 };
  return {
    endContent() {
      ended.content = since();
      ended.pages = ended.content;
    },
    endPages() {
      ended.pages = since();
    },
    now: (): Times => ({ ...ended, all: since() }),
  };
}

export function outcomeText(
  { counts: { written, kept, removed } }: Pick<Summary, "counts">,
  { content, pages, all }: Times,
  colors: Colors,
): string {
  const outcome =
    written + removed === 0
      ? `Nothing changed: all ${integer(kept)} files are as they were`
      : `${plural(written, "file")} written, ${integer(kept)} kept, ${integer(removed)} removed`;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const parts = `${seconds(content)} content, ${seconds(pages - content)} pages, ${seconds(all - pages)} moving`;
  return `${colors.green("✓")} ${outcome}, in ${seconds(all)} s${all < 1_000 ? "" : ` (${parts})`}.`;
}

function growth({ files, filesBefore, bytes, bytesBefore }: Tally): string {
  const parts = [];
  if (files !== filesBefore) parts.push(`${signed(files - filesBefore, integer)} files`);
  if (bytes !== bytesBefore) parts.push(signed(bytes - bytesBefore, sizeText));
  return parts.join(", ");
}

const signed = (value: number, print: (value: number) => string): string =>
  `${value < 0 ? "−" : "+"}${print(Math.abs(value))}`;

/** In decimal units, as the limits of hosts are. */
export const sizeText = (bytes: number): string => prettyBytes(bytes);
