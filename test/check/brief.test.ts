// Lists in brief, and dumps.
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { productsApi, someProducts, writeProducts } from "../content/products.ts";
import { temporaryFolder } from "../temporary.ts";
import { type Built, buildForTest } from "./built.ts";

const folder = temporaryFolder();
const out = path.join(folder, "dist");
let built: Built;

beforeAll(async () => {
  writeProducts(path.join(folder, "content"));
  built = await buildForTest(path.join(folder, "content"), out, [], productsApi);
});

const textOf = (file: string): string => readFileSync(path.join(out, "api/v1", file), "utf8");

const data = (file: string): unknown => JSON.parse(textOf(file)).data;

const [nodejs, go, ubuntu] = someProducts.products;

it("gives the named fields in the order of the schema, in pages, filtered lists and lists without pages", () => {
  const brief = ({ name, label, tags }: { name: string; label: string; tags: readonly string[] }) => ({
    name,
    label,
    tags,
  });
  expect(JSON.stringify(data("products.json"))).toBe(JSON.stringify([go, nodejs, ubuntu].map(brief)));
  expect(data("products/category/operating-system.json")).toEqual([nodejs, ubuntu].map(brief));
  expect(data("products/link/docs/limit/1.json")).toEqual([brief(nodejs)]);
  expect(JSON.stringify(data("releases.json"))).toBe(
    JSON.stringify([
      { product: "nodejs", name: "22", released: "2024-04-24" },
      { product: "nodejs", name: "20", released: "2023-04-18" },
      { product: "ubuntu", name: "20", released: "2020-04-23" },
    ]),
  );
});

it("gives all fields in dumps", () => {
  const lines = textOf("dumps/products.ndjson").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([go, nodejs, ubuntu]);
});

it("keeps the items twice only if lists are in brief", () => {
  const { items } = built.plan.catalog;
  expect([...items].map(([name, { whole }]) => [name, whole !== undefined])).toEqual([
    ["products", true],
    ["releases", true],
    ["builds", false],
  ]);
});
