// What a build has written: the items, listings, files and bytes of each operation, and their growth.
import type { Colors } from "picocolors/types.js";
import prettyBytes from "pretty-bytes";
import type { BuildPlan } from "../../build.ts";
import type { Change } from "../../output/folder.ts";
import { apiFolder } from "../../routing/paths.ts";
import { columns, integer } from "../../text/words.ts";

const nothing = { items: 0, listings: 0, files: 0, bytes: 0, filesBefore: 0, bytesBefore: 0 };

type Tally = typeof nothing;

export interface Summary {
  /** By operation; all other files are counted under "errors, documents, hosts". */
  readonly rows: ReadonlyMap<string, Readonly<Tally>>;
  readonly counts: Readonly<Record<Change["kind"], number>>;
  /** Counts a change. */
  readonly add: (change: Change) => void;
}

export function summarise({ api, catalog, deployment }: BuildPlan): Summary {
  const others: Tally = { ...nothing };
  const rows = new Map<string, Tally>(deployment.operations.map((name) => [name, { ...nothing }]));
  const rowOf = (name: string): Tally => rows.get(name) ?? others;
  for (const { operation, chosen, items } of api.listings) {
    rowOf(operation.name).listings++;
    if (chosen.length === 0) rowOf(operation.name).items = items.count;
  }
  const root = `${apiFolder(catalog.api.base)}/`;
  const counts = { written: 0, kept: 0, removed: 0 };
  return {
    rows: rows.set("errors, documents, hosts", others),
    counts,
    add({ file, kind, before, after }) {
      counts[kind]++;
      const row = rowOf(file.startsWith(root) ? file.slice(root.length).replace(/[/.].*$/s, "") : "");
      row.files += after === undefined ? 0 : 1;
      row.bytes += after ?? 0;
      row.filesBefore += before === undefined ? 0 : 1;
      row.bytesBefore += before ?? 0;
    },
  };
}

export function tableText({ rows }: Summary, colors: Colors): string {
  const total: Tally = { ...nothing };
  for (const row of rows.values()) {
    for (const key of Object.keys(nothing) as (keyof Tally)[]) total[key] += row[key];
  }
  // A build into an empty folder shows no growth.
  const isFresh = total.filesBefore === 0;
  const lines = [...rows, ["total", total] as const].map(([name, row]) => [
    name,
    ...[row.items, row.listings].map((count) => (row.listings > 0 ? integer(count) : "")),
    integer(row.files),
    sizeText(row.bytes),
    isFresh ? "" : growth(row),
  ]);
  const printed = columns([["", "items", "listings", "files", "size", isFresh ? "" : "grew by"], ...lines]);
  const [head = "", last = ""] = [printed[0], printed.at(-1)];
  return [colors.dim(head), ...printed.slice(1, -1), colors.bold(last)].join("\n");
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
