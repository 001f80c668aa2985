// Collections with several filters, each alone or with those that go together. test/conformance/hosts.server.test.ts sends such
// requests to every host.
import { describe, expect, it } from "vitest";
import { type Collection, tableOf } from "../../test/hosts/filter-table.ts";
import { mayCombine, subsets } from "./params.ts";
import { resolve, settle } from "./resolve.ts";
import type { RoutingTable } from "./table.ts";

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
    const messages = small.operations.flatMap(({ name, filters }) =>
      filters.flatMap(({ conflict }) => (conflict === undefined ? [] : [`${name}: ${conflict.body.message}`])),
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

/** The pages of a table's operations: each filter has one known value. */
const pagesOf = ({ operations }: RoutingTable): readonly string[] =>
  operations.flatMap((operation) => {
    const filters = subsets(operation.filters).filter((chosen) => mayCombine(operation, chosen));
    return filters.flatMap((chosen) =>
      ["", ...(operation.limit ? ["/limit/5"] : [])].flatMap((limit) =>
        ["", ...(operation.cursor ? [`/cursor/${cursor}`] : [])].map((position) => {
          const parts = chosen.map(({ name }) => `/${name}/us`).join("");
          return `api/v1/${operation.name}${parts}${limit}${position}.json`;
        }),
      ),
    );
  });
