// The conformance list: requests for every host, as clients send them on purpose and by mistake, and as attackers send
// them. The list is derived from a dataset: every operation gets requests with known and unknown values.

import { cursorAfter } from "../../build/files/cursor.ts";
import { everyChoice } from "../../build/pages/listings.ts";
import { groupBy } from "../../build/values/group-by.ts";
import type { Filter } from "../../src/model/filter.ts";
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation, Operation } from "../../src/model/operation.ts";
import {
  acceptedValues,
  addressesOf,
  choiceSets,
  choicesOf,
  choicesOfAny,
  type Dataset,
  expectedListing,
} from "./dataset.ts";

export interface ConformanceRequest {
  readonly method: string;
  /** As sent, not normalised. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Names in lowercase. */
  readonly headers?: Readonly<Record<string, string>>;
}

const get = (path: string, ...params: readonly string[]): ConformanceRequest => ({
  method: "GET",
  path,
  query: params.join("&"),
});

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const lists = new WeakMap<Dataset, readonly ConformanceRequest[]>();

/** The list for a dataset, which does not change. It is derived once, because many hosts get it. */
export function conformanceRequests(dataset: Dataset): readonly ConformanceRequest[] {
  const list = lists.get(dataset) ?? listFor(dataset);
  lists.set(dataset, list);
  return list;
}

function listFor(dataset: Dataset): readonly ConformanceRequest[] {
  const { api, operations } = dataset;
  const { base } = api;
  const requests = [
    ...operations.map(({ name }) => get(`${base}/${name}`)),
    ...oddPaths(base, example(operations)?.name ?? ""),
    ...methodsOn(base, operations),
    ...publishedRequests(dataset.published.map(({ path }) => path)),
    ...notFoundRequests(base),
    ...dataset.outputs.flatMap(outputRequests),
    ...operations.flatMap((operation) => ignoredParameters(base, operation, operations)),
    ...operations.flatMap((operation) => wordsOfPaths(dataset, operation)),
    ...listsIn(operations)
      .filter((operation) => paramsOf(operation).length > 0)
      .flatMap((operation) => listingRequests(dataset, operation)),
    ...withItems(operations).flatMap((operation) => itemRequests(dataset, operation)),
  ];
  return unique(requests);
}

const unique = (requests: readonly ConformanceRequest[]): readonly ConformanceRequest[] => [
  ...new Map(requests.map((request) => [JSON.stringify(request), request])).values(),
];

const listsIn = (operations: readonly Operation[]): readonly ListOperation[] =>
  operations.filter((operation) => operation.kind === "list");

const withItems = (operations: readonly Operation[]): readonly ListOperation[] =>
  listsIn(operations).filter(({ item }) => item !== undefined);

/** The operation with the most parameters. */
const example = (operations: readonly Operation[]): Operation | undefined =>
  operations.toSorted((one, other) => paramsOf(other).length - paramsOf(one).length)[0];

/** The names of the parameters of an operation. */
export const paramsOf = (operation: Operation): readonly string[] => [
  ...(operation.kind === "list" && operation.paged ? ["limit", "cursor"] : []),
  ...choicesOfAny(operation).map(({ param }) => param),
];

function oddPaths(base: string, name: string): readonly ConformanceRequest[] {
  const rest = name.slice(1);
  const capital = name.charAt(0).toUpperCase() + rest;
  const encoded = `%${name.charCodeAt(0).toString(16).toUpperCase()}${rest}`;
  const shorter = name.slice(0, -1);
  const above = base.slice(0, base.lastIndexOf("/"));
  const nearMisses = [
    ...["x", "-", "-docs", ".", "%20"].map((end) => base + end),
    ...[...base.slice(1)].map((_, index) => `${base.slice(0, index + 1)}x${base.slice(index + 2)}`),
    base.slice(0, -1),
  ];
  const other = base.replace(/\d*$/, (number) => String(Number(number) + 1));
  const odd = words(`
    / /index.php ${above} ${above}/ ${base} ${base}/ ${other}/${name} ${base}/nope ${base}/${shorter} ${base}/${name}x
    ${base}/errors ${base}/${name}/ ${base}/${name}// ${base}//${name} /${base}/${name} ${base}/./${name}
    ${base}/x/../${name} ${base}/../../etc/passwd ${base}/%2e%2e/%2e%2e/etc/passwd
    ${base}/..%2f..%2fetc%2fpasswd ${base}/${name}/limit/5 ${base}/${name}/region ${base}/${capital}
    ${base.replace(/[a-z]+/, (part) => part.toUpperCase())}/${name} ${base.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase())}/${name} ${base}/${encoded} ${base}/${name}%20 ${base}/${name}% ${base}/%zz/${name}
    ${base}/${name}%00 ${base}/${name}%3Flimit=5 ${base}/${name};limit=5 ${base}/constructor ${base}/__proto__
    ${base}/hasOwnProperty /nope%zz /nope%00
  `);
  const beside = nearMisses.flatMap((near) => [near, `${near}/`, `${near}/${name}`, `${near}.json`]);
  const paths = [...odd, ...beside, `${base}-docs/${name}.txt`, `${base}x${name}`];
  return [
    ...paths.map((path) => get(path)),
    ...beside.map((path) => get(path, "limit=2")),
    get(`${base}/nope`, "limit=0"),
    get("/", "limit=5"),
  ];
}

function methodsOn(base: string, operations: readonly Operation[]): readonly ConformanceRequest[] {
  const path = `${base}/${example(operations)?.name}`;
  const targets = [...operations.map(({ name }) => get(`${base}/${name}`)), get(path, "limit=5"), get(`${base}/nope`)];
  const withBody = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  return [
    ...withBody.flatMap((method) => targets.map((target) => ({ ...target, method }))),
    { ...get(path, "limit=0"), method: "POST" },
    { ...get(path.replace(base, `${base}/%zz`)), method: "POST" },
    ...[...targets, get(path, "limit=0"), get(path, "cursor=nope")].map((target) => ({ ...target, method: "HEAD" })),
  ];
}

/** Paths below the reference, and outside of the API, at which there is nothing. */
function notFoundRequests(base: string): readonly ConformanceRequest[] {
  const [, top = ""] = base.split("/");
  const below = words(
    "nope nope/ collections/nope data data/nope data/nope/ data/nope/2 data//nope data/Nope/../2 data/a/b/c/d index.htm %64ata nope.json",
  );
  const outside = words(`
    /nope /nope/ /nope/x.json /favicon.ico /robots.txt /${top} /${top}/ /${top}/nope /${top}x /${top}-x/nope
    /x/${top}/nope /%6eope //nope /${top.toUpperCase()} /docs /docs/data
  `);
  return [...below.map((end) => `${base}/docs/${end}`), ...outside].flatMap((path) => [
    ...["GET", "HEAD", "OPTIONS", "POST"].map((method) => ({ ...get(path), method })),
    get(path, "limit=0"),
  ]);
}

/** Some files of an output, and paths that are almost theirs. */
function outputRequests({ path, texts }: Dataset["outputs"][number]): readonly ConformanceRequest[] {
  const [first = path] = texts.keys();
  const filled = (value: string) => path.replace(/\{.*?\}/g, value);
  const near = [
    filled("nope"),
    filled("x".repeat(100)),
    filled("x".repeat(101)),
    filled(".hidden"),
    filled("x%20y"),
    filled("a/b"),
    path.replace(/\{.*?\}/g, ""),
    path.slice(0, path.indexOf("{") - 1),
    first.slice(0, first.lastIndexOf("/")),
    first.slice(0, first.lastIndexOf("/") + 1),
    `${first}x`,
    first.replace(/\.\w+$/, ""),
    first.replace(/\.(?=\w+$)/, "-"),
    first.replace(/\.(?=\w+$)/, "%2E"),
    first.replace(/\.(?=\w+$)/, "%2e"),
    first.replace(/(?<=[a-z])[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase()),
  ];
  return [
    ...spread([...texts.keys()], [0, 1]).flatMap((target) => documentRequests(target)),
    ...near.map((target) => get(target)),
    ...near.slice(0, 2).flatMap((target) => ["HEAD", "OPTIONS", "POST"].map((method) => ({ ...get(target), method }))),
  ];
}

/** The first two documents of each folder and kind get every request: what differs between others is their names. */
function publishedRequests(paths: readonly string[]): readonly ConformanceRequest[] {
  const kinds = groupBy(paths, (path) => path.replace(/[^/]+?(?=(?:\.\w+)?$)/, ""));
  return [...kinds.values()].flatMap(([first = "", second = "", ...others]) => [
    ...[first, second].filter((path) => path !== "").flatMap(documentRequests),
    ...others.flatMap((path) => [get(path), get(`${path}/`)]),
  ]);
}

/** The requests for a document. Queries do not matter. */
function documentRequests(path: string): readonly ConformanceRequest[] {
  const request = get(path);
  return [
    ...["GET", "HEAD", "OPTIONS", "POST"].map((method) => ({ ...request, method })),
    get(path, "limit=0"),
    get(path, "utm=1", "cursor="),
    get(path, "v=0123456789abcdef"),
    { ...get(path, "limit=0"), method: "OPTIONS" },
    // Paths that differ in a letter or a slash.
    ...[path.slice(0, -1), `${path}x`, `${path}/`, `/${path}`]
      .filter((other) => other !== "" && other !== "/")
      .map((other) => get(other)),
  ];
}

/** Parameters of other operations are ignored, whatever their values. */
function ignoredParameters(
  base: string,
  operation: Operation,
  operations: readonly Operation[],
): readonly ConformanceRequest[] {
  const path = `${base}/${operation.name}`;
  const params = paramsOf(operation);
  const foreign = [...new Set(operations.flatMap(paramsOf))].filter((param) => !params.includes(param));
  return [
    ...foreign.map((param) => get(path, `${param}=nope`)),
    ...foreign.map((param) => get(path, `${param}=`)),
    get(path, ...foreign.map((param) => `${param}=0`)),
  ];
}

/** Words of paths as parameters are ignored, too, even if their names and values make the path of an item's file. */
function wordsOfPaths(dataset: Dataset, operation: Operation): readonly ConformanceRequest[] {
  const path = `${dataset.api.base}/${operation.name}`;
  const keys = keysOf(dataset, operation);
  const [first = "nope"] = keys;
  // A key such as go/vendor/7, whose second part could be the name of a parameter.
  const named = keys.find((key) => key.split("/").every((part, index) => index % 2 === 0 || /^[a-z_]+$/.test(part)));
  const words = pathWords.filter((word) => !paramsOf(operation).includes(word));
  const [value = ""] = first.split("/");
  return [
    ...[first, named ?? first].flatMap((key) => {
      const pairs = pairsOf(["item", ...key.split("/")]);
      return [get(path, ...pairs), get(path, ...pairs, "limit=2"), get(path, ...pairs.slice(0, -1), "limit=2")];
    }),
    ...words.flatMap((word) => [get(path, `${word}=${value}`), get(path, `${word}=${value}`, "limit=2")]),
  ];
}

/** The keys of an operation's items; empty if it has none. */
const keysOf = ({ items }: Dataset, operation: Operation): readonly string[] =>
  operation.kind === "list"
    ? (items.get(operation.name) ?? []).flatMap((item) => addressesOf(item, operation).slice(0, 1))
    : [];

/** Words in a row as names and values. The last name may have an empty value. */
const pairsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, index) => (index % 2 === 0 ? [`${word}=${words[index + 1] ?? ""}`] : []));

function listingRequests(dataset: Dataset, operation: ListOperation): readonly ConformanceRequest[] {
  const { base } = dataset.api;
  const { name } = operation;
  const filters = choicesOf(operation);
  const path = `${base}/${name}`;
  const known = filters.map((filter) => ({ filter, values: acceptedValues(dataset, operation, filter) }));
  const valuesOf = (filter: Filter) => known.find((choice) => choice.filter === filter)?.values ?? [];
  const elsewhere = listsIn(dataset.operations).find((other) => other.paged && other.name !== name) ?? operation;
  const listings = [[], ...choiceSets(operation)].flatMap((set) =>
    everyChoice(set.map((filter) => spread(valuesOf(filter), [0, 0.3, 0.7, 1]))).map((values, index) => ({
      chosen: set.map(({ param }, at) => ({ param, value: values[at] ?? "" })),
      // Other values of the same parameters meet the same rules.
      isFirst: index === 0,
    })),
  );
  const requests = listings.flatMap(({ chosen, isFirst }, index) => {
    const { items, cursorTo, startsOf } = expectedListing(dataset, operation, chosen);
    const params = chosen.map(({ param, value }) => `${param}=${value}`);
    // The list itself and its first listing by a filter get every limit, if the list has pages.
    const asked = operation.paged && index < 2 ? limits : isFirst ? fewLimits : fewLimits.slice(0, 1);
    // A list without pages ignores cursors.
    const positions = operation.paged || index === 0 ? positionsIn(items.length, startsOf) : [];
    return [
      get(path, ...params),
      get(path, ...params.toReversed()),
      ...asked.map((limit) => get(path, ...params, limit)),
      ...positions
        .slice(0, index === 0 ? undefined : isFirst ? 2 : 1)
        .flatMap((position) =>
          cursorRequests(path, params, `cursor=${cursorTo(position)}`, `${base}/${elsewhere.name}`),
        ),
    ];
  });
  const unknown = cursorAfter(name, "nothing");
  const badCursors = [...oddCursors, `cursor=${unknown}`].flatMap((cursor) => [
    get(path, cursor),
    get(path, "limit=5", cursor),
    get(path, cursor, "limit=5", "utm_source=mail"),
  ]);
  return [
    ...requests,
    ...badCursors,
    ...unknownNames.map((pair) => get(path, pair)),
    ...known.flatMap(({ filter, values }) => filterRequests(path, filter.param, values)),
    ...known.flatMap((one, index) => known.slice(index + 1).flatMap((other) => togetherRequests(path, one, other))),
    ...(known.length === 0 ? severalFaults(path, undefined, "", operation.paged) : []),
    ...known.flatMap(({ filter, values }, index) =>
      severalFaults(path, filter.param, values[0] ?? "", operation.paged && index === 0),
    ),
  ];
}

interface KnownFilter {
  readonly filter: Filter;
  readonly values: readonly string[];
}

/** Two filters at once, whether or not they go together. */
function togetherRequests(path: string, one: KnownFilter, other: KnownFilter): readonly ConformanceRequest[] {
  const pairs = ({ filter: { param }, values }: KnownFilter) =>
    [values[0] ?? "nope", "nope", ""].map((value) => `${param}=${value}`);
  return pairs(one).flatMap((left) =>
    pairs(other).flatMap((right) => [
      get(path, left, right),
      get(path, right, left, "limit=5"),
      get(path, left, "limit=0", right),
      get(path, left, right, "cursor=nope"),
    ]),
  );
}

/** The answer names the first invalid parameter: limit, then the filter, then the cursor. */
function severalFaults(
  path: string,
  param: string | undefined,
  known: string,
  everyForm: boolean,
): readonly ConformanceRequest[] {
  const limits = [[], ["limit=0"], ...(everyForm ? [["limit=5"], ["limit="]] : [])];
  const cursors = [[], ["cursor=nope"], ...(everyForm ? [["cursor="], ["cursor=.."]] : [])];
  const filters =
    param === undefined ? [[]] : [[], ...[known, "nope", "", ".", ".."].map((value) => [`${param}=${value}`])];
  return limits.flatMap((limit) =>
    filters.flatMap((filter) => cursors.map((cursor) => get(path, ...cursor, ...filter, ...limit))),
  );
}

/** The values at some parts of a list: the first at 0, the last at 1. */
const spread = <Value>(values: readonly Value[], parts: readonly number[]): readonly Value[] => [
  ...new Set(parts.flatMap((part) => values[Math.floor(part * (values.length - 1))] ?? [])),
];

const limits = [
  "1",
  "2",
  "5",
  "7",
  "10",
  "50",
  "99",
  "100",
  "0",
  "101",
  "1000",
  "-1",
  "+5",
  "05",
  "5.0",
  "5e0",
  "1e1",
  "0x5",
  "",
  "abc",
  "5%20",
  "%205",
  "%35",
  "5,6",
  "5;cursor=x",
  "%EF%BC%95",
  "99999999999999999999",
  "null",
  "[5]",
  "5/../6",
  "5%00",
  "5%0a",
].map((value) => `limit=${value}`);

/** One of each kind: a size of pages, another number, none. */
const fewLimits = ["limit=5", "limit=7", "limit=0", "limit="];

const unknownNames = [
  "",
  ...words(`
    & = =5 LIMIT=5 Limit=0 %6Cimit=5 limit[]=5 limit%3D5 xlimit=0 limits=0 CURSOR=nope utm_source=mail&fbclid=x
    q=a%20b&q=c limit limit= limit=5&limit=5 limit=5&limit=6 limit=5&limit limit=0&limit=5 limit=5&limit=0
    cursor cursor= cursor=a&cursor=a limit=0&cursor=nope limit=5& limit=0& limit=5&&utm=1& a=limit=0
  `),
];

const oddCursors = words(`
  nope K000000000000000000000000 k000000000000000000000000 k0000000000000000000000000 0 1 ..%2F..%2Fstatus ../../status k00000000000000000000000%30 *
  %2e%2e
`).map((value) => `cursor=${value}`);

/** `cursor` is a parameter with a cursor of the listing with `params`. */
const cursorRequests = (
  path: string,
  params: readonly string[],
  cursor: string,
  elsewhere: string,
): readonly ConformanceRequest[] => [
  get(path, ...params, cursor),
  get(path, ...params, "limit=1", cursor),
  get(path, cursor, "limit=5", ...params),
  get(path, "limit=10", "utm=1", cursor, ...params),
  get(path, ...params, cursor, "limit=100"),
  get(path, ...params, "limit=0", cursor),
  get(path, ...params, `${cursor}&${cursor}`),
  get(path, cursor.toUpperCase().replace("CURSOR", "cursor"), ...params),
  // Other listings.
  get(path, cursor),
  get(elsewhere, cursor),
];

/** Positions at which pages start, and other positions, from 1 to the number of items. */
function positionsIn(count: number, startsOf: (limit: number) => readonly number[]): readonly number[] {
  const starts = [5, 10].flatMap((limit) => startsOf(limit).slice(1, 4));
  const positions = [1, 5, 7, 20, 100, ...starts, count - 1, count].filter(
    (position) => position >= 1 && position <= count,
  );
  return [...new Set(positions)];
}

function filterRequests(path: string, param: string, values: readonly string[]): readonly ConformanceRequest[] {
  const known = values[0] ?? "";
  const encoded = `%${known.charCodeAt(0).toString(16)}${known.slice(1)}`;
  const odd = words(`
    zzz9 nope ${known.toUpperCase()} ${encoded} ${known}%00 ${known}/ ${known}.json ${known}%20 ${known}~ ${known}%7E
    .. ../.. ..%2F..%2Fstatus ../../../../etc/passwd * %2e%2e%2f a/b % %zz constructor
  `);
  const pairs = odd.map((value) => `${param}=${value}`);
  return [
    ...pairs.flatMap((pair) => [get(path, pair), get(path, pair, "limit=5")]),
    get(path, param),
    get(path, `${param}=`),
    get(path, `${param}=${known}`, `${param}=${known}`),
    get(path, `${param}=${known}`, `${param}=${values.at(-1) ?? known}`),
    get(path, `${param.toUpperCase()}=nope`),
    get(path, "limit=0", `${param}=nope`),
    get(path, `${param}=nope`, "cursor=nope"),
    get(path, `${param}=${known}`, "limit=5", "utm_medium=x"),
    get(path, "limit=5", `${param}=${known}`),
  ];
}

/** Words that paths have beside the keys of items. */
const pathWords = words("docs schemas dumps filters changes errors openapi cursors limit cursor item sort files");

/** The requests for single items: by key, by alias, in every form of paths, and by other names. */
function itemRequests(dataset: Dataset, operation: ListOperation): readonly ConformanceRequest[] {
  const path = `${dataset.api.base}/${operation.name}`;
  const all = (dataset.items.get(operation.name) ?? []).map((item) => addressesOf(item, operation));
  const dozen = Array.from({ length: 12 }, (_, index) => index / 11);
  const known = [all.flatMap(([key = ""]) => key), all.flatMap(([, ...aliases]) => aliases)].flatMap((keys) =>
    spread(keys, dozen),
  );
  const [first = "nope"] = known;
  const longest = keyFields(operation).length;
  const words = [...pathWords, ...paramsOf(operation), operation.name, "nope", "constructor", "index", "index.html"];
  const short = Array.from({ length: longest + 2 }, (_, parts) =>
    first.split("/").concat("x", "y", "z").slice(0, parts),
  );
  const odd = [
    ...words.flatMap((word) => [word, [...first.split("/").slice(0, -1), word].join("/")]),
    ...words.map((word) => [word, ...first.split("/").slice(1)].join("/")),
    ...short.map((parts) => parts.join("/")),
    `item/${first}`,
    "x".repeat(100),
    "x".repeat(101),
    ".x",
    "~",
    "-",
    "_",
    "x..y",
    "x.",
    "..",
    ".",
    "%2e%2e",
    "../nope",
    "..%2Fnope",
    "%2F",
    "",
    "/",
    "%",
    "%zz",
    "%00",
    "%20",
    "*",
    "$1",
    "{x}",
    "x,y",
  ];
  const preflights = [first, "nope", "..", `${first}/`, [...first.split("/"), "x"].join("/")];
  return [
    ...known.map((key) => get(`${path}/${key}`)),
    ...spread(known, [0, 0.2, 0.4, 0.6, 0.8, 1]).flatMap((key) => spellings(path, key)),
    ...odd.map((key) => get(`${path}/${key}`)),
    ...["limit=0", "limit=5&cursor=nope", "&", "%", "a=b&a=b"].flatMap((query) =>
      [first, "nope"].map((key) => get(`${path}/${key}`, query)),
    ),
    ...["HEAD", "POST", "DELETE"].flatMap((method) =>
      [first, "nope"].map((key) => ({ ...get(`${path}/${key}`), method })),
    ),
    ...preflights.map((key) => ({ ...get(`${path}/${key}`), method: "OPTIONS" })),
    { ...get(`${path}/${first}`, "limit=0"), method: "OPTIONS" },
  ];
}

/** A path of an item, and paths that differ from it in a character. */
function spellings(path: string, key: string): readonly ConformanceRequest[] {
  const last = key.lastIndexOf("/") + 1;
  const folder = key.slice(0, last);
  const name = key.slice(last);
  const code = (at: number) => key.charCodeAt(at).toString(16).padStart(2, "0");
  const around = words("KEY KEY/ /KEY ./KEY x/../KEY KEY// KEYx KEY. KEY.json KEY%20 KEY%00 KEY;x");
  const changed = [
    ...around.map((form) => form.replace("KEY", () => key)),
    key.slice(0, -1),
    key.replaceAll("/", "//"),
    key.replaceAll("/", "%2F"),
    key.replaceAll(".", "%2e"),
    `${folder}%${code(last)}${name.slice(1)}`,
    `%${code(0)}${key.slice(1)}`,
    folder + (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()),
  ];
  return changed.map((name) => get(`${path}/${name}`));
}
