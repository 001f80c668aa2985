// The requests that every host is asked: what clients send, what they send by mistake, and what attackers try.
// Made from a dataset, so that the values in them are known there.
import { cursorAfter, cursorsOf } from "../../src/paging.ts";
import type { Dataset } from "./expected.ts";

export interface ConformanceRequest {
  readonly method: string;
  /** As sent, with nothing normalised. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
}

const base = "/api/v1";

const get = (path: string, ...params: readonly string[]): ConformanceRequest => ({
  method: "GET",
  path,
  query: params.join("&"),
});

export function conformanceRequests(dataset: Dataset): readonly ConformanceRequest[] {
  const requests = [...paths(), ...methodsOn(), ...ownParametersOnly(), ...pagedRequests(dataset)];
  return [...new Map(requests.map((each) => [JSON.stringify(each), each])).values()];
}

const operations = ["records", "nodes", "regions", "images", "schema", "status"];

function paths(): readonly ConformanceRequest[] {
  const odd = [
    "/",
    "/index.html",
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/nodes",
    "/api/v1/nope",
    "/api/v1/node",
    "/api/v1/nodesx",
    "/api/v1/errors",
    "/api/v1/nodes/",
    "/api/v1/nodes//",
    "/api/v1//nodes",
    "//api/v1/nodes",
    "/api/v1/./nodes",
    "/api/v1/x/../nodes",
    "/api/v1/../../etc/passwd",
    "/api/v1/%2e%2e/%2e%2e/etc/passwd",
    "/api/v1/..%2f..%2fetc%2fpasswd",
    "/api/v1/nodes/limit/5",
    "/api/v1/nodes/region",
    "/api/v1/Nodes",
    "/API/v1/nodes",
    "/api/V1/nodes",
    "/api/v1/%6Eodes",
    "/api/v1/nodes%20",
    "/api/v1/nodes%",
    "/api/v1/%zz/nodes",
    "/api/v1/nodes%00",
    "/api/v1/nodes%3Flimit=5",
    "/api/v1/nodes;limit=5",
    "/api/v1/constructor",
    "/api/v1/__proto__",
    "/api/v1/hasOwnProperty",
  ];
  return [
    ...operations.map((name) => get(`${base}/${name}`)),
    ...odd.map((path) => get(path)),
    get(`${base}/nope`, "limit=0"),
    get("/", "limit=5"),
  ];
}

function methodsOn(): readonly ConformanceRequest[] {
  const targets = [get(`${base}/nodes`), get(`${base}/nodes`, "limit=5"), get(`${base}/status`), get(`${base}/nope`)];
  const withBody = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  return [
    ...withBody.flatMap((method) => targets.map((target) => ({ ...target, method }))),
    { ...get(`${base}/nodes`, "limit=0"), method: "POST" },
    { ...get(`${base}/%zz/nodes`), method: "POST" },
    ...[...targets, get(`${base}/nodes`, "limit=0"), get(`${base}/records`, "cursor=nope")].map((target) => ({
      ...target,
      method: "HEAD",
    })),
  ];
}

/** Parameters that an operation does not have are ignored, whatever they say. */
function ownParametersOnly(): readonly ConformanceRequest[] {
  return [
    ...["regions", "schema", "status"].flatMap((name) => [
      get(`${base}/${name}`, "limit=0"),
      get(`${base}/${name}`, "limit=5", "cursor=nope"),
      get(`${base}/${name}`, "region=nope", "collection=nope"),
    ]),
    get(`${base}/records`, "region=nope"),
    get(`${base}/images`, "region=nope"),
    get(`${base}/images`, "collection=nope"),
    get(`${base}/nodes`, "collection=nope"),
  ];
}

function pagedRequests(dataset: Dataset): readonly ConformanceRequest[] {
  const { regions, collections } = dataset;
  return [
    ...listingRequests(dataset, "records", "collection", "collection", collections, ["collection", "created_at", "id"]),
    ...listingRequests(dataset, "nodes", "region", "pop", regions, ["created_at", "id"]),
    ...listingRequests(dataset, "images", undefined, undefined, [], ["created_at", "id"]),
  ];
}

function listingRequests(
  dataset: Dataset,
  name: string,
  param: string | undefined,
  field: string | undefined,
  values: readonly string[],
  order: readonly string[],
): readonly ConformanceRequest[] {
  const path = `${base}/${name}`;
  const all = dataset.items.get(name) ?? [];
  const listings = [
    { params: [], items: all, filter: undefined },
    ...(param === undefined || field === undefined ? [] : spread(values)).map((value) => ({
      params: [`${param}=${value}`],
      items: all.filter((item) => item[field ?? ""] === value),
      filter: { param: param ?? "", value },
    })),
  ];
  const requests = listings.flatMap(({ params, items, filter }) => {
    const cursorTo = (position: number): string =>
      cursorAfter(cursorsOf(name, filter), order.map((each) => items[position - 1]?.[each]).join(" "));
    return [
      get(path, ...params),
      ...limits.map((limit) => get(path, ...params, limit)),
      ...cursors(path, params, items.length, cursorTo),
    ];
  });
  const other = cursorAfter(cursorsOf(name, { param: "region", value: "zzz9" }), "nothing");
  const badCursors = [...oddCursors, `cursor=${other}`].flatMap((cursor) => [
    get(path, cursor),
    get(path, "limit=5", cursor),
    get(path, cursor, "limit=5", "utm_source=mail"),
  ]);
  return [
    ...requests,
    ...badCursors,
    ...unknownNames.map((pair) => get(path, pair)),
    ...filters(path, param, values),
    ...severalFaults(path, param, values[0] ?? ""),
  ];
}

/** The first parameter at fault is the one that is named: limit, then the filter, then the cursor. */
function severalFaults(path: string, param: string | undefined, known: string): readonly ConformanceRequest[] {
  const limits = [[], ["limit=5"], ["limit=0"], ["limit="]];
  const cursors = [[], ["cursor=nope"], ["cursor="], ["cursor=.."]];
  const filters =
    param === undefined ? [[]] : [[], ...[known, "nope", "", ".", ".."].map((value) => [`${param}=${value}`])];
  return limits.flatMap((limit) =>
    filters.flatMap((filter) => cursors.map((cursor) => get(path, ...cursor, ...filter, ...limit))),
  );
}

/** The first, the last and some between. */
const spread = (values: readonly string[]): readonly string[] => [
  ...new Set([0, 0.3, 0.7, 1].flatMap((part) => values[Math.floor(part * (values.length - 1))] ?? [])),
];

const limits = [
  ...["1", "2", "5", "7", "10", "50", "99", "100"],
  ...["0", "101", "1000", "-1", "+5", "05", "5.0", "5e0", "1e1", "0x5", "", "abc", "5%20", "%205", "%35", "5,6"],
  ...["5;cursor=x", "%EF%BC%95", "99999999999999999999", "null", "[5]", "5/../6", "5%00", "5%0a"],
].map((value) => `limit=${value}`);

const unknownNames = [
  "",
  "&",
  "=",
  "=5",
  "LIMIT=5",
  "Limit=0",
  "%6Cimit=5",
  "limit[]=5",
  "limit%3D5",
  "xlimit=0",
  "limits=0",
  "CURSOR=nope",
  "utm_source=mail&fbclid=x",
  "q=a%20b&q=c",
  "limit",
  "limit=",
  "limit=5&limit=5",
  "limit=5&limit=6",
  "limit=5&limit",
  "limit=0&limit=5",
  "limit=5&limit=0",
  "cursor",
  "cursor=",
  "cursor=a&cursor=a",
  "limit=0&cursor=nope",
  "limit=5&",
  "limit=0&",
  "limit=5&&utm=1&",
  "a=limit=0",
];

const oddCursors = [
  "nope",
  "K0000000000000",
  "k0000000000000",
  "k00000000000000000000",
  "0",
  "1",
  "..%2F..%2Fstatus",
  "../../status",
  "k000000000000%30",
  "*",
  "%2e%2e",
].map((value) => `cursor=${value}`);

function cursors(
  path: string,
  params: readonly string[],
  count: number,
  cursorTo: (position: number) => string,
): readonly ConformanceRequest[] {
  const positions = [1, 5, 7, 20, 100, count - 1, count].filter((each) => each >= 1 && each <= count);
  return [...new Set(positions)].flatMap((position) => {
    const cursor = `cursor=${cursorTo(position)}`;
    return [
      get(path, ...params, cursor),
      get(path, ...params, "limit=1", cursor),
      get(path, cursor, "limit=5", ...params),
      get(path, "limit=10", "utm=1", cursor, ...params),
      get(path, ...params, cursor, "limit=100"),
      get(path, ...params, "limit=0", cursor),
      get(path, ...params, `${cursor}&${cursor}`),
      get(path, `${cursor.toUpperCase().replace("CURSOR", "cursor")}`, ...params),
      // Of this listing, asked of others.
      get(path, cursor),
      get(`${base}/images`, cursor),
    ];
  });
}

function filters(path: string, param: string | undefined, values: readonly string[]): readonly ConformanceRequest[] {
  if (param === undefined) return [];
  const known = values[0] ?? "";
  const encoded = `%${known.charCodeAt(0).toString(16)}${known.slice(1)}`;
  const odd = [
    "zzz9",
    "nope",
    known.toUpperCase(),
    encoded,
    `${known}%00`,
    `${known}/`,
    `${known}.json`,
    `${known}%20`,
  ];
  const hostile = [
    "..",
    "../..",
    "..%2F..%2Fstatus",
    "../../../../etc/passwd",
    "*",
    "%2e%2e%2f",
    "a/b",
    "%",
    "%zz",
    "constructor",
  ];
  const pairs = [...odd, ...hostile].map((value) => `${param}=${value}`);
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
