import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorBody, pageOf } from "../../src/answers/schemas.ts";
import type { EdgeNode } from "../../src/edge-network/index.ts";
import type { Item } from "../../src/model/key.ts";
import { everyPageSize, type PageSizes, pageSizes } from "../../src/model/paging.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork, listOf } from "../../test/edge-network.ts";
import { rounds } from "../../test/seed.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { allItems } from "../content/table/items.ts";
import type { OutputFile } from "../files/file.ts";
import { parameterErrors } from "../routing/errors.ts";
import { answersOf, filesOfAnswers } from "./answers.ts";

const { operations } = edgeNetwork;
const nodeResource = listOf("EdgeNode");
const regionResource = listOf("EdgeRegion");
const nodeSchema = nodeResource.schema;

const edge: Deployment = {
  name: "edge",
  operations: operations.map(({ name }) => name),
  documents: new Map(edgeNetwork.documents.map(({ name, example }) => [name, example])),
};

const node = (id: number, pop = "lhr1", capacity = "100G"): EdgeNode => ({
  id: `nod_${id}`,
  created_at: `2026-01-01T00:00:${String(id % 60).padStart(2, "0")}Z`,
  pop,
  status: "operational",
  capacity,
});

const region = (code: string) => ({ ...regionResource.example, code, name: code });

function catalogOf(nodes: readonly EdgeNode[], sizes: PageSizes): Catalog {
  const items = catalogItems({ nodes, regions: [region("lhr1"), region("nbo1")] });
  const perOperation = new Map(edgeNetwork.lists.filter(({ paged }) => paged).map(({ name }) => [name, sizes]));
  return {
    api: edgeNetwork,
    items,
    deployments: new Map([["edge", edge]]),
    settings: {
      ...noSettings,
      pageSizes: perOperation,
    },
  };
}

const render = (catalog: Catalog, deployment = edge): ReadonlyMap<string, string> => {
  const plan = answersOf(catalog, deployment);
  const files = [...filesOfAnswers(plan).all()].map((output) => {
    const { file, length } = output;
    const bytes = Buffer.concat([...output.parts()]);
    expect(bytes.length, file).toBe(length);
    return [file, bytes.toString()] as const;
  });
  const singles = plan.items.reduce((sum, { files }) => sum + files, 0);
  expect(files.length).toBe(plan.pageCount + singles + plan.others.length);
  expect(new Set(files.map(([file]) => file)).size).toBe(files.length);
  return new Map(files);
};

const some = fc.uniqueArray(fc.nat({ max: 400 }), { maxLength: 260 });
const anySizes = fc.oneof(
  fc.constant(everyPageSize),
  fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 4 }).map(pageSizes),
);

const page = pageOf(nodeSchema({}));
const parse = (text: string | undefined) => page.parse(JSON.parse(text ?? "null"));

describe("the pages of any items with any page sizes", () => {
  it("hold each remaining item exactly once, in order, from any page on, with its limit or without one", () => {
    fc.assert(
      fc.property(some, anySizes, fc.nat(), (ids, sizes, pick) => {
        const catalog = catalogOf(
          ids.map((id) => node(id)),
          sizes,
        );
        const files = render(catalog);
        const all = allItems(catalog.items.get("nodes"));
        const paths = [...files.keys()].filter((file) => /^api\/v1\/nodes(\.json|\/limit|\/cursor)/.test(file));
        const start = paths[pick % paths.length] ?? "";
        const follow = (limitPath: string) => {
          const items: Item[] = [];
          let body = parse(files.get(start));
          for (;;) {
            const { limit, count, has_more, next_cursor } = body.pagination;
            expect(body.data.length).toBe(count);
            expect(count).toBeLessThanOrEqual(limit);
            expect(has_more).toBe(next_cursor !== null);
            items.push(...body.data);
            if (next_cursor === null) return items;
            body = parse(files.get(`api/v1/nodes${limitPath}/cursor/${next_cursor}.json`));
          }
        };
        const ownLimit = /\/limit\/\d+/.exec(start)?.[0] ?? "";
        const rest = follow(ownLimit);
        expect(rest).toEqual(all.slice(all.length - rest.length));
        expect(follow("")).toEqual(rest);
        if (!start.includes("/cursor/")) expect(rest.length).toBe(all.length);
      }),
      { numRuns: 15 * rounds },
    );
  });

  it("change only if they hold the changed item", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 400 }), { minLength: 1, maxLength: 150 }),
        anySizes,
        fc.nat(),
        (ids, sizes, pick) => {
          const changed = ids[pick % ids.length] ?? 0;
          const before = render(
            catalogOf(
              ids.map((id) => node(id)),
              sizes,
            ),
          );
          const after = render(
            catalogOf(
              ids.map((id) => node(id, "lhr1", id === changed ? "400G" : "100G")),
              sizes,
            ),
          );
          expect([...after.keys()]).toEqual([...before.keys()]);
          for (const [file, text] of after) {
            expect(text !== before.get(file)).toBe(text.includes(`"nod_${changed}"`));
          }
        },
      ),
      { numRuns: 10 * rounds },
    );
  });

  it("keep the cursor of a position while the item before it stays, whatever other items change", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 400 }), { minLength: 2, maxLength: 60 }), fc.nat(), (ids, pick) => {
        const sizes = pageSizes([1]);
        const stays = ids[pick % (ids.length - 1)] ?? 0;
        const cursorsAfter = (nodes: readonly EdgeNode[]) =>
          [...render(catalogOf(nodes, sizes))]
            .filter(([file, text]) => /nodes\/limit\/1[./]/.test(file) && text.includes(`"nod_${stays}"`))
            .map(([, text]) => parse(text).pagination.next_cursor)
            .filter((cursor) => cursor !== null);
        const whole = cursorsAfter(ids.map((id) => node(id)));
        const fewer = cursorsAfter(ids.filter((id) => id === stays || id % 2 === 0).map((id) => node(id)));
        for (const cursor of fewer) expect(whole.length === 0 || whole.includes(cursor)).toBe(true);
      }),
      { numRuns: 10 * rounds },
    );
  });
});

describe("the files of a deployment", () => {
  const files = render(catalogOf([node(1), node(2)], pageSizes([1])));

  it("hold compact JSON with the keys in the specification's order", () => {
    expect(files.get("api/v1/nodes.json")).toBe(
      '{"object":"list","data":[' +
        '{"id":"nod_1","created_at":"2026-01-01T00:00:01Z","pop":"lhr1","status":"operational","capacity":"100G"},' +
        '{"id":"nod_2","created_at":"2026-01-01T00:00:02Z","pop":"lhr1","status":"operational","capacity":"100G"}' +
        '],"pagination":{"limit":100,"count":2,"has_more":false,"next_cursor":null}}',
    );
    expect(files.get("api/v1/regions.json")).toMatch(/^\{"object":"list","data":\[\{"code":"lhr1",.*\}\]\}$/);
    expect(files.get("api/v1/status.json")).toBe(
      '{"status":"operational","version":"v1","region":"London",' +
        '"components":[{"name":"API","status":"operational"}],"updated_at":"2026-01-01T00:00:00Z"}',
    );
  });

  it("hold an empty list for a known value of a filter that has no items", () => {
    expect(files.get("api/v1/nodes/region/nbo1.json")).toBe(
      '{"object":"list","data":[],"pagination":{"limit":100,"count":0,"has_more":false,"next_cursor":null}}',
    );
    expect(files.has("api/v1/nodes/region/nbo1/limit/1.json")).toBe(true);
  });

  it("are below the base, except the page that hosts send if they find none", () => {
    expect([...files.keys()].filter((file) => !file.startsWith("api/v1/"))).toEqual(["404.html"]);
    expect(files.get("404.html")).toBe(files.get("api/v1/errors/not_found.json"));
  });

  it("hold an error for everything that can be wrong with a request", () => {
    const errors = [...files].filter(([file]) => file.startsWith("api/v1/errors/"));
    const ofParameters = edgeNetwork.lists.flatMap((operation) =>
      parameterErrors(edgeNetwork, operation, everyPageSize, edge.operations).map(
        ({ error }) => `${operation.name}/${error.code}.json`,
      ),
    );
    expect(errors.map(([file]) => file.slice("api/v1/errors/".length)).sort()).toEqual(
      [...ofParameters, "method_not_allowed.json", "not_found.json"].sort(),
    );
    for (const [file, text] of errors)
      expect(errorBody.parse(JSON.parse(text)).code).toBe(/(\w+)\.json/.exec(file)?.[1]);
  });

  it("are found by their paths alone, and nothing else is", () => {
    const nodes = Array.from({ length: 120 }, (_, id) => node(id, id % 3 === 0 ? "nbo1" : "lhr1"));
    const plan = answersOf(catalogOf(nodes, pageSizes([1, 7, 100])), edge);
    const files = filesOfAnswers(plan);
    const textOf = (file: OutputFile | undefined) => Buffer.concat([...(file?.parts() ?? [])]).toString();
    for (const output of files.all()) {
      const found = files.find(output.file);
      expect([found?.file, textOf(found)]).toEqual([output.file, textOf(output)]);
    }
    const others = [
      "node",
      "nodes/limit/8",
      "nodes/limit/100",
      "nodes/limit/007",
      "nodes/limit/1e0",
      "nodes/cursor/k0",
    ];
    for (const file of [...others, "nodes/region/none", "nodes/region/nbo1/limit/", "nodes/region/nbo1/limit/100"])
      expect(files.find(`api/v1/${file}.json`)).toBeUndefined();
  });

  it("belong to its operations and its status document only", () => {
    const documents = new Map(
      edgeNetwork.documents.map(({ name, example }) => [name, { ...example, region: "Paris" }]),
    );
    const media = { ...edge, operations: ["nodes", "regions", "status"], documents };
    const rendered = render(catalogOf([node(1)], pageSizes([])), media);
    const others = edge.operations.filter((name) => !media.operations.includes(name)).join("|");
    const ofOthers = new RegExp(`v1/(?:errors/)?(?:${others})[./]`);
    expect([...rendered.keys()].filter((file) => ofOthers.test(file))).toEqual([]);
    expect(rendered.get("api/v1/status.json")).toContain('"region":"Paris"');
    expect(rendered.get("api/v1/errors/not_found.json")).toContain("/api/v1/nodes, /api/v1/regions, /api/v1/status.");
  });
});
