// A reference of more than twelve lists: a start, and a page for each list.
import { rmSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productsApi, writeProducts } from "../../../test/content/products.ts";
import { hasAnchor, linksIn } from "../../../test/documents/check-page.ts";
import { manyLists, writeManyLists } from "../../../test/documents/many-lists.ts";
import { documentsIn, planOf, temporaryFolder } from "../../../test/documents/source.ts";
import type { TestPlan } from "../../../test/plan.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const textsOf = (plan: TestPlan): ReadonlyMap<string, string> =>
  new Map(documentsIn(plan).map((document) => [document.path, Buffer.concat([...document.parts()]).toString()]));

describe("the reference of thirty lists", () => {
  let plan: TestPlan;
  let texts: ReadonlyMap<string, string>;
  let pages: readonly (readonly [path: string, text: string])[];

  beforeAll(async () => {
    writeManyLists(folder);
    plan = await planOf(folder, manyLists);
    texts = textsOf(plan);
    pages = [...texts].filter(([at]) => /^\/api\/v1\/docs\/(?:collections\/[^.]*)?$/.test(at));
  });

  it("has a page for each list, with its operations and fields, and no other's", () => {
    expect(pages.length).toBe(31);
    const page = texts.get("/api/v1/docs/collections/things-ac") ?? "";
    for (const anchor of [
      "list-things-ac",
      "item-things-ac",
      "resource-things-ac",
      "list-things-ac.state",
      "resource-things-ac.field_3",
    ]) {
      expect([anchor, hasAnchor(page, anchor)]).toEqual([anchor, true]);
    }
    expect(hasAnchor(page, "list-things-ab")).toBe(false);
    expect(hasAnchor(page, "errors")).toBe(false);
  });

  it("keeps what all lists share, documents, and the anchors of operations and resources on the start", () => {
    const start = texts.get("/api/v1/docs/") ?? "";
    const anchors = [
      "errors",
      "error-invalid_limit",
      "get-health",
      "resource-health",
      "list-things-ac",
      "item-things-ac",
      "resource-things-ac",
    ];
    expect(anchors.filter((anchor) => !hasAnchor(start, anchor))).toEqual([]);
    expect(start).toContain(
      '<a id="list-things-ac" href="/api/v1/docs/collections/things-ac" data-page="/api/v1/docs/collections/things-ac">',
    );
    expect(start).not.toContain("What field_3");
  });

  it("has pages whose links all lead somewhere", () => {
    for (const [at, page] of pages) {
      const dead = linksIn(page).filter((href) => {
        const [to = "", anchor] = href.split("#");
        const target = to === "" ? page : texts.get(to);
        return anchor === undefined
          ? to.startsWith("/api/v1/docs/") && target === undefined
          : target === undefined || !hasAnchor(target, anchor);
      });
      expect([at, dead]).toEqual([at, []]);
    }
  });

  it("has no page above 40 kB and 6,000 elements", () => {
    for (const [, page] of pages) {
      expect(gzipSync(page).length).toBeLessThan(40_000);
      expect(page.match(/<[a-z]/g)?.length).toBeLessThan(6_000);
    }
  });

  it("is where tables, headers of deprecated lists and the search lead", () => {
    const at = "/api/v1/docs/collections/things-aa#list-things-aa";
    expect(texts.get("/api/v1/docs/data/things-aa")).toContain(`href="${at}"`);
    expect(texts.get("/api/v1/docs/data/things-aa")).toContain(
      'href="/api/v1/docs/collections/things-aa#resource-things-aa.state"',
    );
    expect(plan.table.operations[0]?.headers?.["Link"]).toContain(`<${at}>; rel="deprecation"`);
    const groups: readonly unknown[] = JSON.parse(texts.get("/api/v1/docs/find.json") ?? "{}").groups;
    expect(groups).toContainEqual({
      title: "Operations",
      at: "/api/v1/docs/collections/things-ac#",
      entries: [
        ["List things-ac", "GET /api/v1/things-ac", "list-things-ac"],
        ["Get one things-ac-item", "GET /api/v1/things-ac/{id}", "item-things-ac"],
      ],
    });
  });

  it("is part of the routing table", () => {
    expect(plan.table.documents).toContainEqual({
      path: "/api/v1/docs/collections/things-ac",
      file: "api/v1/docs/collections/things-ac.html",
      contentType: "text/html; charset=utf-8",
      cacheControl: "public, max-age=300",
    });
  });
});

it("is one page with twelve lists and fewer", async () => {
  const products = path.join(folder, "products");
  writeProducts(products);
  const texts = textsOf(await planOf(products, productsApi));
  expect([...texts.keys()].filter((at) => at.includes("/docs/collections/"))).toEqual([]);
});
