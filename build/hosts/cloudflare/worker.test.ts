import { describe, expect, it, vi } from "vitest";
import { everyPageSize } from "../../../src/model/paging.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { makeTable } from "../../routing/table.ts";
import { respond } from "./worker.ts";

describe("the worker", () => {
  const about = { contentType: "text/html", cacheControl: "no-store" };
  const table = makeTable(
    edgeNetwork,
    edgeNetwork.operations.map(({ name }) => name),
    () => everyPageSize,
    [
      { ...about, path: "/api/v1/docs/", file: "api/v1/docs/index.html" },
      { ...about, path: "/api/v1/docs/page", file: "api/v1/docs/page.html" },
    ],
  );
  const cursor = "k0123456789abcdefghijklmn";
  const present = ["nodes.json", "nodes/region/lhr1.json", "nodes/region/lhr1/limit/5.json", "docs/", "docs/page"];

  /** The answer to a request in a site with the status of each path and 404 for all others. A body is its path. */
  async function ask(target: string, statuses: Readonly<Record<string, number>>, asked = "GET") {
    const fetch = async ({ url }: Request) => {
      const path = new URL(url).pathname.replace("/api/v1/", "");
      return new Response(path, { status: statuses[path] ?? (path.startsWith("errors/") ? 200 : 404) });
    };
    const request = new Request(`https://api.example/api/v1/${target}`, { method: asked });
    const answer = await respond(table, request, { fetch });
    return { status: answer.status, body: await answer.text() };
  }

  it.each([
    ["nodes", 200, "nodes.json"],
    ["nodes?region=lhr1&limit=5", 200, "nodes/region/lhr1/limit/5.json"],
    ["nodes?limit=0", 400, "errors/nodes/invalid_limit.json"],
    ["nope", 404, "errors/not_found.json"],
    ["docs/?limit=0", 200, "docs/"],
    ["docs/page", 200, "docs/page"],
    ["docs/page.html", 404, "errors/not_found.json"],
    [`nodes?region=lhr1&cursor=${cursor}`, 400, "errors/nodes/invalid_cursor.json"],
    ["nodes?region=zzz9&cursor=nope", 400, "errors/nodes/invalid_region.json"],
  ])("answers %s with %i and %s", async (target, status, body) => {
    const all = Object.fromEntries(present.map((file) => [file, 200]));
    expect(await ask(target, all)).toEqual({ status, body });
  });

  it.each([
    ["GET", "docs", 308],
    ["OPTIONS", "nodes?limit=0", 204],
  ])("answers %s %s with %i, whatever files there are", async (method, target, status) => {
    expect(await ask(target, {}, method)).toEqual({ status, body: "" });
  });

  it("looks up a single file for a page that exists", async () => {
    const fetch = vi.fn(async () => new Response("", { status: 200 }));
    await respond(table, new Request("https://api.example/api/v1/nodes?region=lhr1&limit=5"), { fetch });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a page that cannot be read", "nodes", { "nodes.json": 503 }],
    ["a page without parameters that is missing", "nodes", {}],
    ["an error that is missing", "nope", { "errors/not_found.json": 404 }],
  ])("takes %s for no fault of the client's", async (_, target, statuses) => {
    const { status, body } = await ask(target, statuses);
    expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 500, code: "internal_error" });
  });
});
