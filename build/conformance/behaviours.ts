// The README's table of hosts and behaviours, made of the gaps that the adapters declare: what each host does with the
// requests of the conformance list, grouped by the answer of the contract.
import type { Gap, HostAdapter, Request } from "../hosts/host.ts";
import { type Answer, resolve, settle } from "../routing/resolve.ts";
import type { Param, RoutingTable } from "../routing/table.ts";
import { passage } from "./passage.ts";

interface Behaviour {
  readonly title: string;
  readonly includes: (answer: Answer, table: RoutingTable) => boolean;
}

const isAbout =
  (kind: Param["kind"]): Behaviour["includes"] =>
  ({ file }, { operations }) =>
    operations.some(({ params }) => params.some((param) => param.kind === kind && param.error.file === file));

const isDocument: Behaviour["includes"] = ({ file }, { documents }) => documents.some((each) => each.file === file);

const behaviours: readonly Behaviour[] = [
  { title: "pages", includes: (answer, table) => answer.status === 200 && !isDocument(answer, table) },
  { title: "documents", includes: (answer, table) => answer.status === 308 || isDocument(answer, table) },
  { title: "OPTIONS", includes: ({ status }) => status === 204 },
  { title: "400 for a limit", includes: isAbout("limit") },
  { title: "400 for a filter value", includes: isAbout("filter") },
  { title: "400 for a cursor", includes: isAbout("cursor") },
  { title: "404", includes: ({ status }) => status === 404 },
  { title: "405", includes: ({ status }) => status === 405 },
];

export interface Site {
  readonly table: RoutingTable;
  readonly exists: (file: string) => boolean;
  readonly requests: readonly Request[];
}

/** In Markdown: a row for each host, and below them a note for each gap. */
export function behavioursTable(hosts: readonly HostAdapter[], site: Site): string {
  const notes = [...new Set(hosts.flatMap(({ gaps }) => gaps))];
  const rows = hosts.map((host) => [
    host.name,
    ...behaviours.map((behaviour) => {
      const { gaps, all } = gapsOf(host, behaviour, site);
      const numbers = gaps.map((gap) => `[${notes.indexOf(gap) + 1}]`).join(" ");
      if (gaps.length === 0) return "✓";
      return all ? `✗ ${numbers}` : `✓ but ${numbers}`;
    }),
  ]);
  const lines = [["", ...behaviours.map(({ title }) => title)], behaviours.map(() => "---").concat("---"), ...rows];
  return [
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    ...notes.map((gap, index) => {
      const owners = hosts.filter(({ gaps }) => gaps.includes(gap)).map(({ name }) => name);
      return `${index + 1}. ${owners.join(", ")}: ${gap.requests}: ${gap.happens}, because ${gap.reason}.`;
    }),
  ].join("\n");
}

/** The gaps that change answers of a kind, and whether they change all of them. */
function gapsOf(
  { gaps }: HostAdapter,
  { includes }: Behaviour,
  { table, exists, requests }: Site,
): { readonly gaps: readonly Gap[]; readonly all: boolean } {
  const passed = requests
    .filter((request) => includes(settle(resolve(table, request), exists), table))
    .map((request) => passage(gaps, table, exists, request).through);
  return {
    gaps: gaps.filter((gap) => passed.some((through) => through.includes(gap))),
    all: passed.every((through) => through.length > 0),
  };
}
