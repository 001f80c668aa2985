// Apache: the headers of answers. Which ones an answer has is told by the variables that the rules set; in folders these
// have another name, because a rewritten request is redirected internally there.
import { type Encoding, encodings, suffixes } from "../../routing/sidecar.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { quoted } from "./syntax.ts";

/** What precedes the name of a variable: nothing in a server, this in a folder. */
export type Prefix = "" | "REDIRECT_";

/** The variable that is set where a page of the operation is answered. */
export const mark = (operation: string): string => `edge_api_${operation}`;

/** The variable that is set where a page or a document is answered. */
export const answered = "edge_api";

/** The variables that hold the headers of a document, and those that are set for answers without a file. */
export const documentType = "edge_api_type";
export const documentCaching = "edge_api_caching";
export const isPreflight = "edge_api_is_preflight";
export const isRedirect = "edge_api_is_redirect";

/** Of pages and documents, in a server. */
export const answerHeaders = (table: RoutingTable): readonly string[] => [
  ...pageDefaults(table),
  ...ignoreConditions,
  ...everyHeader(table),
  ...caching(table, ""),
  ...(table.documents.length === 0 ? [] : ownHeaders("")),
];

/**
 * Of pages and documents, in a folder that holds other files too. None is for errors: their variables have yet another
 * name.
 */
export function answerHeadersAmongOthers(table: RoutingTable, precompressed: boolean): readonly string[] {
  const prefix: Prefix = "REDIRECT_";
  const [usual = "", ...others] = caching(table, prefix);
  const all = [...everyHeader(table), usual, ...(precompressed ? [varyHeader] : [])];
  return [...all.map((line) => `${line} env=${prefix}${answered}`), ...others, ...ownHeaders(prefix)];
}

/** A page is small: reading it costs less than mapping it into memory. */
export const pageDefaults = (table: RoutingTable): readonly string[] => [
  `ForceType ${table.headers["Content-Type"] ?? "application/json"}`,
  "EnableMMAP Off",
];

/** The headers for which Apache would send a part of a page or nothing. A page is sent whole, whatever a client has. */
const ignored = ["Range", "If-Match", "If-Unmodified-Since"];

export const ignoreConditions: readonly string[] = ignored.map((name) => `RequestHeader unset ${name}`);

/** The ignored headers of a request, one behind the other. */
export const ignoredValues = ignored.map((name) => `%{HTTP:${name}}`).join("");

/** Those that errors have too. */
export const everyHeader = ({ headers }: RoutingTable): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    name === "Content-Type" ? [] : [`Header always set ${name} ${quoted(value)}`],
  );

/** First the most frequent value, then those of the operations with another one. */
function caching({ operations }: RoutingTable, prefix: Prefix): readonly string[] {
  const usual = mostFrequent(operations.map(({ cacheControl }) => cacheControl));
  return [
    `Header set Cache-Control ${quoted(usual)}`,
    ...operations
      .filter(({ cacheControl }) => cacheControl !== usual)
      .map(({ name, cacheControl }) => `Header set Cache-Control ${quoted(cacheControl)} env=${prefix}${mark(name)}`),
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

export const varyHeader = `Header set Vary ${quoted(vary.Vary)}`;

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
