// nginx: the file for http {}. Its maps classify a request. nginx reads no text of more than 4096 bytes, so each
// document has separate entries.
import { errorFolder, itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { documentKinds, folderPath, itemKeys, itemPathsOf, kindOfFolder, targetWith } from "../known-paths.ts";
import { noticedHeaders, noticeRules } from "../notices.ts";
import { clashReadings, filterNumbers, filtersIn, namesOf, refused, targetReadings, wordIn } from "../readings.ts";
import { literal, text } from "../syntax.ts";
import { dollarSign, type Entries, map, mapUnlessEmpty, verbatim } from "./syntax.ts";

export function maps(table: RoutingTable): string {
  const { base, operations, methods, documents, folders, redirects, allow, notFound, methodNotAllowed } = table;
  const items = itemPathsOf(table);
  return text(
    "# Include this in http {}. Every map reads the target as sent, so that names and values are compared as the",
    "# contract says: with their case and not decoded. A repeated parameter is refused.",
    '# Expressions cost less with "pcre_jit on;" at the top of nginx.conf.',
    ...dollarSign,
    ...map("$request_uri", "$stillapi", [[`~^${literal(base)}/${operationIn(table)}(?:\\?|$)`, "$stillapi_operation"]]),
    "# The words of most requests are the path of a page.",
    ...map("$request_uri", "$stillapi_page", [spelledOut(table), ...itemPages(table)], `${base}/${refused}`),
    "# The status, if no file answers the method.",
    ...map(
      "$request_method",
      byMethod,
      [...methods.map((method) => [method, ""] as const), ["OPTIONS", "$stillapi_options"]],
      String(methodNotAllowed.status),
    ),
    ...mapUnlessEmpty(
      "$request_uri",
      "$stillapi_item",
      items.map((path) => [`~^${path}(?:\\?|$)`, "1"]),
    ),
    ...map(
      `$stillapi$stillapi_document${items.length === 0 ? "" : "$stillapi_item"}`,
      "$stillapi_options",
      [["", String(notFound.status)]],
      "204",
    ),
    ...targetReadings(table).flatMap(({ slot, entries }) => map("$request_uri", partVariable(slot), entries)),
    ...map(
      "$stillapi",
      "$stillapi_any_page",
      operations.map((operation) => [operation.name, page(operation, operation.pathOrder)]),
    ),
    ...filterMaps(operations, `/${notFound.file}`),
    // The error if the filters that a request sends do not go together.
    ...mapUnlessEmpty(
      `"${filterNumbers(operations)
        .map((number) => `$stillapi_filter_${number} `)
        .join("")}"`,
      "$stillapi_clash",
      clashReadings(operations),
    ),
    "# Set by the expression that the target has matched.",
    ...map(
      "$stillapi_operation",
      "$stillapi_cache_control",
      operations.map(({ name, cacheControl }) => [name, verbatim(cacheControl)]),
    ),
    ...noticeMaps(table),
    "# The location that answers the path of a document.",
    ...map(
      "$request_uri",
      "$stillapi_place",
      [
        ...documentKinds(table).flatMap((kind, index) =>
          kind.map((document) => [`~${targetWith([document])}`, documentsPlace(index)] as const),
        ),
        ...folders.map(
          (each) => [`~^${folderPath(each)}(?:\\?|$)`, documentsPlace(kindOfFolder(table, each))] as const,
        ),
        ...redirects.map((redirect, index) => [`~${targetWith([redirect])}`, redirectPlace(index)] as const),
      ],
      nothing(base),
    ),
    ...map("$request_uri", "$stillapi_document", [
      ...documents.map((document) => [`~${targetWith([document])}`, `/${document.file}`] as const),
      ...folders.map((each) => [`~^(${folderPath(each)})(?:\\?|$)`, "$1.html"] as const),
    ]),
    ...map("$status", "$stillapi_allow", [[String(methodNotAllowed.status), verbatim(allow)]]),
    "# The method is already checked, because error_page changes it to GET.",
    ...map(byMethod, "$stillapi_nothing", [], nothing(base)),
  );
}

/** The status that follows from the method alone; empty if a file may be the answer. */
export const byMethod = "$stillapi_by_method";

/** The address to which nginx redirects internally after refusing a request without looking for a location. */
export const nothing = (base: string): string => `/${errorFolder(base)}/nothing`;

/** The locations of a kind of documents, and of a redirect. */
export const documentsPlace = (index: number): string => `@stillapi_documents_${index + 1}`;
export const redirectPlace = (index: number): string => `@stillapi_redirect_${index + 1}`;

/**
 * A target whose words, in order, are the path of a page: the operation, then names and values in the order of the
 * path. The pairs fill the captures from the last one; an unused capture leaves only a slash. A target without a file
 * at this path may still lead to a page.
 */
function spelledOut(table: RoutingTable): Entries[number] {
  const { base, operations } = table;
  // nginx has nine captures: two for each pair, and the first for the operation.
  const pairs = Math.min(4, Math.max(...operations.map(({ params }) => params.length)));
  const pair = `(${wordIn(operations)})=([a-z0-9_-]+)`;
  const query = Array.from({ length: pairs }).reduce<string>(
    (before) => (before === "" ? pair : `(?:${before}&)?${pair}`),
    "",
  );
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [`~^${literal(base)}/${operationIn(table)}${query && `(?:\\?${query})?`}$`, `${base}${captures}.json`];
}

/** A target whose path has the form of a single item's. If the item does not exist, no other file is looked for. */
const itemPages = ({ base, ...table }: RoutingTable): Entries =>
  itemKeys(table).map(({ operations, key }) => [
    `~^${literal(base)}/(?<stillapi_operation>${namesOf(operations)})/(${key})(?:\\?|$)`,
    `${base}/$1${itemFolder}$2.json`,
  ]);

const operationIn = ({ operations }: RoutingTable): string => `(?<stillapi_operation>${namesOf(operations)})`;

/**
 * For the first filter of each operation, for the second, and so on: the page that has to exist, and the error if it
 * does not.
 */
const filterMaps = (operations: readonly TableOperation[], found: string): readonly string[] =>
  filterNumbers(operations).flatMap((number) => {
    const filters = operations.flatMap((operation) =>
      filtersIn(operation)
        .slice(number - 1, number)
        .map(({ slot, error }) => ({ name: operation.name, page: page(operation, [slot]), error })),
    );
    return [
      ...map(
        "$stillapi",
        `$stillapi_filter_${number}`,
        filters.map(({ name, page }) => [name, page]),
        found,
      ),
      ...map(
        "$stillapi",
        `$stillapi_wrong_${number}`,
        filters.map(({ name, error }) => [name, `/${error.file}`]),
      ),
    ];
  });

/** The headers of pages and items of which some tell that they will go. A header without a value is not sent. */
function noticeMaps(table: RoutingTable): readonly string[] {
  const rules = noticeRules(table);
  if (rules.length === 0) return [];
  return [
    "# What is deprecated, and the headers that say so.",
    ...map(
      "$request_uri",
      "$stillapi_notice",
      rules.map(({ target }, index) => [`~^${target}`, String(index + 1)]),
    ),
    ...noticedHeaders(table).flatMap(([name, otherwise], index) =>
      map(
        "$stillapi_notice",
        headerVariable(index),
        rules.map(({ headers }, rule) => [String(rule + 1), verbatim(headers[name] ?? "")]),
        verbatim(otherwise),
      ),
    ),
  ];
}

/** The value of a header that notices set. */
export const headerVariable = (index: number): string => `$stillapi_header_${index + 1}`;

/** Short, because nginx's hash of variables has no room for names of more than 46 letters, and a slot may have 32. */
export const partVariable = (slot: string): string => `$stillapi_part_${slot}`;

const page = ({ path }: TableOperation, slots: readonly string[]): string =>
  `${path}${slots.map(partVariable).join("")}.json`;
