import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { DeclarationError } from "../diagnostics.ts";
import { openDeclaration } from "./declaration.ts";

let folder: string;
let cache: string;
let kept: string;

/** Each test has a folder, because Node caches which packages a folder has. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "stillapi-declaration-"));
  cache = path.join(folder, "cache");
  kept = path.join(cache, "declarations");
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
  const [{ api }, faults] = await openDeclaration({ folder, cache, ...options });
  return api?.operations[0]?.purpose ?? faults;
}

const states = () => readdirSync(kept).map((file) => [file, statSync(path.join(kept, file)).ino]);

it("evaluates the cached script until a module that the declaration imports has changed", async () => {
  write("api.config.ts", config("purpose", 'import { purpose } from "./purpose.ts";'));
  write("purpose.ts", 'export const purpose: string = "First.";');
  expect(await purposeOf()).toBe("First.");
  const first = states();
  expect(first).toHaveLength(1);
  expect(await purposeOf()).toBe("First.");
  expect(states()).toEqual(first);

  write("purpose.ts", 'export const purpose: string = "Later.";');
  expect(await purposeOf()).toBe("Later.");
  expect(states()).not.toEqual(first);
});

it("bundles again if the cache is damaged or cannot be written", async () => {
  write("api.config.ts", config('"Things."'));
  await purposeOf();
  for (const file of readdirSync(kept)) writeFileSync(path.join(kept, file), "torn");
  expect(await purposeOf()).toBe("Things.");
  for (const file of readdirSync(kept)) expect(statSync(path.join(kept, file)).size).toBeGreaterThan(100);
  rmSync(cache, { recursive: true });
  writeFileSync(cache, "a file in the folder's place");
  expect(await purposeOf()).toBe("Things.");
});

it("finds the places of mistakes also in a cached script", async () => {
  write("api.config.ts", config('""', "\n\n"));
  for (const _ of ["made", "cached"]) {
    expect(await purposeOf()).toMatchObject([{ file: "api.config.ts", line: 7, column: 44, code: "wrong-option" }]);
  }
  write("lib/things.ts", config('""'));
  write("api.config.ts", 'export { default } from "./lib/things.ts";');
  expect(await purposeOf()).toMatchObject([{ file: "lib/things.ts", line: 5, column: 44 }]);
});

it("names the modules to watch, also if one of them is missing or wrong", async () => {
  const files = async () => {
    const [opened] = await openDeclaration({ folder, cache });
    return opened.files.map((file) => path.relative(folder, file)).sort();
  };
  expect(await files()).toEqual(["api.config.js", "api.config.mjs", "api.config.mts", "api.config.ts"]);
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

it("uses the zod of the project only if it is newer than the program's", async () => {
  write("api.config.ts", config("String(z.marked)"));
  const zod = path.join(folder, "node_modules", "zod");
  cpSync("node_modules/zod", zod, { recursive: true, filter: (file) => !/\.(?:ts|cts|mts)$|\bsrc\b/.test(file) });
  writeFileSync(
    path.join(zod, "index.cjs"),
    `exports.marked = "Its own."; ${readFileSync(path.join(zod, "index.cjs"), "utf8")}`,
  );
  expect(await purposeOf()).toBe("undefined");
  const { major, minor } = z.core.version;
  write("node_modules/zod/package.json", `{ "version": "${major}.${minor + 1}.0", "main": "index.cjs" }`);
  expect(await purposeOf()).toBe("Its own.");
});

it("makes the Edge Network's API without a declaration", async () => {
  const [{ api, digest }] = await openDeclaration({ folder, cache });
  expect(api?.operations).toHaveLength(6);
  expect(digest).toBe("");
  write("api.config.ts", 'export { edgeNetwork as default } from "stillapi/edge-network";');
  const [declared, faults] = await openDeclaration({ folder, cache });
  expect(faults).toEqual([]);
  expect(declared.api?.operations.map(({ name }) => name)).toEqual(api?.operations.map(({ name }) => name));
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
    raw.id === 1 ? raw.a.b : raw.id === 2 ? (async () => raw)() : { id: Number.NaN },
});
const parts = defineCollection({ ...base, ...from(things, ({ id }) => id === "a" ? (5 as any) : [JSON.parse(id)]) });
export default defineApi({ collections: { things, parts } });
`,
  );
  const [{ api }, faults] = await openDeclaration({ folder });
  expect(faults).toEqual([]);
  const [list, made] = api?.lists ?? [];
  const context = { file: "a.csv", name: "a", body: undefined };
  const failed = (call: () => unknown) => {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      const { file, line, column, message } = error.diagnostic;
      return `${file}:${line}:${column} ${message}`;
    }
  };
  expect([1, 2, 3].map((id) => failed(() => list?.transform?.({ id }, context)))).toEqual([
    "api.config.ts:8:26 Cannot read properties of undefined (reading 'b').",
    "api.config.ts:7:3 transform returned a promise, and no item.",
    "api.config.ts:7:3 id is NaN, which JSON does not have.",
  ]);
  expect(["a", "{"].map((id) => failed(() => made?.from?.each({ id })))).toEqual([
    "api.config.ts:10:46 The function of from returned no list of items.",
    expect.stringMatching(/^api.config.ts:10:103 Expected property name/),
  ]);
});

it("gives a transform the day of the build", async () => {
  write("api.config.ts", config('"X."').replace('key: "id"', 'key: "id", transform: (_, { date }) => ({ id: date })'));
  const [{ api }] = await openDeclaration({ folder });
  const today = () => api?.lists[0]?.transform?.({}, { file: "a.csv", name: "a", body: undefined });
  expect(today()).toMatch(/^{"id":"20\d\d-\d\d-\d\d"}$/);
  vi.stubEnv("SOURCE_DATE_EPOCH", "86400");
  expect(today()).toBe('{"id":"1970-01-02"}');
  vi.unstubAllEnvs();
});
