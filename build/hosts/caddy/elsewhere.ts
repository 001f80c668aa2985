// Caddy: every answer that is not an operation's: preflights, documents, redirects, and unknown paths.

import { itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableError } from "../../routing/table.ts";
import { itemKeys, itemPathsOf, targetWith } from "../known-paths.ts";
import { block, type Entries, map, quoted, target } from "./syntax.ts";

/** A preflight. Its query is ignored. */
export function preflight(table: RoutingTable, noStore: readonly string[]): readonly string[] {
  const { operations, documents, preflight, notFound } = table;
  return [
    ...map(
      target,
      ["known"],
      [
        [`~${targetWith([...operations, ...documents])}`, "1"],
        ...itemPathsOf(table).map((own) => [`~^${own}(?:\\?|$)`, "1"] as const),
      ],
    ),
    "@stillapi_known vars {stillapi_known} 1",
    ...block(
      "handle @stillapi_known",
      ...block(
        "header",
        "-Content-Type",
        "-Cache-Control",
        ...Object.entries(preflight).map(([name, value]) => `${name} ${quoted(value)}`),
      ),
      "respond 204",
    ),
    ...noStore,
    "method GET",
    ...absence(notFound),
  ];
}

/** Answers a path that is not an operation's: a document, a redirect, or an unknown path. */
export function elsewhere(table: RoutingTable, noStore: readonly string[], precompressed: boolean): readonly string[] {
  const { documents, redirects, errorCacheControl, notFound } = table;
  return [
    ...map(
      target,
      ["document", "type", "stored"],
      [
        ...documents.map(
          (document) =>
            [`~${targetWith([document])}`, `/${document.file}`, document.contentType, document.cacheControl] as const,
        ),
        ...singleItems(table),
      ],
      ["", "", ""],
    ),
    '@stillapi_document not vars {stillapi_document} ""',
    ...block(
      "route @stillapi_document",
      "header Content-Type {stillapi_type}",
      "header Cache-Control {stillapi_stored}",
      "rewrite {stillapi_document}",
      ...sendPage(precompressed),
    ),
    ...(redirects.length === 0
      ? []
      : [
          ...map(
            target,
            ["to"],
            redirects.map((redirect) => [`~${targetWith([redirect])}`, redirect.to]),
          ),
          '@stillapi_redirect not vars {stillapi_to} ""',
          ...block(
            "handle @stillapi_redirect",
            "header -Content-Type",
            `header Cache-Control ${quoted(errorCacheControl)}`,
            "redir {stillapi_to} 308",
          ),
        ]),
    `header Content-Type ${quoted(table.headers["Content-Type"] ?? "application/json")}`,
    ...noStore,
    ...absence(notFound),
  ];
}

/** Single items that a map has not found: the request has an unusual header, or there is no such item. */
const singleItems = ({ base, headers, ...table }: RoutingTable): Entries =>
  itemKeys(table).flatMap(({ operations, key }) =>
    operations.map(({ name, cacheControl }) => [
      `~^${base}/(${name})/(${key})(?:\\?|$)`,
      `${base}/$1${itemFolder}$2.json`,
      headers["Content-Type"] ?? "application/json",
      cacheControl,
    ]),
  );

const absence = ({ status, file }: TableError): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** Continues with the next handler if the file is missing. */
export const sendPage = (precompressed: boolean): readonly string[] =>
  block("file_server", "pass_thru", ...(precompressed ? ["precompressed br gzip"] : []));
