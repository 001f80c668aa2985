// Collections with several filters, each alone or with those that go together, and so many of them that Netlify's rules are
// shared. test/conformance/hosts.test.ts sends such requests to every host.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isFile } from "../../test/check/conform.ts";
import { type Collection, tableOf } from "../../test/hosts/filter-table.ts";
import { loadNetlify } from "../../test/hosts/netlify-emulator.ts";
import { rounds } from "../../test/seed.ts";
import type { OutputFile } from "../file.ts";
import { goTogether, isFilter, subsets } from "../routing/combinations.ts";
import { type Request, resolve, settle } from "../routing/resolve.ts";
import type { RoutingTable, TableError, TableOperation } from "../routing/table.ts";
import { passage } from "../verify/expected.ts";
import type { HostAdapter } from "./host.ts";
import { netlify } from "./netlify/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-filters-"));
afterAll(() => rmSync(folder, { recursive: true }));

const collections: readonly Collection[] = [
  { name: "two", filters: ["region", "run-by"] },
  { name: "type", filters: ["region", "run-by"], together: [["region", "run-by"]] },
  { name: "three", filters: ["region", "run-by", "zone2"] },
  {
    name: "pairs-2",
    filters: ["region", "run-by", "zone2"],
    together: [
      ["region", "run-by"],
      ["run-by", "zone2"],
    ],
  },
  { name: "triple", filters: ["region", "run-by", "zone2"], together: [["region", "run-by", "zone2"]] },
  { name: "flat", filters: ["region", "zone2"], paged: false },
];
const sizes = [5, 100];
const small = tableOf(collections, sizes);

/** More operations than Netlify has separate rules for. */
const further = [..."abcdefgh"].map((letter): Collection => {
  const filters = [`first_${letter}`, "second"];
  return { name: `further_${letter}`, filters, together: [filters] };
});
const large = tableOf([...collections, ...further], sizes);

const cursor = "k0123456789abcdefghijklmn";

describe("the filters of a request", () => {
  const present = new Set(pagesOf(small));
  const ask = (target: string) => {
    const [name = "", query = ""] = target.split("?");
    const resolution = resolve(small, { method: "GET", path: `/api/v1/${name}`, query });
    return settle(resolution, (file) => present.has(file)).file?.replace("api/v1/", "");
  };

  it.each([
    ["two?region=us", "two/region/us.json"],
    ["two?run-by=us&limit=7", "two/run-by/us/limit/5.json"],
    ["two?run-by=us&region=us", "errors/two/together_run-by.json"],
    ["type?run-by=us&region=us", "type/region/us/run-by/us.json"],
    [`type?run-by=us&cursor=${cursor}&region=us`, `type/region/us/run-by/us/cursor/${cursor}.json`],
    ["type?run-by=us&region=eu", "errors/type/invalid_region.json"],
    ["type?run-by=eu&region=us", "errors/type/invalid_run-by.json"],
    ["type?run-by=eu&region=eu", "errors/type/invalid_region.json"],
    ["three?zone2=us&region=us", "errors/three/together_zone2.json"],
    ["three?zone2=us&region=us&run-by=us", "errors/three/together_run-by.json"],
    ["pairs-2?zone2=us&run-by=us", "pairs-2/run-by/us/zone2/us.json"],
    ["pairs-2?zone2=us&region=us", "errors/pairs-2/together_zone2.json"],
    ["pairs-2?zone2=us&region=us&run-by=us", "errors/pairs-2/together_zone2.json"],
    // Filters that go together in threes also go together in twos.
    ["triple?zone2=us&region=us", "triple/region/us/zone2/us.json"],
    ["triple?zone2=us&region=us&run-by=us", "triple/region/us/run-by/us/zone2/us.json"],
    ["flat?zone2=us", "flat/zone2/us.json"],
    ["flat?zone2=us&region=us", "errors/flat/together_zone2.json"],
    // Which filters are sent is checked before their values and before the limit.
    ["two?limit=0&run-by=&region=..", "errors/two/together_run-by.json"],
    ["two?run-by&region", "errors/two/together_run-by.json"],
    ["type?limit=0&run-by=&region=..", "errors/type/invalid_limit.json"],
  ])("of %s lead to %s", (target, file) => {
    expect(ask(target)).toBe(file);
  });

  it("are named by the error if they do not go together", () => {
    const messages = small.operations.flatMap(({ name, params }) =>
      params.filter(isFilter).flatMap(({ clash }) => (clash === undefined ? [] : [`${name}: ${clash.body.message}`])),
    );
    expect(messages).toEqual([
      "two: run-by cannot be combined with other filters.",
      "three: run-by cannot be combined with other filters.",
      "three: zone2 cannot be combined with other filters.",
      "pairs-2: zone2 can only be combined with run-by.",
      "flat: zone2 cannot be combined with other filters.",
    ]);
  });
});

describe("many collections", () => {
  it("share rules on Netlify, and what they share does not answer other paths", async () => {
    const [use] = netlify.uses?.(large) ?? [];
    const rules = String(Buffer.concat(netlify.files(large)[0]?.parts() ?? []));
    expect(rules).toContain("/api/v1/:operation limit=7 /api/v1/:operation/limit/5.json 200\n");
    expect(use?.used).toBeLessThan(use?.most ?? 0);
    const dist = path.join(folder, "netlify-shared");
    writeSite(dist, netlify, large);
    const exists = (file: string) => isFile(dist, file);
    const emulator = await loadNetlify(dist, exists);
    for (const request of requestsTo(large)) {
      const { taken, last } = passage(netlify.gaps, large, exists, request);
      const { status, file } = last?.gives ? last.gives(large) : settle(resolve(large, taken), exists);
      const sent = await emulator.answer(request);
      expect({ request, status: sent.status, file: sent.file }).toEqual({ request, status, file });
    }
    for (const query of ["limit=100", "limit=5", `limit=5&cursor=${cursor}`, "limit=0", ""]) {
      for (const own of ["openapi", "errors", "nope", "cursors"]) {
        const answer = await emulator.answer({ method: "GET", path: `/api/v1/${own}`, query });
        expect({ own, query, status: answer.status }).toEqual({ own, query, status: 404 });
      }
    }
  });
});

/**
 * For each collection, some of the queries in which each parameter is absent, known, unknown or malformed, half of them in
 * the reverse order: one in 20, and in CI one in 5.
 */
const requestsTo = ({ operations }: RoutingTable): readonly Request[] =>
  operations.flatMap(({ path: own, params }) => {
    const ways = params.map(({ kind, name }) => values[kind].map((value) => `${name}=${value}`));
    const queries = ways.reduce<readonly (readonly string[])[]>(
      (before, pairs) => before.flatMap((list) => [list, ...pairs.map((pair) => [...list, pair])]),
      [[]],
    );
    const others = [
      ["limit=5", "region=us"],
      ["zone2=us", "second=us", "limit=5"],
    ];
    return [...queries.filter((_, index) => index % Math.ceil(20 / rounds) === 0), ...others].map((pairs, index) => ({
      method: "GET",
      path: own,
      query: (index % 2 === 0 ? pairs : pairs.toReversed()).join("&"),
    }));
  });

const values = {
  limit: ["7", "100", "0"],
  filter: ["us", "nobody", ""],
  cursor: [cursor, `${cursor.slice(0, -1)}0`],
};

/** The pages of a table's operations: each filter has one known value. */
const pagesOf = ({ operations }: RoutingTable): readonly string[] =>
  operations.flatMap((operation) => {
    const { params } = operation;
    const filters = subsets(params.filter(isFilter)).filter((chosen) => goTogether(operation, chosen));
    const has = (kind: string) => params.some((param) => param.kind === kind);
    return filters.flatMap((chosen) =>
      ["", ...(has("limit") ? ["/limit/5"] : [])].flatMap((limit) =>
        ["", ...(has("cursor") ? [`/cursor/${cursor}`] : [])].map((position) => {
          const parts = chosen.map(({ name }) => `/${name}/us`).join("");
          return `api/v1/${operation.name}${parts}${limit}${position}.json`;
        }),
      ),
    );
  });

const errorsOf = ({ params }: TableOperation): readonly TableError[] =>
  params.flatMap((param) => [param.error, ...(isFilter(param) && param.clash !== undefined ? [param.clash] : [])]);

/** Writes each page and document with its path as its body. */
function writeSite(dist: string, host: HostAdapter, table: RoutingTable): void {
  const write = (root: string, file: string, body: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), body);
  };
  for (const file of [...pagesOf(table), ...table.documents.map((document) => document.file)]) {
    write(dist, file, JSON.stringify({ file }));
  }
  write(dist, "404.html", "missing");
  for (const { file, body } of [...table.operations.flatMap(errorsOf), table.notFound, table.methodNotAllowed]) {
    write(dist, file, JSON.stringify(body));
  }
  const put = (root: string, files: readonly OutputFile[]) => {
    for (const each of files) write(root, each.file, Buffer.concat(each.parts()));
  };
  put(dist, host.files(table));
  put(`${dist}.hosts`, host.beside?.(table) ?? []);
}
