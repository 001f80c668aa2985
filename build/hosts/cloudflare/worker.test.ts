import { describe, expect, it } from "vitest";
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

  /**
   * The answer to a request, and the paths that the worker looked up, in a site with the status of each path and 404
   * for all others.
   */
  async function ask(target: string, statuses: Readonly<Record<string, number>>, asked = "GET") {
    const looked: string[] = [];
    const fetch = async ({ method, url }: Request) => {
      const path = new URL(url).pathname.replace("/api/v1/", "");
      looked.push(`${method} ${path}`);
      return new Response(path, { status: statuses[path] ?? (path.startsWith("errors/") ? 200 : 404) });
    };
    const request = new Request(`https://api.example/api/v1/${target}`, { method: asked });
    const answer = await respond(table, request, { fetch });
    return { status: answer.status, body: await answer.text(), looked };
  }

  it.each([
    ["nodes", 200, ["GET nodes.json"]],
    ["nodes?region=lhr1&limit=5", 200, ["GET nodes/region/lhr1/limit/5.json"]],
    ["nodes?limit=0", 400, ["GET errors/nodes/invalid_limit.json"]],
    ["nope", 404, ["GET errors/not_found.json"]],
    ["docs/?limit=0", 200, ["GET docs/"]],
    ["docs/page", 200, ["GET docs/page"]],
    ["docs/page.html", 404, ["GET errors/not_found.json"]],
    [
      `nodes?region=lhr1&cursor=${cursor}`,
      400,
      [
        `GET nodes/region/lhr1/cursor/${cursor}.json`,
        "HEAD nodes/region/lhr1.json",
        `HEAD nodes/region/lhr1/cursor/${cursor}.json`,
        "GET errors/nodes/invalid_cursor.json",
      ],
    ],
    ["nodes?region=zzz9&cursor=nope", 400, ["HEAD nodes/region/zzz9.json", "GET errors/nodes/invalid_region.json"]],
  ])("answers %s with %i after looking up %j", async (target, status, looked) => {
    const all = Object.fromEntries(present.map((file) => [file, 200]));
    expect(await ask(target, all)).toEqual({ status, body: looked.at(-1)?.replace(/.* /, ""), looked });
  });

  it.each([
    ["GET", "docs", 308],
    ["OPTIONS", "nodes?limit=0", 204],
  ])("answers %s %s with %i and no look-up", async (method, target, status) => {
    expect(await ask(target, {}, method)).toEqual({ status, body: "", looked: [] });
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
