// Apache: the headers of answers. The variables that the rules set decide which headers an answer has. In a folder the
// names of these variables have a prefix, because Apache redirects a rewritten request internally there.
import { isFilter } from "../../routing/combinations.ts";
import { bodiless } from "../../routing/resolve.ts";
import { contentTypeOf, type FilterParam, type RoutingTable, type TableDocument } from "../../routing/table.ts";
import { type NoticeRule, noticeRules } from "../notices.ts";
import { headerValue, quoted } from "./syntax.ts";

/** The prefix of a variable's name in a folder. A server has none. */
const redirected = "REDIRECT_";

/** The start of the name of the variable that the rules set for a page of an operation; the operation's name follows. */
export const markPrefix = ({ operations }: RoutingTable): string =>
  operations.some(({ name }) => otherVariables.test(`stillapi_${name}`)) ? "stillapi_of_" : "stillapi_";

/** The names of all other variables. */
const otherVariables = /^stillapi_(?:(?:type|cache)_.*|is_preflight|is_redirect|operation|page|error|part_.*|of_.*)$/;

/** The variable that the rules set for a page or a document. */
export const answered = "stillapi";

export type DocumentHeaders = Pick<TableDocument, "contentType" | "cacheControl">;

/** The variables that the rules set for a document, one for each of its headers. */
export const documentMarks = (
  table: RoutingTable,
  { contentType, cacheControl }: DocumentHeaders,
): readonly string[] => [
  typeMark(typesIn(table).indexOf(contentType)),
  cacheMark(cachesIn(table).indexOf(cacheControl)),
];

const typeMark = (index: number): string => `stillapi_type_${index}`;
const cacheMark = (index: number): string => `stillapi_cache_${index}`;

const typesIn = ({ documents }: RoutingTable) => [...new Set(documents.map(({ contentType }) => contentType))];
const cachesIn = ({ documents }: RoutingTable) => [...new Set(documents.map(({ cacheControl }) => cacheControl))];

/** The variables that the rules set for answers without a file. */
export const isPreflight = "stillapi_is_preflight";
export const isRedirect = "stillapi_is_redirect";

/** The headers of pages and documents, in a server. */
export const answerHeaders = (table: RoutingTable): readonly string[] => [
  ...pageDefaults(table),
  ...ignoreConditions,
  ...everyHeader(table),
  ...caching(table, ""),
  ...notices(table, ""),
  ...ownHeaders(table, ""),
];

/**
 * The headers of pages and documents, in a folder that holds other files too. Errors get none of them: their variables
 * have yet another prefix.
 */
export function answerHeadersAmongOthers(table: RoutingTable): readonly string[] {
  const [usual = "", ...others] = caching(table, redirected);
  const all = [...everyHeader(table), usual];
  return [
    ...onlyIf(`${redirected}${answered}`, all),
    ...others,
    ...notices(table, redirected),
    ...ownHeaders(table, redirected),
  ];
}

/** Tells of pages and items that they will go. A later line overrides an earlier one. */
const notices = (table: RoutingTable, prefix: string): readonly string[] =>
  noticeRules(table)
    .toReversed()
    .flatMap(({ headers, ...rule }) =>
      always(headers).map((line) => `${line} ${quoted(noticeCondition(table, prefix, rule))}`),
    );

/** The variable tells that there is a page, and the request line which one. */
const noticeCondition = (
  table: RoutingTable,
  prefix: string,
  { operation, target }: Omit<NoticeRule, "headers">,
): string =>
  `expr=reqenv('${prefix}${markPrefix(table)}${operation.name}') == '1' && %{THE_REQUEST} =~ m#^[A-Z]+ ${target}#`;

/** Reading a small page costs less than mapping it into memory. */
export const pageDefaults = (table: RoutingTable): readonly string[] => [
  `ForceType ${contentTypeOf(table)}`,
  "EnableMMAP Off",
  ...(hasDots(table) ? ignoreInnerEndings : []),
];

/** Whether the names of pages and items may have dots, as in `items/item/a.gz.json`. */
const hasDots = ({ operations }: RoutingTable): boolean =>
  operations.some(({ item, params }) => item !== undefined || params.some((each) => isFilter(each) && dots(each)));

const dots = ({ form }: FilterParam): boolean => new RegExp(form).test("a.gz");

/**
 * Apache reads every ending in the name of a file. `SetHandler` and `RemoveEncoding` override the configuration of the
 * server for the inner endings.
 */
const ignoreInnerEndings: readonly string[] = ["SetHandler default-handler", "RemoveEncoding .br .gz .Z .tgz"];

/** Request headers that Apache answers with a part of a page or without a body. A page is always sent whole. */
const ignored = ["Range", "If-Match", "If-Unmodified-Since"];

export const ignoreConditions: readonly string[] = ignored.map((name) => `RequestHeader unset ${name}`);

/** The values of the ignored headers of a request, concatenated. */
export const ignoredValues = ignored.map((name) => `%{HTTP:${name}}`).join("");

/** The headers that errors have too. */
export const everyHeader = (table: RoutingTable): readonly string[] => always(bodiless(table));

const always = (headers: RoutingTable["headers"]): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `Header always set ${name} ${headerValue(value)}`);

const onlyIf = (variable: string, lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${line} env=${variable}`);

/** Sets the most frequent value first, then the values of the operations that have another one. */
function caching(table: RoutingTable, prefix: string): readonly string[] {
  const { operations } = table;
  const usual = mostFrequent(operations.map(({ cacheControl }) => cacheControl));
  const others = operations.filter(({ cacheControl }) => cacheControl !== usual);
  const set = (value: string) => `Header set Cache-Control ${headerValue(value)}`;
  return [
    set(usual),
    ...others.map(({ name, cacheControl }) => `${set(cacheControl)} env=${prefix}${markPrefix(table)}${name}`),
  ];
}

/**
 * The headers of documents, in a folder whose other files have no headers of the API. Apache redirects requests to it
 * from the folder of the pages, which has already removed the Range header.
 */
export const documentHeaders = (table: RoutingTable): readonly string[] => [
  ...onlyIf(`${redirected}${answered}`, always(bodiless(table))),
  ...ownHeaders(table, redirected),
];

/** The headers of documents that pages do not have. */
const ownHeaders = (table: RoutingTable, prefix: string): readonly string[] => [
  ...typesIn(table).map(
    (type, index) => `Header set Content-Type ${headerValue(type)} env=${prefix}${typeMark(index)}`,
  ),
  ...cachesIn(table).map(
    (cache, index) => `Header set Cache-Control ${headerValue(cache)} env=${prefix}${cacheMark(index)}`,
  ),
];

/** The headers of answers without a file: answers to OPTIONS, and redirects. */
export const filelessHeaders = ({ preflight, redirects, errorCacheControl }: RoutingTable): readonly string[] => [
  ...onlyIf(isPreflight, always(preflight)),
  ...(redirects.length === 0 ? [] : onlyIf(isRedirect, always({ "Cache-Control": errorCacheControl }))),
];

export const errorHeaders = ({ errorCacheControl }: RoutingTable): readonly string[] => [
  `Header set Cache-Control ${headerValue(errorCacheControl)}`,
];

export const allowHeader = ({ allow }: RoutingTable): readonly string[] => always({ Allow: allow });

/** The most frequent value; the first one of several. */
function mostFrequent(values: readonly string[]): string {
  const count = (value: string) => values.filter((each) => each === value).length;
  return values.toSorted((one, other) => count(other) - count(one))[0] ?? "";
}
