// nginx: the file for http {}. Its maps classify a request. nginx reads no text of more than 4096 bytes, so each
// document has separate entries.
import { errorFolder, itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import {
  documentTargets,
  itemKeys,
  namesOf,
  noticedHeaders,
  noticeRules,
  oneOfPaths,
  targetWith,
} from "../known-paths.ts";
import { clashReadings, filterNumbers, filtersIn, refused, targetReadings, wordIn } from "../readings.ts";
import { literal, text } from "../syntax.ts";
import { dollarSign, type Entry, map, verbatim } from "./syntax.ts";

export function maps(table: RoutingTable): string {
  const { base, operations, methods, redirects, allow, notFound, methodNotAllowed } = table;
  const items = itemKeys(table);
  const documents = documentTargets(table);
  return text(
    "# Include this in http {}. Every map reads the target as sent, so that names and values are compared as the",
    "# contract says: with their case and not decoded. A repeated parameter is refused.",
    '# Expressions cost less with "pcre_jit on;" at the top of nginx.conf.',
    ...dollarSign,
    ...map("$request_uri", "$stillapi", [[`~^${literal(base)}/${named(operations)}(?:\\?|$)`, "$stillapi_operation"]]),
    "# The words of most requests are the path of a page. If an item does not exist, no other file is looked for.",
    ...map(
      "$request_uri",
      "$stillapi_page",
      [
        spelledOut(table),
        ...items.map(({ operations: own, key }): Entry => {
          const path = `~^${literal(base)}/${named(own)}/(${key})(?:\\?|$)`;
          return [path, `${base}/$1${itemFolder}$2.json`];
        }),
      ],
      `${base}/${refused}`,
    ),
    "# The status, if no file answers the method.",
    ...map(
      "$request_method",
      byMethod,
      [...methods.map((method): Entry => [method, ""]), ["OPTIONS", "$stillapi_options"]],
      String(methodNotAllowed.status),
    ),
    ...map(
      "$request_uri",
      "$stillapi_item",
      items.map(({ operations: own, key }) => [`~${targetWith(`${oneOfPaths(own)}/${key}`)}`, "1"]),
    ),
    ...map("$stillapi$stillapi_document$stillapi_item", "$stillapi_options", [["", String(notFound.status)]], "204"),
    ...targetReadings(table).flatMap(({ slot, entries }) => map("$request_uri", partVariable(slot), entries)),
    ...map(
      "$stillapi",
      "$stillapi_any_page",
      operations.map((operation) => [operation.name, page(operation, operation.pathOrder)]),
    ),
    ...filterMaps(operations, `/${notFound.file}`),
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
        ...documents.map(({ target, kind }): Entry => [`~${target}`, documentsPlace(kind)]),
        ...redirects.map((each, index): Entry => [`~${targetWith(oneOfPaths([each]))}`, redirectPlace(index)]),
      ],
      nothing(base),
    ),
    ...map(
      "$request_uri",
      "$stillapi_document",
      documents.map(({ target, file }) => [`~${target}`, file]),
    ),
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
export const documentsPlace = (kind: number): string => `@stillapi_documents_${kind + 1}`;
export const redirectPlace = (index: number): string => `@stillapi_redirect_${index + 1}`;

/** The value of a header that notices set. */
export const headerVariable = (index: number): string => `$stillapi_header_${index + 1}`;

/** Short, because nginx's hash of variables has no room for names of more than 46 letters, and a slot may have 32. */
export const partVariable = (slot: string): string => `$stillapi_part_${slot}`;

const page = ({ path }: TableOperation, slots: readonly string[]): string =>
  `${path}${slots.map(partVariable).join("")}.json`;

const named = (operations: readonly TableOperation[]): string => `(?<stillapi_operation>${namesOf(operations)})`;

/**
 * A target whose words, in order, are the path of a page: the operation, then names and values in the order of the
 * path. The pairs fill the captures from the last one; an unused capture leaves only a slash. A target without a file
 * at this path may still lead to a page.
 */
function spelledOut({ base, operations }: RoutingTable): Entry {
  // nginx has nine captures: two for each pair, and the first for the operation.
  const pairs = Math.min(4, Math.max(...operations.map(({ params }) => params.length)));
  const pair = `(${wordIn(operations)})=([a-z0-9_-]+)`;
  let query = pairs === 0 ? "" : pair;
  for (let count = 1; count < pairs; count++) query = `(?:${query}&)?${pair}`;
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [`~^${literal(base)}/${named(operations)}${query && `(?:\\?${query})?`}$`, `${base}${captures}.json`];
}

/**
 * For the first filter of each operation, for the second, and so on: the page that has to exist, and the error if it does
 * not. Then the error if the filters that a request sends do not go together.
 */
function filterMaps(operations: readonly TableOperation[], found: string): readonly string[] {
  const numbers = filterNumbers(operations);
  const perFilter = numbers.flatMap((number) => {
    const filters = operations.flatMap((operation) => {
      const filter = filtersIn(operation)[number - 1];
      return filter === undefined ? [] : [{ operation, filter }];
    });
    const pages = filters.map(({ operation, filter }): Entry => [operation.name, page(operation, [filter.slot])]);
    const errors = filters.map(({ operation, filter }): Entry => [operation.name, `/${filter.error.file}`]);
    return [
      ...map("$stillapi", `$stillapi_filter_${number}`, pages, found),
      ...map("$stillapi", `$stillapi_wrong_${number}`, errors),
    ];
  });
  if (numbers.length < 2) return perFilter;
  const all = numbers.map((number) => `$stillapi_filter_${number} `).join("");
  return [...perFilter, ...map(`"${all}"`, "$stillapi_clash", clashReadings(operations))];
}

/** The headers of pages and items of which some tell that they will go. A header without a value is not sent. */
function noticeMaps(table: RoutingTable): readonly string[] {
  const rules = noticeRules(table);
  if (rules.length === 0) return [];
  const targets = rules.map(({ target }, index): Entry => [`~^${target}`, String(index + 1)]);
  return [
    "# What is deprecated, and the headers that say so.",
    ...map("$request_uri", "$stillapi_notice", targets),
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
