// nginx: the file for http {}. Its maps classify a request. nginx reads no text of more than 4096 bytes, so each
// document has separate entries.
import { asset } from "../../asset.ts";
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
import { clashReadings, filterNumbers, filtersIn, pairName, refused, targetReadings } from "../readings.ts";
import { filled, literal } from "../syntax.ts";
import { type Entry, entries, map, quoted, verbatim } from "./syntax.ts";

export function maps(table: RoutingTable): string {
  const { base, operations, methods, redirects, allow } = table;
  const items = itemKeys(table);
  const documents = documentTargets(table);
  return filled(asset("hosts/nginx/maps.conf"), {
    lists: entries([[`~^${literal(base)}/${named(operations)}(?:\\?|$)`, "$stillapi_operation"]]),
    refused: `${base}/${refused}`,
    pages: entries([
      spelledOut(table),
      ...items.map(({ operations: own, key }): Entry => {
        const path = `~^${literal(base)}/${named(own)}/(${key})(?:\\?|$)`;
        return [path, `${base}/$1${itemFolder}$2.json`];
      }),
    ]),
    methods: methods.map((method) => `${quoted(method)} "";`),
    items: entries(items.map(({ operations: own, key }) => [`~${targetWith(`${oneOfPaths(own)}/${key}`)}`, "1"])),
    parts: targetReadings(table).flatMap(({ slot, entries }) => map("$request_uri", partVariable(slot), entries)),
    anyPages: entries(operations.map((operation) => [operation.name, page(operation, operation.pathOrder)])),
    filters: filterMaps(table),
    cacheControls: entries(operations.map(({ name, cacheControl }) => [name, verbatim(cacheControl)])),
    notices: noticeMaps(table),
    nothing: nothing(base),
    places: entries([
      ...documents.map(({ target, kind }): Entry => [`~${target}`, documentsPlace(kind)]),
      ...redirects.map((each, index): Entry => [`~${targetWith(oneOfPaths([each]))}`, redirectPlace(index)]),
    ]),
    documents: entries(documents.map(({ target, file }) => [`~${target}`, file])),
    allow: quoted(verbatim(allow)),
  });
}

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
  const pair = `${pairName(operations)}=([a-z0-9_-]+)`;
  let query = pairs === 0 ? "" : pair;
  for (let count = 1; count < pairs; count++) query = `(?:${query}&)?${pair}`;
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [`~^${literal(base)}/${named(operations)}${query && `(?:\\?${query})?`}$`, `${base}${captures}.json`];
}

/**
 * For the first filter of each operation, for the second, and so on: the page that has to exist, and the error if it does
 * not. Then the error if the filters that a request sends do not go together.
 */
function filterMaps({ operations, notFound }: RoutingTable): readonly string[] {
  const numbers = filterNumbers(operations);
  const perFilter = numbers.flatMap((number) => {
    const filters = operations.flatMap((operation) => {
      const filter = filtersIn(operation)[number - 1];
      return filter === undefined ? [] : [{ operation, filter }];
    });
    const pages = filters.map(({ operation, filter }): Entry => [operation.name, page(operation, [filter.slot])]);
    const errors = filters.map(({ operation, filter }): Entry => [operation.name, `/${filter.error.file}`]);
    return [
      ...map("$stillapi", `$stillapi_filter_${number}`, pages, `/${notFound.file}`),
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
    ...noticedHeaders(table).flatMap(([name, otherwise], index) => {
      const values = rules.map(({ headers }, rule): Entry => [String(rule + 1), verbatim(headers[name] ?? "")]);
      return map("$stillapi_notice", headerVariable(index), values, verbatim(otherwise));
    }),
  ];
}
