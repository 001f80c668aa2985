// The answers that tell that something will go, for hosts whose rules are regular expressions.
import type { RoutingTable, TableOperation } from "../routing/table.ts";
import { literal } from "./syntax.ts";

export interface NoticeRule {
  readonly operation: TableOperation;
  /** Matches the targets, as sent, of the pages and items with these headers, unless an earlier rule does. No captures. */
  readonly target: string;
  readonly headers: RoutingTable["headers"];
}

/** In the order in which they count. */
export const noticeRules = ({ operations }: RoutingTable): readonly NoticeRule[] =>
  operations.flatMap((operation) =>
    (operation.notices ?? []).map(({ param, headers }) => {
      const path = literal(operation.path);
      const target = param === undefined ? `${path}(?:[/? ]|$)` : `${path}\\?(?:.*&)?${param}=`;
      return { operation, target, headers };
    }),
  );

/** The headers that notices set, with their values in all other answers. Empty: the header is missing there. */
export function noticedHeaders(table: RoutingTable): readonly (readonly [name: string, otherwise: string])[] {
  const names = new Set(noticeRules(table).flatMap(({ headers }) => Object.keys(headers)));
  return [...names].map((name) => [name, table.headers[name] ?? ""]);
}
