// What OpenAPI and the reference show of a request works: the examples of parameters are answered, alone and together. For the Edge
// Network, the declarations in examples/, and one whose names and types could go wrong.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openapi } from "../../build/documents/programs/openapi.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import { writeSample } from "../check/sample.ts";
import { typeCheck } from "../client/type-check.ts";
import { siteOf } from "../documents/source.ts";
import { openedWithErrors, planned, type TestPlan } from "../plan.ts";
import { temporaryFolder } from "../temporary.ts";

const root = temporaryFolder();

const hostile = `import * as z from "zod";
import { defineApi, defineCollection } from "stillapi";
import { slug } from "stillapi/forms";

const makers = defineCollection({ purpose: "Makers.", key: "n", schema: z.strictObject({ n: z.int(), name: z.string() }), item: true });
const things = defineCollection({
  purpose: "Things.",
  key: ["maker", "id"],
  schema: z.strictObject({
    maker: slug,
    id: z.int(),
    year: z.int(),
    level: z.literal([1, 2]),
    is_new: z.boolean(),
    kind: z.enum(["a", "b"]),
    at: z.tuple([z.number(), z.number()]),
  }),
  order: ["year"],
  filters: { year: "year", level: "level", "is-new": "is_new", kind: "kind", even: ({ id }) => id % 2 === 0 },
  together: [["year", "kind"]],
  item: true,
});
const few = defineCollection({ purpose: "Few.", key: "id", schema: z.strictObject({ id: slug, size: z.int() }), filters: { size: "size" } });
const old = defineCollection({ purpose: "Old.", key: "id", schema: z.strictObject({ id: slug, n: z.int() }), filters: { n: "n" }, paged: false });
export default defineApi({ base: "/v1.0/a-b", collections: { makers, "all-things": things, few, old } });
`;

function writeHostile(folder: string): void {
  const write = (name: string, items: readonly object[]) =>
    writeFileSync(path.join(folder, "content", `${name}.json`), JSON.stringify(items));
  mkdirSync(path.join(folder, "content"), { recursive: true });
  writeFileSync(path.join(folder, "api.config.ts"), hostile);
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  write("makers", [{ n: 1, name: "One" }]);
  write(
    "all-things",
    numbers.map((id) => ({
      maker: "m",
      id,
      year: 2020 + (id % 3),
      level: 1 + (id % 2),
      is_new: id % 4 === 0,
      kind: "a",
      at: [id, -id],
    })),
  );
  write("few", [
    { id: "x", size: 1 },
    { id: "y", size: 2 },
    { id: "z", size: 3 },
  ]);
  write("old", [{ id: "x", n: 1 }]);
}

interface Case {
  readonly name: string;
  /** The module whose default export is the declaration. */
  readonly config: string;
  readonly content: string;
}

const edgeModule = path.resolve("src/edge-network/index.ts");

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const cases: readonly Case[] = [
  { name: "the Edge Network", config: edgeModule, content: path.join(root, "edge") },
  {
    name: "names and types that could go wrong",
    config: path.join(root, "hostile/api.config.ts"),
    content: path.join(root, "hostile/content"),
  },
  ...examples.map((name) => ({
    name,
    config: path.resolve("examples", name, "api.config.ts"),
    content: path.join("examples", name, "content"),
  })),
];

writeSample(path.join(root, "edge"), { count: 12, pageSizes: [5, 100] });
writeHostile(path.join(root, "hostile"));

const plans = new Map<Case, Promise<TestPlan>>();

/** Each API is planned once. */
function planOf(one: Case): Promise<TestPlan> {
  const plan = plans.get(one) ?? openAndPlan(one);
  plans.set(one, plan);
  return plan;
}

async function openAndPlan({ config, content }: Case): Promise<TestPlan> {
  const options = { folder: path.dirname(config), config: path.basename(config) };
  const { declaration, errors } = await openedWithErrors(options);
  if (declaration.api === undefined) throw new Error(JSON.stringify(errors));
  return planned({ api: declaration.api, content });
}

describe.each(cases)("$name", (one) => {
  let plan: TestPlan;

  beforeAll(async () => {
    plan = await planOf(one);
  });

  it("answers the examples of its parameters, all together and some of them", () => {
    const { paths } = openapi(siteOf(plan));
    const isThere = (file: string) => plan.files.find(file) !== undefined;
    let sent = 0;
    for (const [template, { get }] of Object.entries(paths)) {
      const examples = get.parameters.filter(({ example }) => example !== undefined);
      const inPath = examples.filter((parameter) => parameter.in === "path");
      const target = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), template);
      for (const chosen of subsets(examples.filter((parameter) => parameter.in === "query"))) {
        const query = chosen.map(({ name, example }) => `${name}=${example}`).join("&");
        const { status } = settle(resolve(plan.table, { method: "GET", path: target, query }), isThere);
        expect({ target, query, status }).toEqual({ target, query, status: 200 });
        sent++;
      }
    }
    expect(sent).toBeGreaterThan(0);
  });

  it("has no list without items in its schemas where there is a tuple", () => {
    expect(JSON.stringify(openapi(siteOf(plan)))).not.toContain('"items":false');
  });
});

it("the examples give a client their types", () => {
  const files = ["client.ts", ...examples.map((name) => `${name}/api.config.ts`)];
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(path.join("examples", file), "utf8")]));
  expect(typeCheck({ ...texts, "hostile/api.config.ts": hostile }).errors).toEqual([]);
});

/** A cursor belongs to the listing of the filters: without one of them, it is of another one. */
function subsets<Parameter extends { readonly name: string }>(
  all: readonly Parameter[],
): readonly (readonly Parameter[])[] {
  const limit = all.filter(({ name }) => name === "limit");
  const cursor = all.filter(({ name }) => name === "cursor");
  const filters = all.filter((parameter) => !limit.includes(parameter) && !cursor.includes(parameter));
  return [all, [], filters, [...filters, ...limit], [...filters, ...cursor], limit];
}
