// The deviations of each host on the conformance list, as its adapter's gaps declare them, grouped by the answer of the
// contract.

import type { Gap, HostAdapter, Request } from "../../build/hosts/host.ts";
import { type Param, paramsOf } from "../../build/routing/params.ts";
import { type Answer, resolve, settle } from "../../build/routing/resolve.ts";
import type { RoutingTable } from "../../build/routing/table.ts";
import { changingGaps } from "./gaps.ts";

interface Behaviour {
  readonly title: string;
  readonly includes: (answer: Answer, table: RoutingTable) => boolean;
}

const isAbout =
  (kind: Param["kind"]): Behaviour["includes"] =>
  ({ file }, { operations }) =>
    operations.some((operation) =>
      paramsOf(operation).some((param) => param.kind === kind && param.error.file === file),
    );

const isDocument: Behaviour["includes"] = ({ status, file }, { documents }) =>
  status === 200 && documents.some((document) => document.file === file);

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

export const behaviourTitles: readonly string[] = behaviours.map(({ title }) => title);

export interface Survey {
  readonly table: RoutingTable;
  readonly exists: (file: string) => boolean;
  readonly asked: readonly { readonly request: Request; readonly answer: Answer }[];
}

export const surveyOf = (table: RoutingTable, exists: Survey["exists"], requests: readonly Request[]): Survey => ({
  table,
  exists,
  asked: requests.map((request) => ({ request, answer: settle(resolve(table, request), exists) })),
});

export interface Deviation {
  readonly title: string;
  /** The gaps that change answers of a kind. */
  readonly gaps: readonly Gap[];
  /** Whether the gaps change all answers of the kind. */
  readonly all: boolean;
}

/** One for each kind of answer, in the order of the titles. */
export function deviationsOf({ gaps }: HostAdapter, { table, exists, asked }: Survey): readonly Deviation[] {
  const answered = asked.map(({ request, answer }) => ({
    answer,
    changing: changingGaps(gaps, table, exists, request),
  }));
  return behaviours.map(({ title, includes }) => {
    const changes = answered.filter(({ answer }) => includes(answer, table)).map(({ changing }) => changing);
    return {
      title,
      gaps: gaps.filter((gap) => changes.some((changing) => changing.includes(gap))),
      all: changes.every((changing) => changing.length > 0),
    };
  });
}
