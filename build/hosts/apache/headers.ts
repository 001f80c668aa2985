// Apache: the headers of answers. Which ones an answer has is told by the variables that the rules set; in folders these
// have another name, because a rewritten request is redirected internally there.
import { type Encoding, encodings, suffixes } from "../../routing/sidecar.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { quoted } from "./syntax.ts";

/** What precedes the name of a variable: nothing in a server, this in a folder. */
export type Prefix = "" | "REDIRECT_";

/** The variable that is set where a page of the operation is answered. */
export const mark = (operation: string): string => `edge_api_${operation}`;

/** The variables that hold the headers of a document, and those that are set for answers without a file. */
export const documentType = "edge_api_type";
export const documentCaching = "edge_api_caching";
export const isPreflight = "edge_api_is_preflight";
export const isRedirect = "edge_api_is_redirect";

/** Of pages and documents. */
export function answerHeaders({ headers, operations, documents }: RoutingTable, prefix: Prefix): readonly string[] {
  const { "Content-Type": type = "application/json", ...others } = headers;
  const usual = mostFrequent(operations.map(({ cacheControl }) => cacheControl));
  return [
    `ForceType ${type}`,
    "# A page is small: reading it costs less than mapping it into memory.",
    "EnableMMAP Off",
    "# A page is sent whole, whatever part or version of it the client asks for.",
    ...["Range", "If-Match", "If-Unmodified-Since"].map((name) => `RequestHeader unset ${name}`),
    ...Object.entries(others).map(([name, value]) => `Header always set ${name} ${quoted(value)}`),
    `Header set Cache-Control ${quoted(usual)}`,
    ...operations
      .filter(({ cacheControl }) => cacheControl !== usual)
      .map(({ name, cacheControl }) => `Header set Cache-Control ${quoted(cacheControl)} env=${prefix}${mark(name)}`),
    ...(documents.length === 0 ? [] : ownHeaders(prefix)),
  ];
}

/**
 * Of documents alone, in a folder where nothing else has headers of the API. A request comes there from the folder of the
 * pages, so it has no range any more.
 */
export function documentHeaders({ headers }: RoutingTable, prefix: Prefix, precompressed: boolean): readonly string[] {
  const { "Content-Type": _, ...others } = headers;
  const all = { ...others, ...(precompressed ? vary : {}) };
  const lines = Object.entries(all).map(([name, value]) => `Header always set ${name} ${quoted(value)}`);
  return [...lines.map((line) => `${line} env=${prefix}${documentType}`), ...ownHeaders(prefix)];
}

const ownHeaders = (prefix: Prefix): readonly string[] =>
  [
    ["Content-Type", documentType],
    ["Cache-Control", documentCaching],
  ].map(([name, variable]) => `Header set ${name} "%{${prefix}${variable}}e" env=${prefix}${variable}`);

/** Of answers without a file: those to OPTIONS, and redirects. */
export const filelessHeaders = ({ preflight, redirects, errorCacheControl }: RoutingTable): readonly string[] => [
  ...Object.entries(preflight).map(([name, value]) => `Header always set ${name} ${quoted(value)} env=${isPreflight}`),
  ...(redirects.length === 0 ? [] : [`Header always set Cache-Control ${quoted(errorCacheControl)} env=${isRedirect}`]),
];

const vary = { Vary: "Accept-Encoding" };

/** Makes servers send Content-Encoding. https://httpd.apache.org/docs/2.4/mod/mod_mime.html#addencoding */
export const addEncodings: readonly string[] = encodings.map(
  (encoding) => `AddEncoding ${encoding} ${suffixes[encoding]}`,
);

export const encodingHeaders: readonly string[] = [...addEncodings, `Header set Vary ${quoted(vary.Vary)}`];

export const errorHeaders = ({ errorCacheControl }: RoutingTable): readonly string[] => [
  `Header set Cache-Control ${quoted(errorCacheControl)}`,
];

export const allowHeader = ({ allow }: RoutingTable): readonly string[] => [`Header always set Allow ${quoted(allow)}`];

/** A weight of zero is a refusal (RFC 9110, section 12.5.3). */
export const accepts = (encoding: Encoding): string =>
  `RewriteCond %{HTTP:Accept-Encoding} "(?:^|,)\\s*${encoding}\\s*(?:,|$|;\\s*q=(?:1|0\\.\\d*[1-9]))" [NC]`;

/** The first of the most frequent values. */
function mostFrequent(values: readonly string[]): string {
  const count = (value: string) => values.filter((each) => each === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0] ?? "");
}
