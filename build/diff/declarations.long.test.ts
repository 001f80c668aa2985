import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../test/cli/run-command.ts";

let folder: string;

/** Nothing of the user's own configuration counts. */
const environment = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function git(...args: readonly string[]): void {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { status, stderr } = spawnSync("git", ["-C", folder, ...author, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  expect({ status, stderr }, args.join(" ")).toMatchObject({ status: 0 });
}

interface Printed {
  readonly code: string;
  readonly text: string;
}

const textsOf = (messages: readonly Printed[]): readonly string[] => messages.map(({ text }) => text);

const aboutCursors = (messages: readonly Printed[]): readonly Printed[] =>
  messages.filter(({ code }) => code === "cursors-restart");

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};

interface Declared {
  readonly fields?: string;
  readonly options?: string;
  readonly base?: string;
  readonly pages?: string;
}

const fields = "id: slug, code: slug, size: z.enum(sizes), big: z.boolean(), area: z.int().nullable()";
const filters = 'filters: { size: "size", big: "big" }, together: [["size", "big"]],';

const declare = ({
  fields: declared = fields,
  options = `key: "id", ${filters}`,
  base = "/v1",
  pages = "{}",
}: Declared = {}): void =>
  write(
    "api.config.ts",
    `import * as z from "zod";
     import { defineApi, defineCollection } from "stillapi";
     import { slug } from "stillapi/forms";
     import { sizes } from "./lib/sizes.ts";
     const cities = defineCollection({ purpose: "Cities.", schema: z.strictObject({ ${declared} }), ${options} });
     export default defineApi({ base: "${base}", collections: { cities }, pages: ${pages} });`,
  );

const city = (more: object = {}) => ({ id: "bonn", code: "bn", size: "small", big: false, area: 141, ...more });

/** A repository with one commit, which each test copies: git takes longer than most tests. */
let repository: string;

beforeAll(() => {
  repository = mkdtempSync(path.join(tmpdir(), "stillapi-repository-"));
  folder = repository;
  declare();
  write("lib/sizes.ts", 'import { sizes as all } from "sizes"; export const sizes: [string, string] = all;');
  write("node_modules/sizes/index.js", 'export const sizes = ["small", "large"];');
  write("node_modules/sizes/package.json", '{ "type": "module", "exports": "./index.js" }');
  write(".gitignore", "node_modules\n");
  write("content/deployments/edge.json", '{ "operations": ["cities"] }');
  write("content/cities.json", JSON.stringify([city()]));
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "First");
  return () => rmSync(repository, { recursive: true });
});

beforeEach(() => {
  const copy = mkdtempSync(path.join(tmpdir(), "stillapi-declarations-"));
  cpSync(repository, copy, { recursive: true, preserveTimestamps: true });
  folder = copy;
  return () => rmSync(copy, { recursive: true });
});

const diff = (...more: readonly string[]) =>
  run(
    ["diff", "--content", path.join(folder, "content"), "--config", path.join(folder, "api.config.ts"), ...more],
    environment,
  );

async function differenceOf(...more: readonly string[]) {
  const { status, stdout, stderr } = await diff("--format", "json", ...more);
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  const { apis, ...data } = JSON.parse(stdout);
  return { ...data, ...apis[0] };
}

async function breaking(...more: readonly string[]): Promise<readonly string[]> {
  const difference = await differenceOf(...more);
  return difference.breaking.map((change: { code: string; message: string }) => `${change.code} ${change.message}`);
}

it.each<[string, Declared, object, ...string[]]>([
  ["nothing", {}, {}],
  [
    "a removed field",
    { fields: fields.replace("code: slug, ", "") },
    { code: undefined },
    "field-removed /v1/cities no longer has these fields: code. It had not been deprecated.",
  ],
  [
    "an optional field",
    { fields: fields.replace("code: slug", "code: slug.optional()") },
    {},
    "field-optional /v1/cities may lack these fields: code.",
  ],
  [
    "a field of another type",
    { fields: fields.replace("z.int()", "z.string()") },
    { area: "1" },
    "field-widened /v1/cities may have other values in these fields than before: area.",
  ],
  [
    "a removed filter",
    { options: 'key: "id", filters: { size: "size" }' },
    {},
    "filter-removed /v1/cities ignores the parameter big. It had not been deprecated.",
  ],
  [
    "parameters that are alone",
    { options: 'key: "id", filters: { size: "size", big: "big" }' },
    {},
    "combination-removed /v1/cities answers with 400 if these are sent together: big+size.",
  ],
  [
    "a list without pages",
    { options: `key: "id", paged: false, ${filters}` },
    {},
    "paging-changed /v1/cities is no longer paged: it returns all items, ignores limit and cursor, and has no pagination.",
  ],
  [
    "another order",
    { options: `key: "id", order: ["code"], ${filters}` },
    {},
    "order-changed /v1/cities is ordered by code in place of the key: its cursors expire.",
  ],
  [
    "another key",
    { options: `key: "code", ${filters}` },
    {},
    "key-changed The items of /v1/cities are named by code in place of id.",
  ],
  [
    "lists in brief",
    { options: `key: "id", brief: ["id", "size"], item: true, ${filters}` },
    {},
    "field-removed The lists at /v1/cities no longer have these fields; single items have them: code, big, area.",
  ],
  [
    "another base",
    { base: "/v2" },
    {},
    "base-changed Every path starts with /v2 in place of /v1: the former paths are answered with 404.",
  ],
])("reports %s against the declaration of the commit", async (_, declared, more, ...expected) => {
  declare(declared);
  write("content/cities.json", JSON.stringify([city(more)]));
  expect(await breaking()).toEqual(expected);
});

it.each<[string, Declared, object, ...object[]]>([
  [
    "other and further fields",
    {
      fields: `id: slug, code: slug, size: z.literal("small"), big: z.boolean(), area: z.record(z.string(), z.strictObject({ x: z.int() })),
        note: z.looseObject({}).optional(), at: z.array(z.strictObject({ x: z.int().nullable() }))`,
    },
    { area: { a: { x: 1 } }, at: [] },
    { field: "cities.fields.size", before: "small or large", after: "small" },
    { field: "cities.fields.area", before: "integer or null", after: "object" },
    { field: "cities.fields.area.*", after: "object" },
    { field: "cities.fields.area.*.x", after: "integer" },
    { field: "cities.fields.note", after: "object with other fields, optional" },
    { field: "cities.fields.at", after: "array" },
    { field: "cities.fields.at[]", after: "object" },
    { field: "cities.fields.at[].x", after: "integer or null" },
  ],
  [
    "another filter, and what goes together",
    { options: 'key: "id", filters: { size: "size", big: "big", code: "code" }, together: [["big", "code"]]' },
    {},
    { field: "cities.filters.code", after: "code" },
    { field: "cities.together[]", before: "big+size" },
    { field: "cities.together[]", after: "big+code" },
  ],
  [
    "another cache, and single items",
    { options: `key: "id", ${filters} cache: "public, max-age=5", item: { aliases: "code" }` },
    {},
    { field: "cities.cache", before: expect.any(String), after: "public, max-age=5" },
    { field: "cities.items", before: "only listed", after: "by key or code" },
  ],
  [
    "fields that only single items have",
    {
      fields: `id: slug, code: slug, size: z.enum(["small", "large"]), big: z.boolean(), area: z.int().nullable(), note: z.string().optional()`,
      options: `key: "id", brief: ["id", "code", "size", "big"], item: true, ${filters}`,
    },
    {},
    { field: "cities.fields.area", before: "integer or null", after: "integer or null, only in single items" },
    { field: "cities.fields.note", after: "string, optional, only in single items" },
    { field: "cities.items", before: "only listed", after: "by key" },
  ],
])("lists %s among the changes of the declaration", async (_, declared, more, ...expected) => {
  declare(declared);
  write("content/cities.json", JSON.stringify([city(more)]));
  expect((await differenceOf()).declaration).toEqual(expected);
  expect((await diff()).stdout).toMatch(/^declaration\n {2}[+~−] cities\./m);
});

const withItems = `key: "id", ${filters} item: { aliases: "code" }`;

it.each<[string, Declared, object, ...string[]]>([
  [
    "items that can only be listed",
    { options: `key: "id", ${filters}` },
    {},
    "item-removed /v1/cities/KEY is answered with 404: items can only be listed.",
  ],
  [
    "items without other names",
    { options: `key: "id", ${filters} item: true` },
    {},
    "item-removed /v1/cities/KEY is answered with 404 if it names an item by code.",
  ],
  [
    "an alias that is gone",
    { options: withItems },
    { code: "bnn" },
    "item-removed /v1/cities/KEY is answered with 404 for these aliases: bn.",
  ],
  [
    "an item that is gone",
    { options: withItems },
    { id: "bern" },
    "item-removed 1 item of cities is gone from /v1/cities, and answered with 404 at /v1/cities/KEY: bonn.",
    "item-removed /v1/cities/KEY is answered with another item for these aliases: bn.",
  ],
])("reports %s, which were single items in the commit", async (_, declared, more, ...expected) => {
  declare({ options: withItems });
  git("commit", "--quiet", "--all", "--message", "Items");
  declare(declared);
  write("content/cities.json", JSON.stringify([city(more)]));
  expect(await breaking()).toEqual(expected);
});

it.each<[string, readonly object[], readonly object[], ...string[]]>([
  ["a renamed item whose former key is an alias", [{ id: "old" }], [{ id: "new", formerly: ["old"] }]],
  ["a second renaming", [{ id: "new", formerly: ["old"] }], [{ id: "newest", formerly: ["new", "old"] }]],
  ["a renaming that is taken back", [{ id: "new", formerly: ["old"] }], [{ id: "old", formerly: ["new"] }]],
  [
    "an alias that moves to another item",
    [{ id: "a", formerly: ["x"] }, { id: "b" }],
    [{ id: "a" }, { id: "b", formerly: ["x"] }],
    "item-removed /v1/towns/KEY is answered with another item for these aliases: x.",
  ],
  [
    "an alias that an added item claims too",
    [{ id: "a", formerly: ["x"] }],
    [
      { id: "a", formerly: ["x"] },
      { id: "b", formerly: ["x"] },
    ],
    "item-removed /v1/towns/KEY is answered with 404 for these aliases: x.",
  ],
  [
    "a renamed item that has lost its alias, whatever other fields say",
    [{ id: "new", formerly: ["old"], note: "" }],
    [{ id: "newest", formerly: ["new"], note: "old" }],
    "item-removed /v1/towns/KEY is answered with 404 for these aliases: old.",
  ],
  [
    "a removed item with its alias",
    [{ id: "new", formerly: ["old"] }, { id: "other" }],
    [{ id: "other" }],
    "item-removed 1 item of towns is gone from /v1/towns, and answered with 404 at /v1/towns/KEY: new.",
    "item-removed /v1/towns/KEY is answered with 404 for these aliases: old.",
  ],
])(
  "reports of %s what is no longer answered with its item, and nothing else",
  async (_, before, after, ...expected) => {
    write(
      "api.config.ts",
      `import * as z from "zod";
     import { defineApi, defineCollection } from "stillapi";
     import { slug } from "stillapi/forms";
     const schema = z.strictObject({ id: slug, formerly: z.array(slug).default([]), note: z.string().default("") });
     const towns = defineCollection({ purpose: "Towns.", schema, key: "id", item: { aliases: { field: "formerly", repeated: "warn" } } });
     export default defineApi({ base: "/v1", collections: { towns } });`,
    );
    rmSync(path.join(folder, "content"), { recursive: true });
    write("content/towns.json", JSON.stringify(before));
    git("add", "--all");
    git("commit", "--quiet", "--message", "Towns");
    write("content/towns.json", JSON.stringify(after));
    expect(await breaking()).toEqual(expected);
  },
);

describe("says of existing cursors what a build after the published one says", () => {
  const goOn = "existing cursors of cities only work if a page of the new build starts at their position.";
  const stop = "existing cursors of cities stop working.";
  const pages = (out: string): readonly string[] =>
    readdirSync(path.join(folder, out, "v1/cities/cursor")).filter((file) => file.endsWith(".json"));
  const three = ["bonn", "kiel", "ulm"].map((id, index) => city({ id, code: `c${9 - index}` }));

  it.each<[string, Declared, readonly object[], readonly string[]]>([
    ["nothing", {}, three, []],
    [
      "another filter",
      { options: 'key: "id", filters: { size: "size", big: "big", code: "code" }, together: [["size", "big"]]' },
      three,
      [`The filters of cities have changed, so earlier pages are not kept: ${goOn}`],
    ],
    [
      "another order",
      { options: `key: "id", order: ["code"], ${filters}` },
      three,
      [`The order of cities has changed, so earlier pages are not kept: ${stop}`],
    ],
    [
      "a key of another name with the same values",
      { options: `key: "code", ${filters}` },
      three.map((item) => ({ ...item, code: item.id })),
      [`The key and order of cities have changed, so earlier pages are not kept: ${stop}`],
    ],
  ])("%s", async (_, declared, after, warnings) => {
    const place = ["--content", path.join(folder, "content"), "--config", path.join(folder, "api.config.ts")];
    const build = async (out: string, previous: string): Promise<readonly Printed[]> => {
      const args = [...place, "--out", path.join(folder, out), "--previous", previous, "--format", "json"];
      return aboutCursors(JSON.parse((await run(["build", ...args], environment)).stdout).messages);
    };
    write("content/cities.json", JSON.stringify(three));
    git("commit", "--quiet", "--all", "--message", "Three");
    expect(await build("first", "none")).toEqual([]);
    declare(declared);
    write("content/cities.json", JSON.stringify(after));
    const { messages } = await differenceOf();
    expect(textsOf(messages)).toEqual(warnings);
    expect(await build("second", path.join(folder, "first"))).toEqual(messages);
    const left = pages("first").filter((file) => pages("second").includes(file));
    expect(left).toHaveLength(warnings.some((warning) => warning.endsWith(stop)) ? 0 : 2);
    const { messages: ofPublished } = await differenceOf("--against", path.join(folder, "first"));
    expect(textsOf(aboutCursors(ofPublished))).toEqual(warnings);
  });
});

it("says of the cursors of each order the same against a build as against a commit", async () => {
  const orders = 'orders: { far: ["area"] }';
  const place = ["--content", path.join(folder, "content"), "--config", path.join(folder, "api.config.ts")];
  declare({ options: `key: "id", ${filters} ${orders}` });
  git("commit", "--all", "--quiet", "--message", "Orders");
  await run(["build", ...place, "--out", path.join(folder, "ordered"), "--previous", "none"], environment);
  declare({ options: `key: "code", filters: { code: "code" }, ${orders}` });
  const { messages } = await differenceOf("--against", path.join(folder, "ordered"));
  expect(textsOf(aboutCursors(messages))).toEqual([
    expect.stringMatching(/^The key, order and filters of cities have changed, .* existing cursors of cities stop/),
    expect.stringMatching(/^The key, order and filters of cities\?sort=far have changed, .* stop working\.$/),
  ]);
  expect((await differenceOf()).messages).toEqual(messages);
});

it("names the further orders that are gone, or that sort by something else", async () => {
  const ordered = (orders: string): void => declare({ options: `key: "id", ${filters} ${orders}` });
  ordered('orders: { largest: ["-area"], far: ["area", "code"], code: ["code"] }');
  git("commit", "--all", "--quiet", "--message", "Orders");
  ordered('orders: { largest: ["-area", "code"], far: [{ field: "-code", natural: true }] }');
  expect(await breaking()).toEqual([
    "order-changed /v1/cities?sort=largest is ordered by -area, code in place of -area: its cursors expire.",
    "order-changed /v1/cities?sort=far is ordered by -code (natural) in place of area, code: its cursors expire.",
    "order-removed /v1/cities?sort=code is answered with 400. It had not been deprecated.",
  ]);
  declare();
  expect(await breaking()).toContain(
    "order-removed /v1/cities?sort=code ignores the parameter: the list is ordered by the key. It had not been deprecated.",
  );
});

it("says nothing of an order that stays while the key grows by its field", async () => {
  const keyed = (key: string): void =>
    declare({ options: `key: ${key}, order: ["size"], orders: { far: ["-area", "code"] }` });
  keyed('"id"');
  git("commit", "--all", "--quiet", "--message", "One field");
  keyed('["size", "id"]');
  expect(await breaking()).toEqual(["key-changed The items of /v1/cities are named by size, id in place of id."]);
});

it("names outputs that are new, changed or gone, and counts a removed one as breaking", async () => {
  const withOutputs = (outputs: string) => declare({ pages: `{}, outputs: { ${outputs} }` });
  withOutputs(`"a.txt": { render: () => "a" }, "/old/{id}.json": { each: "cities", render: () => "{}" }`);
  git("commit", "--quiet", "--all", "--message", "Outputs");
  withOutputs(`"a.txt": { cache: "no-store", render: () => "a" }, "b.txt": { render: () => "b" }`);
  const { breaking: broken, declaration, files } = await differenceOf();
  expect(broken).toEqual([
    {
      code: "output-removed",
      operations: [],
      message: "The output /old/{id}.json is removed: it is answered with 404. It had not been deprecated.",
      values: ["/old/{id}.json"],
    },
  ]);
  const json = { type: "application/json", cache: "public, max-age=300", each: "cities" };
  expect(declaration).toEqual([
    { field: "outputs./v1/a.txt.cache", before: "public, max-age=300", after: "no-store" },
    { field: "outputs./old/{id}.json", before: json },
    {
      field: "outputs./v1/b.txt",
      after: { type: "text/plain; charset=utf-8", cache: "public, max-age=300" },
    },
  ]);
  expect(files).toMatchObject({ added: { files: 1 }, removed: { files: 1 } });
  declare({ base: "/v2", pages: '{}, outputs: { "a.txt": { render: () => "a" } }' });
  expect((await breaking()).map((text) => text.split(" ")[0])).toEqual(["base-changed", "output-removed"]);
});

it("repeats no warning that the commit has, too", async () => {
  rmSync(path.join(folder, "content/cities.json"));
  declare({ options: `key: "id", files: "towns/*.json", ${filters}` });
  git("commit", "--quiet", "--all", "--message", "No towns");
  expect((await differenceOf()).messages).toEqual([]);
  const { messages } = await differenceOf("--against", "HEAD~1");
  expect(messages).toMatchObject([{ code: "empty-collection", text: expect.stringContaining("cities is empty") }]);
});

it("reads what the earlier declaration imported, and leaves nothing behind", async () => {
  write("lib/sizes.ts", 'export const sizes = ["small"];');
  const before = readdirSync(folder);
  expect(await breaking()).toEqual([
    "value-removed /v1/cities answers with 400 to these values, which were accepted: size=large.",
  ]);
  expect(readdirSync(folder)).toEqual(before);
});

it("names a file that the commit lacks by its path in the commit", async () => {
  write(".gitignore", "node_modules\nlib/sizes.json\n");
  write("lib/sizes.json", '["small", "large"]');
  write(
    "lib/sizes.ts",
    `import { readFileSync } from "node:fs"; import path from "node:path";
     export const sizes = JSON.parse(readFileSync(path.join(import.meta.dirname, "sizes.json"), "utf8"));`,
  );
  git("add", ".");
  git("commit", "--quiet", "--message", "Ignored");
  expect((await diff()).stderr).toBe(
    "HEAD:lib/sizes.ts:2:38 throws This fails: ENOENT: no such file or directory, open 'HEAD:lib/sizes.json'.\n✗ 1 fault in 1 file.\n",
  );
});

it("reads the declaration beside a folder, if there is one", async () => {
  for (const entry of ["api.config.ts", "lib", "content"]) {
    cpSync(path.join(folder, entry), path.join(folder, "earlier", entry), { recursive: true });
  }
  declare({ base: "/v2" });
  const against = ["--against", path.join(folder, "earlier", "content")];
  expect(await breaking(...against)).toEqual([expect.stringMatching(/^base-changed /)]);
  rmSync(path.join(folder, "earlier", "api.config.ts"));
  expect(await breaking(...against)).toEqual([]);
});

describe("items that a function loads", () => {
  const load = (size: number) =>
    declare({ options: `key: "id", ${filters} load: () => [${JSON.stringify(city({ area: size }))}]` });

  beforeEach(() => {
    rmSync(path.join(folder, "content/cities.json"));
    load(1);
    git("commit", "--quiet", "--all", "--message", "Loaded");
  });

  it("are named as not compared, and nothing says that they are unchanged", async () => {
    const note =
      "Not compared: cities; functions load their items, or items to which they refer, and HEAD \\(.{9}\\) does not contain the data of that time.";
    const same = await diff();
    expect(same.stdout.replaceAll(/\s+/g, " ")).toMatch(
      new RegExp(
        `^! HEAD .*: nothing changes in what is compared. ! ${note} The counts use today's items on both sides. $`,
      ),
    );
    const markdown = await diff("--format", "markdown");
    expect(markdown.stdout).toMatch("### Nothing changes in what is compared\n\n`HEAD");
    expect(markdown.stdout).toMatch("\n\n:warning: Not compared: cities; ");
    load(2);
    declare({ options: `key: "id", ${filters} cache: "no-store", load: () => []` });
    const { stdout } = await diff();
    expect(stdout).not.toContain("✓");
    expect(stdout).toContain("\n! No breaking changes for consumers in what is compared.\n");
    const data = await differenceOf();
    expect(data).toMatchObject({ uncompared: ["cities"], breaking: [], items: {} });
  });

  it("are not compared in another collection that is made from them either", async () => {
    const makeTowns = (area: number) =>
      write(
        "api.config.ts",
        `import * as z from "zod";
         import { defineApi, defineCollection, from } from "stillapi";
         import { slug } from "stillapi/forms";
         const schema = z.strictObject({ id: slug, area: z.int() });
         const cities = defineCollection({ purpose: "Cities.", schema, key: "id", load: () => [{ id: "bonn", area: ${area} }] });
         const towns = defineCollection({ purpose: "Towns.", schema, key: "id", ...from(cities, (city) => [city]) });
         export default defineApi({ base: "/v1", collections: { cities, towns } });`,
      );
    write("content/deployments/edge.json", '{ "operations": ["cities", "towns"] }');
    makeTowns(1);
    git("add", ".");
    git("commit", "--quiet", "--message", "Towns");
    makeTowns(2);
    expect(await differenceOf()).toMatchObject({ uncompared: ["cities", "towns"], items: {}, breaking: [] });
  });

  it("are not compared in collections whose references become their keys, and other references to them are", async () => {
    const declareGroups = (purpose: string) =>
      write(
        "api.config.ts",
        `import * as z from "zod";
         import { defineApi, defineCollection, reference } from "stillapi";
         import { slug } from "stillapi/forms";
         const groups = defineCollection({
           purpose: "${purpose}",
           schema: z.strictObject({ id: slug, number: z.int() }),
           key: "id",
           load: () => [{ id: "one", number: 1 }],
         });
         const nodes = defineCollection({
           purpose: "Nodes.",
           schema: z.strictObject({ id: slug, group: reference("groups", { by: "number" }) }),
           key: "id",
         });
         const links = defineCollection({
           purpose: "Links.",
           schema: z.strictObject({ id: slug, group: reference("groups") }),
           key: "id",
         });
         export default defineApi({ base: "/v1", collections: { groups, nodes, links } });`,
      );
    write("content/deployments/edge.json", '{ "operations": ["groups", "nodes", "links"] }');
    write("content/nodes.json", '[{ "id": "a", "group": 1 }]');
    write("content/links.json", '[{ "id": "a", "group": "one" }]');
    declareGroups("Groups.");
    git("add", ".");
    git("commit", "--quiet", "--message", "Groups");
    declareGroups("All groups.");
    expect(await differenceOf()).toMatchObject({ uncompared: ["groups", "nodes"], items: {}, breaking: [] });
  });

  it("are compared if today's are in files and the former ones were too", async () => {
    declare();
    write("content/cities.json", JSON.stringify([city()]));
    git("add", ".");
    git("commit", "--quiet", "--message", "In files");
    load(2);
    rmSync(path.join(folder, "content/cities.json"));
    const data = await differenceOf();
    expect(data.items.cities.changes).toEqual([
      { kind: "changed", key: "bonn", fields: [{ field: "area", before: 141, after: 2 }] },
    ]);
  });
});

it("says which it took if a folder has the name of a branch", async () => {
  git("branch", "earlier");
  cpSync(path.join(folder, "content"), path.join(folder, "earlier"), { recursive: true });
  const workingFolder = process.cwd();
  process.chdir(folder);
  try {
    expect((await diff("--against", "earlier")).stdout).toMatch(/^✓ the folder earlier → /);
    expect((await diff("--against", "heads/earlier")).stdout).toMatch(/^✓ heads\/earlier \(.{9}\) → /);
  } finally {
    process.chdir(workingFolder);
  }
});

it.each<[string, () => void, string]>([
  ["the declaration", () => declare({ options: 'key: "idd"' }), "HEAD:api.config.ts:5:"],
  ["the content", () => write("content/cities.json", "[{}]"), "HEAD:content/cities.json:1:"],
  ["a deployment", () => write("content/deployments/edge.json", "{}"), "HEAD:content/deployments/edge.json:1:"],
  [
    "a page",
    () => declare({ pages: '{ "docs/x": { title: "X", render: () => { throw new Error("No luck."); } } }' }),
    "HEAD:api.config.ts:",
  ],
])("ends with the faults of the earlier side: in %s", async (_, spoil, place) => {
  spoil();
  git("commit", "--quiet", "--all", "--message", "Wrong");
  declare();
  write("content/cities.json", JSON.stringify([city()]));
  write("content/deployments/edge.json", '{ "operations": ["cities"] }');
  const { status, stdout, stderr } = await diff();
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(place);
  const data = await diff("--format", "json");
  expect(JSON.parse(data.stdout).messages[0].file).toBe(place.replace(/:\d*:?$/, ""));
});
