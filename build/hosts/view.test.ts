import { describe, expect, it } from "vitest";
import { edgeNetwork } from "../../test/edge-network.ts";
import { makeTable, type TableDocument } from "../routing/table.ts";
import { apiName, byEnding, headingOf, oneOfPaths, otherNames, targetWith, viewOf } from "./view.ts";

const page = { contentType: "text/html", cacheControl: "max-age=60" };
const documents: readonly TableDocument[] = [
  { ...page, path: "/", file: "index.html" },
  { ...page, path: "/api/v1/docs/", file: "api/v1/docs/index.html" },
  { ...page, path: "/api/v1/docs/404", file: "api/v1/docs/404.html" },
  { contentType: "application/json", cacheControl: "max-age=60", path: "/api/v1/all.json", file: "api/v1/all.json" },
];
const svg = {
  contentType: "image/svg+xml",
  cacheControl: "no-cache",
  headers: { "Content-Security-Policy": "sandbox" },
};
const outputs = [
  { ...page, path: "/api/v1/cities/{part1}.html", file: "api/v1/cities/{part1}.html" },
  { ...svg, path: "/flags/{part1}.svg", file: "flags/{part1}.svg" },
  { ...page, path: "/api/v1/nodes/{a}/{b}/x.y", file: "api/v1/nodes/item/{a}/{b}/x.y.html" },
];
const table = makeTable(edgeNetwork, ["nodes", "regions"], () => [10, 100], documents, outputs);
const view = viewOf({
  ...table,
  operations: table.operations.map((operation) =>
    operation.name === "nodes"
      ? { ...operation, itemKeyParts: 2, headers: { Deprecation: "@1", Link: "</old>" } }
      : operation,
  ),
});

/** Whether an expression matches a text as a whole. */
const matches = (expression: string, text: string): boolean => new RegExp(`^(?:${expression})$`).test(text);

describe("the view of a table", () => {
  it("groups documents and outputs by their headers", () => {
    const kinds = view.kinds.map((kind) => [...kind.documents, ...kind.outputs].map(({ path }) => path));
    expect(kinds).toEqual([
      ["/", "/api/v1/docs/", "/api/v1/docs/404", "/api/v1/cities/{part1}.html", "/api/v1/nodes/{a}/{b}/x.y"],
      ["/api/v1/all.json"],
      ["/flags/{part1}.svg"],
    ]);
    expect(view.outputs.map(({ path, kind }) => [path, kind])).toEqual([
      ["/api/v1/cities/{part1}.html", 0],
      ["/api/v1/nodes/{a}/{b}/x.y", 0],
      ["/flags/{part1}.svg", 2],
    ]);
  });

  it.each([
    ["/", "/index.html", 0],
    ["/api/v1/docs/?a=b", "/api/v1/docs/index.html", 0],
    ["/api/v1/all.json", "/api/v1/all.json", 1],
    ["/api/v1/cities/rome.html?a", "/api/v1/cities/rome.html", 0],
    ["/flags/it.svg", "/flags/it.svg", 2],
    ["/api/v1/nodes/js/18/x.y?a", "/api/v1/nodes/item/js/18/x.y.html", 0],
  ])("leads %s to %s", (target, file, kind) => {
    const [first] = view.documents.filter((document) => new RegExp(document.target).test(target));
    const captured = new RegExp(first?.target ?? "").exec(target)?.[1] ?? "";
    expect([first?.file.replace("$1", captured), first?.kind]).toEqual([file, kind]);
  });

  it.each([
    ["/api/v1/nodes", true],
    ["/api/v1/nodes/a/b", true],
    ["/api/v1/nodes/a", false],
    ["/api/v1/regions/a/b", false],
    ["/api/v1/docs/", true],
    ["/api/v1/docs", false],
    ["/flags/it.svg", true],
  ])("knows that a preflight at %s passes: %s", (path, isKnown) => {
    expect(view.known.some((expression) => matches(expression, path))).toBe(isKnown);
  });

  it.each([
    ["/api/v1", true],
    ["/api/v1/anything", true],
    ["/api/v10", false],
    ["/", true],
    ["/index.html", true],
    ["/flags/it.svg", true],
    ["/flags/it.png", false],
  ])("knows whether %s belongs to the API: %s", (path, isOwn) => {
    expect(new RegExp(view.own).test(path)).toBe(isOwn);
  });

  it("lists what the API has outside of its base", () => {
    expect(view.outside.paths).toEqual(["/", "/index.html"]);
    expect(view.outside.outputs.map(({ wildcard }) => wildcard)).toEqual(["/flags/*.svg"]);
    expect(view.outside.expressions).toHaveLength(3);
  });

  it("has the keys of items by their number of parts", () => {
    expect(view.items.map(({ operations, key }) => [operations.map(({ name }) => name), key])).toEqual([
      [["nodes"], expect.stringMatching(/^.+\/.+$/)],
    ]);
    expect(matches(view.items[0]?.key ?? "", "nodejs/18.0.1")).toBe(true);
  });

  it("has the headers of deprecated operations, with the links of all answers for the others", () => {
    expect(view.notices).toEqual([
      { header: "Deprecation", values: [{ operation: "nodes", value: "@1" }], otherwise: "" },
      { header: "Link", values: [{ operation: "nodes", value: "</old>" }], otherwise: table.headers["Link"] },
    ]);
  });

  it("has the places at which there is nothing, in order", () => {
    expect(view.notFoundPlaces.map(({ start, answer }) => [start, answer.file])).toEqual([
      ["/api/v1/docs/", "api/v1/docs/404.html"],
      ["/api(?:[/? ]|$)", "api/v1/errors/not_found.json"],
      ["/", "api/v1/docs/404.html"],
    ]);
  });

  it("has each parameter once, and numbers filters", () => {
    const names = view.params.map(({ param }) => param.name);
    expect(names).toEqual([...new Set(names)]);
    expect(view.readings.map(({ name }) => name)).toEqual(names);
    expect(view.filterNumbers).toEqual([1]);
  });
});

it("matches paths by their folders", () => {
  const paths = ["/api/v1/nodes", "/api/v1/regions", "/api/v1/docs/"].map((path) => ({ path }));
  expect(oneOfPaths(paths)).toBe("(?:/api/v1/(?:nodes|regions)|/api/v1/docs/)");
  const target = new RegExp(targetWith(oneOfPaths(paths)));
  expect(["/api/v1/nodes", "/api/v1/nodes?limit=5", "/api/v1/nodes/"].map((text) => target.test(text))).toEqual([
    true,
    true,
    false,
  ]);
});

it("groups documents by what their files add to their paths", () => {
  expect([...byEnding(documents)].map(([ending, group]) => [ending, group.map(({ path }) => path)])).toEqual([
    ["index.html", ["/", "/api/v1/docs/"]],
    [".html", ["/api/v1/docs/404"]],
    ["", ["/api/v1/all.json"]],
  ]);
});

it("has a placeholder for each part of a key", () => {
  expect(otherNames(view.table)).toContainEqual([
    "/api/v1/nodes/:key_a/:key_b",
    "api/v1/nodes/item/:key_a/:key_b.json",
  ]);
});

describe("the name of an API", () => {
  it.each([
    ["/api/v1", "api_v1_b969bf"],
    ["/api-v1", "api_v1_bc446a"],
    ["/1.0", "_1_0_e7ad58"],
    ["/a-long-name-of-an-api", "a_long_name_of__2cdece"],
  ])("of %s is %s", (base, name) => expect(apiName(base)).toBe(name));
});

it.each([
  [[{ base: "/v2" }], "The API at /v2."],
  [[{ base: "/v2" }, { base: "/v1" }], "The API at /v2. The API at /v1."],
])("names the APIs of a file: %j", (tables, heading) => expect(headingOf(tables)).toBe(heading));
