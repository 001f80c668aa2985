import { rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ask } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { conform } from "../../../test/check/conform.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { shortRequests } from "../../../test/check/server-requests.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { openBuild } from "../../published/build.ts";
import { isLocalName, isNamed, type Preview, serveSite, startPreview, tagOf } from "./preview.ts";

describe("the preview", () => {
  const folder = temporaryFolder();
  const dist = path.join(folder, "dist");
  let preview: Preview;

  const get = (target: string, headers: Readonly<Record<string, string>> = {}) => {
    const [path = "", query = ""] = target.split("?");
    return ask(preview.origin, { method: "GET", path, query }, headers);
  };

  beforeAll(async () => {
    writeSample(path.join(folder, "content"), { count: 30, pageSizes: [5] });
    await buildForTest(path.join(folder, "content"), dist);
    preview = await startPreview(dist, 0);
  });

  afterAll(() => preview.stop());

  it("answers every request of the conformance list as the contract says", async () => {
    const dist = path.join(folder, "both");
    writeSample(`${dist}-content`, { count: 130, pageSizes: [5, 10, 25, 100], paging: "both" });
    const { dataset } = await buildForTest(`${dist}-content`, dist);
    const { origin, stop } = await startPreview(dist, 0);
    onTestFinished(stop);
    const requests = [...conformanceRequests(dataset), ...shortRequests(dataset)];
    const { failures } = await conform({ dataset, dist, gaps: [], send: (request) => ask(origin, request) }, requests);
    expect(failures).toEqual([]);
  });

  it("answers 304 to the ETag it gave, with the headers of the contract", async () => {
    const { etag = "" } = (await get("/api/v1/nodes?limit=5")).headers;
    const again = await get("/api/v1/nodes?limit=5", { "if-none-match": etag });
    expect(again).toMatchObject({ status: 304, body: "" });
    expect(again.headers).toMatchObject({
      etag,
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=60",
      "x-content-type-options": "nosniff",
    });
    expect((await get("/api/v1/nodes?limit=5", { "if-none-match": `${etag}x` })).status).toBe(200);
  });

  it("answers HEAD with the headers of GET, its length too", async () => {
    for (const query of ["", "limit=0"]) {
      const { date: _, ...headers } = (await get(`/api/v1/nodes?${query}`)).headers;
      const head = await ask(preview.origin, { method: "HEAD", path: "/api/v1/nodes", query });
      expect(head).toMatchObject({ headers, body: "" });
      expect(Number(head.headers["content-length"])).toBeGreaterThan(0);
    }
  });

  it("ignores preconditions and expectations that are not part of the contract", async () => {
    const since = new Date(0).toUTCString();
    const others = [{ "if-match": '"x"' }, { "if-unmodified-since": since }, { expect: "nothing" }];
    for (const headers of others) {
      expect((await get("/api/v1/status", headers)).status).toBe(200);
      expect((await get("/api/v1/nodes?limit=0", headers)).status).toBe(400);
    }
  });

  it("refuses a target that hosts refuse as too long", async () => {
    expect((await get(`/api/v1/status?${"x".repeat(6_000)}`)).status).toBe(200);
    expect((await get(`/api/v1/status?${"x".repeat(20_000)}`)).status).toBe(431);
  });

  it("answers errors and ranges in full, whatever a client has in its cache", async () => {
    const cached = { "if-none-match": "*", range: "bytes=0-3" };
    const { headers, status } = await get("/api/v1/nodes?limit=0", cached);
    expect([status, headers.etag]).toEqual([400, undefined]);
    const whole = await get("/api/v1/status", { range: "bytes=0-3" });
    expect([whole.status, JSON.parse(whole.body).version]).toEqual([200, "v1"]);
    expect(whole.headers).not.toHaveProperty("accept-ranges");
  });

  it("answers a request in the absolute form", async () => {
    expect((await get("http://example.com/api/v1/nodes?limit=5")).status).toBe(200);
  });

  it("answers 403 to a request for another host, so that no other site can read an unpublished build", async () => {
    const { status, headers, body } = await get("/api/v1/nodes", { host: "example.com" });
    expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined]);
    expect(JSON.parse(body).message).toMatch(/^The preview only answers requests whose Host is a name of this machine/);
    expect((await get("/api/v1/nodes", { host: "localhost" })).status).toBe(200);
  });

  it("sends no body of two builds, and no ETag of another build, while builds go on", async () => {
    const counts = [30, 60];
    const contents = counts.map((count) => path.join(folder, `content-${count}`));
    for (const [index, count] of counts.entries()) writeSample(contents[index] ?? "", { count, pageSizes: [50, 100] });
    await buildForTest(contents[0] ?? "", dist);
    let building = true;
    const bodies = new Set<string>();
    const reader = async (): Promise<void> => {
      while (building) {
        const { status, headers, body } = await get("/api/v1/nodes");
        expect([status, headers["content-length"]]).toEqual([200, String(Buffer.byteLength(body))]);
        expect(headers["etag"]).toBe(tagOf(Buffer.from(body)));
        expect(counts).toContain(JSON.parse(body).data.length);
        bodies.add(body);
      }
    };
    const builds = async (): Promise<void> => {
      for (let round = 1; round <= 12; round++) await buildForTest(contents[round % 2] ?? "", dist);
      building = false;
    };
    await Promise.all([builds(), reader(), reader(), reader(), reader()]);
    expect(bodies.size).toBe(2);
  });

  it("rejects if the port is taken", async () => {
    const port = Number(new URL(preview.origin).port);
    await expect(startPreview(dist, port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("answers 500 if it fails, prints the error, and goes on", async () => {
    const printed: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    let isBroken = true;
    const site = {
      tables: openBuild(dist).tables,
      has: () => true,
      async read() {
        if (isBroken) throw new TypeError("A bug.");
        return Buffer.from("{}");
      },
    };
    const server = await serveSite(site, 0);
    try {
      const status = { method: "GET", path: "/api/v1/status", query: "" };
      const failed = await ask(server.origin, status);
      expect([failed.status, JSON.parse(failed.body).code]).toEqual([500, "internal_error"]);
      expect(printed.join("")).toMatch(/^TypeError: A bug\.\n +at /);
      isBroken = false;
      expect(await ask(server.origin, status)).toMatchObject({ status: 200, body: "{}" });
    } finally {
      spy.mockRestore();
      await server.stop();
    }
  });

  it("says that a file is missing instead of calling the request wrong", async () => {
    rmSync(path.join(dist, "api/v1/regions.json"));
    const { status, headers, body } = await get("/api/v1/regions");
    expect([status, headers["content-type"], JSON.parse(body).message]).toEqual([
      500,
      "application/json",
      "There is no api/v1/regions.json. Run the build again.",
    ]);
    rmSync(path.join(dist, "routing.json"));
    expect(JSON.parse((await get("/api/v1/nodes")).body).message).toMatch(
      / contains no build\. Run the build first, or/,
    );
  });
});

it.each([
  [undefined, true],
  ["localhost", true],
  ["LOCALHOST:3000", true],
  ["127.0.0.1:3000", true],
  ["[::1]:3000", true],
  [`${hostname()}:3000`, true],
  ["", false],
  ["example.com", false],
  ["localhost.example.com:3000", false],
  ["127.0.0.1.example.com", false],
  ["example.com:3000:127.0.0.1", false],
])("takes the Host %j for this machine: %j", (host, isLocal) => expect(isLocalName(host)).toBe(isLocal));

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ["*", true],
  [" * ", true],
  ['"x", W/"y", "a"', true],
  ['"x",W/"a" ,"y"', true],
  [',, "a",', true],
  ['"b"', false],
  ['"A"', false],
  ['w/"a"', false],
  ['"a', false],
  ["a", false],
  ['"x, a"', false],
  ['"a", nonsense', false],
  ['"*"', false],
  ["", false],
  [`${",  ".repeat(5_000)}x`, false],
])("takes %j as naming the tag: %s", (field, named) => {
  expect(isNamed('"a"', field)).toBe(named);
});
