import { expect, it } from "vitest";
import { everyPageSize, type PageSizes, type PagingKind } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { deletionsIn } from "./deletion.ts";
import { type ApiPlan, planApi } from "./pages.ts";

const operation = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
if (operation === undefined) throw new Error("No paged operation has a filter.");
const { name, resource, order } = operation;

const itemsWith = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, index) => {
    const time = new Date(1.7e12 + index * 1_000).toISOString().replace(".000", "");
    const times = order.filter(({ field }) => field.endsWith("_at")).map(({ field }) => [field, time]);
    const key = `${resource.example[resource.key]}`.replace(/\d+$/, String(index).padStart(6, "0"));
    return { ...resource.example, ...Object.fromEntries(times), [resource.key]: key };
  });

function planOf(items: readonly Item[], kind: PagingKind, sizes: PageSizes): ApiPlan {
  const settings = { ...noSettings, pageSizes: new Map([[name, sizes]]), paging: new Map([[name, kind]]) };
  const deployment = { name: "edge", operations: [name], documents: new Map() };
  return planApi(
    { api: edgeNetwork, items: catalogItems({ [name]: items }), deployments: new Map(), settings },
    deployment,
  );
}

/** By file. */
const pagesOf = ({ files }: ApiPlan): ReadonlyMap<string, string> =>
  new Map(
    [...files()]
      .map((file) => [file.file, Buffer.concat(file.parts()).toString()] as const)
      .filter(([, text]) => text.startsWith('{"object":"list"')),
  );

it.each<[PagingKind, number, PageSizes]>([
  ["exact", 1, [100]],
  ["exact", 250, [7, 50, 100]],
  ["exact", 90, everyPageSize],
  ["stable", 1, [100]],
  ["stable", 1_200, [1, 2, 7, 50, 100]],
  ["stable", 150, everyPageSize],
])("counts the pages that are other ones without the first item: %s, %i items", (kind, count, sizes) => {
  const items = itemsWith(count);
  const plan = planOf(items, kind, sizes);
  const [before, after] = [pagesOf(plan), pagesOf(planOf(items.slice(1), kind, sizes))];
  const changed = [...after].filter(([file, text]) => before.get(file) !== text).length;
  expect(deletionsIn(plan.listings, plan.cutsOf)).toEqual([
    { operation: name, paging: kind, pages: before.size, changed },
  ]);
});

it("includes stable paging if more than a thousand pages would change", () => {
  const items = itemsWith(400);
  const plan = planOf(items, "exact", everyPageSize);
  const [own] = deletionsIn(plan.listings, plan.cutsOf);
  const stable = planOf(items, "stable", everyPageSize);
  const [other] = deletionsIn(stable.listings, stable.cutsOf);
  expect(own?.changed).toBeGreaterThan(1_000);
  expect(own?.changedIfStable).toBe(other?.changed);
  expect(other?.changedIfStable).toBeUndefined();
});
