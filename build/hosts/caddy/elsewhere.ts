// Caddy: every answer that is not an operation's: preflights, documents, redirects, and unknown paths.
import type { Failure, RoutingTable } from "../../routing/table.ts";
import { targetWith } from "../known-paths.ts";
import { block, map, quoted, target } from "./syntax.ts";

/** A preflight. Its query is ignored. */
export function preflight(table: RoutingTable, noStore: readonly string[]): readonly string[] {
  const { operations, documents, preflight, notFound } = table;
  return [
    ...map(target, ["known"], [[`~${targetWith([...operations, ...documents])}`, "1"]]),
    "@edge_api_known vars {edge_api_known} 1",
    ...block(
      "handle @edge_api_known",
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
      documents.map((document) => [
        `~${targetWith([document])}`,
        `/${document.file}`,
        document.contentType,
        document.cacheControl,
      ]),
      ["", "", ""],
    ),
    '@edge_api_document not vars {edge_api_document} ""',
    ...block(
      "route @edge_api_document",
      "header Content-Type {edge_api_type}",
      "header Cache-Control {edge_api_stored}",
      "rewrite {edge_api_document}",
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
          '@edge_api_redirect not vars {edge_api_to} ""',
          ...block(
            "handle @edge_api_redirect",
            "header -Content-Type",
            `header Cache-Control ${quoted(errorCacheControl)}`,
            "redir {edge_api_to} 308",
          ),
        ]),
    `header Content-Type ${quoted(table.headers["Content-Type"] ?? "application/json")}`,
    ...noStore,
    ...absence(notFound),
  ];
}

const absence = ({ status, file }: Failure): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** Continues with the next handler if the file is missing. */
export const sendPage = (precompressed: boolean): readonly string[] =>
  block("file_server", "pass_thru", ...(precompressed ? ["precompressed br gzip"] : []));
