import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { reference } from "../../src/declare/marks.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { ofDeprecated } from "../../test/check/deprecated.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { rounds } from "../../test/seed.ts";
import { completeApi } from "../declaration/complete.ts";
import { errorFile, pageFile } from "./paths.ts";
import { type Request, resolve, settle } from "./resolve.ts";
import { makeTable, type RoutingTable } from "./table.ts";

const { operations } = edgeNetwork;

const all = operations.map(({ name }) => name);
const sizes = (operation: string) => (operation === "nodes" ? [5, 10, 100] : everyPageSize);
const table = makeTable(edgeNetwork, all, sizes);
const isOwned = (file: string): boolean => file.startsWith("api/v1/");

/** A tree with two regions, one of them empty, one collection, and a few positions. */
const cursor = "k0123456789abcdefghijklmn";
const present = new Set(
  [
    { operation: "nodes" },
    { operation: "nodes", cursor },
    { operation: "nodes", limit: 5, cursor },
    { operation: "nodes", chosen: [{ param: "region", value: "lhr1" }] },
    { operation: "nodes", chosen: [{ param: "region", value: "lhr1" }], cursor },
    { operation: "nodes", chosen: [{ param: "region", value: "nbo1" }] },
    { operation: "nodes", chosen: [{ param: "region", value: "nbo1" }], limit: 10 },
    { operation: "records", chosen: [{ param: "collection", value: "os" }] },
  ].map((address) => pageFile(edgeNetwork.base, address)),
);

const ask = (method: string, target: string, of: RoutingTable = table) => {
  const [path = "", ...rest] = target.split("?");
  return settle(resolve(of, { method, path, query: rest.join("?") }), (file) => present.has(file));
};

describe("resolve", () => {
  it.each<[method: string, target: string, status: number, file: string]>([
    // The method comes first, then the path.
    ["POST", "/api/v1/nodes", 405, "errors/method_not_allowed"],
    ["POST", "/nowhere?limit=0", 405, "errors/method_not_allowed"],
    ["get", "/api/v1/nodes", 405, "errors/method_not_allowed"],
    ["HEAD", "/api/v1/nodes", 200, "nodes"],
    ["GET", "/api/v1/nope?limit=0", 404, "errors/not_found"],
    ["GET", "/api/v1/nodes/", 404, "errors/not_found"],
    ["GET", "/api/v1/Nodes", 404, "errors/not_found"],
    ["GET", "/api/v1/nodes.json", 404, "errors/not_found"],
    ["GET", "", 404, "errors/not_found"],
    // Limits: integers from 1 to 100 as one writes them, answered with the next smaller page size.
    ["GET", "/api/v1/nodes?limit=5", 200, "nodes/limit/5"],
    ["GET", "/api/v1/nodes?limit=7", 200, "nodes/limit/5"],
    ["GET", "/api/v1/nodes?limit=99", 200, "nodes/limit/10"],
    ["GET", "/api/v1/nodes?limit=100", 200, "nodes"],
    ["GET", "/api/v1/images?limit=1", 200, "images/limit/1"],
    ["GET", "/api/v1/nodes?limit=4", 400, "errors/nodes/invalid_limit"],
    ...["0", "101", "1000", "-1", "+5", "05", "5.0", "5e0", "", " 5", "%35", "abc", "5\n", "٥"].map(
      (limit): [string, string, number, string] => [
        "GET",
        `/api/v1/images?limit=${limit}`,
        400,
        "errors/images/invalid_limit",
      ],
    ),
    ["GET", "/api/v1/images?limit", 400, "errors/images/invalid_limit"],
    ["GET", "/api/v1/images?limit=5&limit=5", 400, "errors/images/invalid_limit"],
    ["GET", "/api/v1/images?limit=5&limit", 400, "errors/images/invalid_limit"],
    // Filters: a value is known if its first page exists.
    ["GET", "/api/v1/nodes?region=lhr1", 200, "nodes/region/lhr1"],
    ["GET", "/api/v1/nodes?region=nbo1&limit=10", 200, "nodes/region/nbo1/limit/10"],
    ["GET", "/api/v1/nodes?region=zzz9", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region=LHR1", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region=", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region=lhr1&region=lhr1", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region=..%2F..%2Fstatus", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?region=../../status", 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/records?collection=os", 200, "records/collection/os"],
    ["GET", "/api/v1/records?collection=ox", 400, "errors/records/invalid_collection"],
    // Cursors: a position is known if its page exists.
    ["GET", `/api/v1/nodes?cursor=${cursor}`, 200, `nodes/cursor/${cursor}`],
    ["GET", `/api/v1/nodes?cursor=${cursor}&limit=7`, 200, `nodes/limit/5/cursor/${cursor}`],
    ["GET", `/api/v1/nodes?limit=10&cursor=${cursor}`, 400, "errors/nodes/invalid_cursor"],
    ["GET", `/api/v1/nodes?cursor=${cursor}&region=lhr1`, 200, `nodes/region/lhr1/cursor/${cursor}`],
    ["GET", `/api/v1/nodes?cursor=${cursor}&region=nbo1`, 400, "errors/nodes/invalid_cursor"],
    ["GET", "/api/v1/nodes?cursor=nope", 400, "errors/nodes/invalid_cursor"],
    ["GET", "/api/v1/nodes?cursor=", 400, "errors/nodes/invalid_cursor"],
    ["GET", `/api/v1/nodes?cursor=${cursor.toUpperCase()}`, 400, "errors/nodes/invalid_cursor"],
    // The order of the checks.
    ["GET", "/api/v1/nodes?cursor=nope&region=zzz9&limit=0", 400, "errors/nodes/invalid_limit"],
    ["GET", "/api/v1/nodes?cursor=nope&region=zzz9", 400, "errors/nodes/invalid_region"],
    ["GET", `/api/v1/nodes?cursor=${cursor}&region=zzz9`, 400, "errors/nodes/invalid_region"],
    ["GET", "/api/v1/nodes?cursor=nope&region=lhr1", 400, "errors/nodes/invalid_cursor"],
    // Only the operation's parameters count, under their exact names.
    ["GET", "/api/v1/status?limit=0&region=zzz9", 200, "status"],
    ["GET", "/api/v1/regions?limit=0", 200, "regions"],
    ["GET", "/api/v1/images?region=zzz9&collection=ox", 200, "images"],
    ["GET", "/api/v1/nodes?LIMIT=0&%6Cimit=0&limits=0&xlimit=0&limit[]=0", 200, "nodes"],
    ["GET", "/api/v1/nodes?&&=&=5&utm=1&a?limit=0", 200, "nodes"],
    ["GET", "/api/v1/nodes?", 200, "nodes"],
  ])("answers %s %s with %i and %s", (method, target, status, file) => {
    const answer = ask(method, target);
    expect([answer.status, answer.file]).toEqual([status, `api/v1/${file}.json`]);
  });

  it.each([
    ["/api/v1/docs/nope", "page", "page"],
    ["/api/v1/docs", "error", "error"],
    ["/api/v1/nope", "error", "error"],
    ["/api/v2/nodes", "error", "error"],
    ["/api", "error", "error"],
    ["/apix", "error", "page"],
    ["/nope?limit=0", "error", "page"],
    ["/", "error", "front"],
  ] as const)("answers %s with the %s, and with the front page with the %s", (target, without, withFront) => {
    const about = { contentType: "text/html", cacheControl: "no-store" };
    const lost = { ...about, path: "/api/v1/docs/404", file: "api/v1/docs/404.html" };
    const front = { ...about, path: "/", file: "index.html" };
    const meant = {
      page: { status: 404, file: lost.file, headers: { "Content-Type": "text/html" } },
      error: { status: 404, file: "api/v1/errors/not_found.json", headers: { "Content-Type": "application/json" } },
      front: { status: 200, file: front.file },
    };
    expect(ask("GET", target, makeTable(edgeNetwork, all, sizes, [lost]))).toMatchObject(meant[without]);
    expect(ask("GET", target, makeTable(edgeNetwork, all, sizes, [front, lost]))).toMatchObject(meant[withFront]);
  });

  it("never runs the pattern of a declared key on what a request sends", () => {
    const id = z.string().regex(/^(?:[a-z0-9]+-?)+$/);
    const makers = defineCollection({ purpose: "Makers.", schema: z.strictObject({ id }), key: "id", item: true });
    const schema = z.strictObject({ id, maker: reference("makers") });
    const parts = defineCollection({ purpose: "Parts.", schema, key: "id", filters: { maker: "maker" } });
    const api = completeApi(defineApi({ collections: { makers, parts } }));
    const hostile = makeTable(api, ["makers", "parts"], () => everyPageSize);
    expect(JSON.stringify(hostile)).not.toContain("(?:[a-z0-9]+-?)+");
    const value = `${"a".repeat(40)}!`;
    expect(ask("GET", `/api/v1/parts?maker=${value}`, hostile).status).toBe(400);
    expect(ask("GET", `/api/v1/makers/${value}`, hostile).status).toBe(404);
  });

  it("sends the operation's headers with a page, and an error's with an error", () => {
    const common = {
      "Content-Type": "application/json",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "ETag, Link, Date, Deprecation, Sunset",
      "X-Content-Type-Options": "nosniff",
    };
    expect(ask("GET", "/api/v1/regions").headers).toEqual({ ...common, "Cache-Control": "public, max-age=300" });
    expect(ask("GET", "/api/v1/status").headers).toEqual({ ...common, "Cache-Control": "no-store" });
    expect(ask("GET", "/nowhere").headers).toEqual({ ...common, "Cache-Control": "no-store" });
    expect(ask("PUT", "/nowhere").headers).toEqual({
      ...common,
      "Cache-Control": "no-store",
      Allow: "GET, HEAD, OPTIONS",
    });
  });

  it("tells with the pages and items of a deprecated operation that it will go, but not with those of a deprecated filter", () => {
    const deprecated = makeTable(ofDeprecated, ["places", "spots", "health"], () => everyPageSize);
    const noticeOf = (target: string) => {
      const [path = "", query = ""] = target.split("?");
      const { headers } = settle(resolve(deprecated, { method: "GET", path, query }), () => true);
      return [headers["Deprecation"], headers["Sunset"], headers["Link"]];
    };
    const linkTo = (anchor: string) => `</api/v1/docs/#${anchor}>; rel="deprecation"; type="text/html"`;
    const ofSpots = ["@1796083200", "Tue, 01 Jun 2027 00:00:00 GMT", linkTo("list-spots")];
    const none = [undefined, undefined, undefined];
    expect(noticeOf("/api/v1/spots")).toEqual(ofSpots);
    expect(noticeOf("/api/v1/spots?limit=5")).toEqual(ofSpots);
    expect(noticeOf("/api/v1/spots/s")).toEqual(ofSpots);
    expect(noticeOf("/api/v1/spots?limit=0")).toEqual(none);
    expect(noticeOf("/api/v1/health")).toEqual(["@1767225600", undefined, linkTo("get-health")]);
    expect(noticeOf("/api/v1/places?pop=lhr")).toEqual(none);
  });

  it("answers OPTIONS without a body where there is something, whatever the query", () => {
    const targets = ["/api/v1/nodes", "/api/v1/nodes?limit=0", "/api/v1/status"];
    for (const target of targets) {
      const { status, file, headers } = ask("OPTIONS", target);
      expect({ status, file }).toEqual({ status: 204, file: undefined });
      expect(headers).toEqual({
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
        "Access-Control-Allow-Headers": "*, Authorization",
        "Access-Control-Max-Age": "86400",
        "Access-Control-Expose-Headers": "ETag, Link, Date, Deprecation, Sunset",
        "X-Content-Type-Options": "nosniff",
      });
    }
    expect(ask("OPTIONS", "/api/v1/nope")).toEqual(ask("GET", "/api/v1/nope"));
  });

  it("answers a document at its path, and links to those that describe the API", () => {
    const about = { contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=300" };
    const documents = [
      { ...about, path: "/api/v1/docs/", file: "api/v1/docs/index.html" },
      { ...about, path: "/", file: "index.html" },
    ];
    const withDocuments = makeTable(edgeNetwork, all, sizes, documents);
    const link = '</api/v1/docs/>; rel="service-doc"';
    expect(ask("GET", "/api/v1/docs/?limit=0", withDocuments)).toMatchObject({
      status: 200,
      file: "api/v1/docs/index.html",
      headers: { "Content-Type": about.contentType, "Cache-Control": about.cacheControl, Link: link },
    });
    expect(ask("HEAD", "/", withDocuments)).toMatchObject({ status: 200, file: "index.html" });
    expect(ask("GET", "/api/v1/docs", withDocuments)).toMatchObject({
      status: 308,
      headers: { Location: "/api/v1/docs/" },
    });
    expect(ask("GET", "/api/v1/nodes", withDocuments).headers).toMatchObject({ Link: link });
    expect(ask("GET", "/api/v1/docs/x", withDocuments).status).toBe(404);
    expect(ask("GET", "/api/v1/docs/").status).toBe(404);
  });

  it("finds no operation that the deployment lacks", () => {
    const media = makeTable(edgeNetwork, ["nodes", "regions", "status"], sizes);
    expect(ask("GET", "/api/v1/images", media)).toMatchObject({ status: 404, file: "api/v1/errors/not_found.json" });
    expect(ask("GET", "/api/v1/nodes", media).status).toBe(200);
  });

  it("names an existing file or an error for any request whatever, and never a path outside api/v1/", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "/api/v1/nodes",
        "/api/v1/records",
        "/api",
        "/",
        "..",
        "%2e",
        "limit",
        "region",
        "cursor",
        "collection",
      ),
      fc.constantFrom("=", "&", "?", "5", "100", "101", "lhr1", "os", cursor, "\0", "\n", "\\", ":", "*", "__proto__"),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const operationPath = fc.constantFrom("/api/v1/nodes", "/api/v1/records", "/api/v1/images", "/api/v1/status");
    const request: fc.Arbitrary<Request> = fc.record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant("GET") }, fc.string()),
      path: fc.oneof(operationPath, text),
      query: text,
    });
    fc.assert(
      fc.property(request, fc.boolean(), (sent, full) => {
        const resolution = resolve(table, sent);
        for (const { file } of resolution.needs) expect(isOwned(file)).toBe(true);
        const { status, file = errorFile(edgeNetwork.base, "none") } = settle(
          resolution,
          (file) => full || present.has(file),
        );
        expect(isOwned(file)).toBe(true);
        expect(file).not.toMatch(/(^|\/)\.\.?(\/|$)|[^a-zA-Z0-9_./-]/);
        expect([200, 204, 308, 400, 404, 405]).toContain(status);
        expect(file.includes("/errors/")).toBe(status !== 200);
      }),
      { numRuns: 1_250 * rounds },
    );
  });
});

it("keeps the routing table the same whatever the data", () => {
  expect(JSON.stringify(makeTable(edgeNetwork, all, sizes)).length).toBeLessThan(1_500 * all.length);
});
