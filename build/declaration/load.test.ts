import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { openedWithErrors } from "../../test/plan.ts";

let folder: string;

/** Each test has a folder, because Node caches which packages a folder has. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "stillapi-declaration-"));
  return () => rmSync(folder, { recursive: true });
});

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};

const config = (purpose: string, imports = "") => `import * as z from "zod";
import { defineApi, defineCollection } from "stillapi";
import { slug } from "stillapi/forms";
${imports}
const things = defineCollection({ purpose: ${purpose}, schema: z.strictObject({ id: slug }), key: "id" });
export default defineApi({ base: "/v2", collections: { things } });
`;

async function purposeOf(options: { readonly config?: string } = {}): Promise<unknown> {
  const { declaration, errors } = await openedWithErrors({ folder, ...options });
  return declaration.api?.operations[0]?.purpose ?? errors;
}

it("is built from what is there: modules, data that package.json names, and installed packages", async () => {
  write("package.json", '{ "imports": { "#data/*": "./data/*" } }');
  write("data/a.txt", "First");
  write("purpose.ts", 'export const purpose: string = "first";');
  write("node_modules/common/package.json", '{ "main": "one.js" }');
  write("node_modules/common/one.js", 'module.exports = "one";');
  write("node_modules/common/two.js", 'module.exports = "two";');
  const imports =
    'import text from "#data/a.txt"; import { purpose } from "./purpose.ts"; import common from "common";';
  write("api.config.ts", config('[text, purpose, common].join(" ")', imports));
  expect(await purposeOf()).toBe("First first one");
  write("data/a.txt", "Second");
  expect(await purposeOf()).toBe("Second first one");
  write("purpose.ts", 'export const purpose: string = "second";');
  expect(await purposeOf()).toBe("Second second one");
  write("node_modules/common/package.json", '{ "main": "two.js" }');
  expect(await purposeOf()).toBe("Second second two");
});

it("finds the places of mistakes in the modules that are imported", async () => {
  write("api.config.ts", config('""', "\n\n"));
  expect(await purposeOf()).toMatchObject([
    { place: { file: "api.config.ts", line: 7, column: 44 }, code: "wrong-option" },
  ]);
  write("lib/things.ts", config('""'));
  write("api.config.ts", 'export { default } from "./lib/things.ts";');
  expect(await purposeOf()).toMatchObject([{ place: { file: "lib/things.ts", line: 5, column: 44 } }]);
});

it("parses a module once to find the places of all its mistakes", async () => {
  const parser: typeof import("@babel/parser") = createRequire(import.meta.url)("@babel/parser");
  const parse = vi.spyOn(parser, "parse");
  onTestFinished(() => parse.mockRestore());
  write("lib/things.ts", config('""').replaceAll(", key:", ", kee:"));
  write("api.config.ts", 'export { default } from "./lib/things.ts";');
  expect(await purposeOf()).toMatchObject([
    { place: { column: 44 }, code: "wrong-option" },
    { place: { column: 86 }, code: "unknown-option" },
  ]);
  expect(parse).toHaveBeenCalledTimes(1);
});

it("finds the call of a mistake in a module with syntax that only the bundler knows", async () => {
  write("things.tsx", `${config('""')}\nexport const view = () => <b>Things</b>;`);
  write("api.config.ts", 'export { default } from "./things.tsx";');
  expect(await purposeOf()).toMatchObject([
    { place: { file: "things.tsx", line: 5, column: 16 }, code: "wrong-option" },
  ]);
});

it("reports a promise of the declaration that rejects, and nothing of it later", async () => {
  write("api.config.ts", `${config('"X."')}\nasync function look() { throw new Error("No luck."); }\nlook();`);
  expect(await purposeOf()).toMatchObject([
    { place: { line: 8, column: 31 }, code: "throws", text: "This fails: No luck." },
  ]);
});

it("names the modules to watch, also if one of them is missing or wrong", async () => {
  const files = async () => {
    const { declaration } = await openedWithErrors({ folder });
    return declaration.files.map((file) => path.relative(folder, file)).sort();
  };
  write("api.config.ts", config("purpose", 'import { purpose } from "./purpose.ts";'));
  expect(await files()).toEqual(["api.config.ts", "purpose.ts"]);
  write("purpose.ts", "export const purpose = ;");
  expect(await files()).toEqual(["api.config.ts", "purpose.ts"]);
  write("purpose.ts", 'export const purpose = "Right.";');
  expect(await files()).toEqual(["api.config.ts", "purpose.ts"]);
  expect(await purposeOf()).toBe("Right.");
});

it("imports packages of modules and of data, and knows where a module is", async () => {
  write("node_modules/data-package/package.json", '{ "type": "module", "exports": "./index.js" }');
  write("node_modules/data-package/index.js", 'import data from "./data.json"; export const purpose = data.purpose;');
  write("node_modules/data-package/data.json", '{ "purpose": "Of data" }');
  write("node_modules/common/index.js", "module.exports = require('./package.json').version;");
  write("node_modules/common/package.json", '{ "version": "5" }');
  write("lib/text.txt", "beside");
  write(
    "lib/read.ts",
    `import { readFileSync } from "node:fs";
     import path from "node:path";
     const __dirname = path.dirname(new URL(import.meta.url).pathname);
     export const text = readFileSync(path.join(__dirname, "text.txt"), "utf8");`,
  );
  const imports =
    'import { purpose } from "data-package"; import version from "common"; import { text } from "./lib/read.ts";';
  write("api.config.ts", config('[purpose, version, text].join(" ")', imports));
  expect(await purposeOf()).toBe("Of data 5 beside");
});

it("evaluates JavaScript, a file of another name, and CommonJS", async () => {
  write("api.config.mjs", config('"Of mjs."'));
  write("other/config.mts", config('"Of another."'));
  write(
    "common.cjs",
    `const { defineApi, defineCollection } = require("stillapi"); const z = require("zod/v4");
     module.exports = defineApi({ collections: { a: defineCollection({ purpose: "Of CommonJS.", schema: z.object({ b: z.string() }), key: "b" }) } });`,
  );
  expect(await purposeOf()).toBe("Of mjs.");
  expect(await purposeOf({ config: "other/config.mts" })).toBe("Of another.");
  expect(await purposeOf({ config: "common.cjs" })).toBe("Of CommonJS.");
  await expect(purposeOf({ config: "no.ts" })).rejects.toThrow("There is no file no.ts.");
});

it("says that there is no declaration, and how to get one", async () => {
  await expect(purposeOf()).rejects.toMatchObject({
    message: "There is no declaration of an API here: api.config.ts.",
    hint: expect.stringMatching(/stillapi init .* export \{ default \} from "stillapi\/edge-network";$/),
  });
});

it("supplies the API of the Edge Network, and its collections for declarations of one's own", async () => {
  const names = async () => {
    const { declaration } = await openedWithErrors({ folder });
    return declaration.api?.operations.map(({ name }) => name);
  };
  write("api.config.ts", 'export { default } from "stillapi/edge-network";');
  expect(await names()).toEqual(["records", "nodes", "regions", "images", "schema", "status"]);
  write(
    "api.config.ts",
    `import * as z from "zod";
     import { defineApi, extend } from "stillapi";
     import { nodes, regions } from "stillapi/edge-network";
     export default defineApi({ collections: { nodes: extend(nodes, { fields: { vendor: z.string() } }), regions } });`,
  );
  expect(await names()).toEqual(["nodes", "regions"]);
});

it("names the line at which a function of the declaration fails", async () => {
  write(
    "api.config.ts",
    `import * as z from "zod";
import { defineApi, defineCollection, from } from "stillapi";
import { slug } from "stillapi/forms";
const base = { purpose: "X.", schema: z.strictObject({ id: slug }), key: "id" } as const;
const things = defineCollection({
  ...base,
  transform: (raw: any) =>
    raw.id === 1 ? raw.a.b : raw.id === 2 ? (async () => raw)() : { id: "c" },
});
const parts = defineCollection({ ...base, ...from(things, ({ id }) => id === "a" ? (5 as any) : [JSON.parse(id)]) });
export default defineApi({ collections: { things, parts } });
`,
  );
  const { declaration, errors } = await openedWithErrors({ folder });
  expect(errors).toEqual([]);
  const [list, made] = declaration.api?.lists ?? [];
  const context = {
    file: "a.csv",
    name: "a",
    index: 0,
    body: undefined,
    member: undefined,
    facts: () => expect.fail(),
  };
  const told = (result: unknown) => {
    if (!(result instanceof Failure)) return result;
    const { file, line, column } = result.place;
    return `${file}:${line}:${column} ${result.text}`;
  };
  expect([1, 2, 3].map((id) => told(list?.transform?.({ id }, context)))).toEqual([
    "api.config.ts:8:26 Cannot read properties of undefined (reading 'b').",
    "api.config.ts:7:3 transform returned a promise, not an item.",
    { id: "c" },
  ]);
  const make = made?.source.kind === "from" ? made.source.make : undefined;
  expect(["a", "{"].map((id) => told(typeof make === "function" && make({ id }, "things")))).toEqual([
    "api.config.ts:10:46 The function of from returned no list of items.",
    expect.stringMatching(/^api.config.ts:10:103 Expected property name/),
  ]);
});

it("gives a transform the day of the build", async () => {
  write("api.config.ts", config('"X."').replace('key: "id"', 'key: "id", transform: (_, { date }) => ({ id: date })'));
  const { declaration } = await openedWithErrors({ folder });
  const today = () =>
    declaration.api?.lists[0]?.transform?.(
      {},
      { file: "a.csv", name: "a", index: 0, body: undefined, member: undefined, facts: () => expect.fail() },
    );
  expect(today()).toEqual({ id: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) });
  vi.stubEnv("SOURCE_DATE_EPOCH", "86400");
  expect(today()).toEqual({ id: "1970-01-02" });
  vi.unstubAllEnvs();
});
