// Names that every object inherits, such as `constructor`, are names like any other.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "../../../src/answers/client.ts";
import { fieldOf } from "../../../src/model/fields.ts";
import { run } from "../../../test/cli/run-command.ts";
import { isValidOpenapi } from "../../../test/documents/openapi-rules.ts";
import { serve } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startPreview } from "../preview/preview.ts";
import { startDev } from "./dev.ts";

const inherited = Object.getOwnPropertyNames(Object.prototype);

/** zod checks no field `__proto__`. */
const fields = inherited.filter((name) => name !== "__proto__");

const declarationWith = (describe: (name: string) => string) => `
import * as z from "zod";
import { defineApi, defineCollection, words } from "stillapi";
const text = z.string();
const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({
    id: text${describe("id")},
    ${fields.map((name) => `${name}: text${describe(name)},`).join("\n    ")}
    nested: z.array(z.strictObject({
      ${fields.map((name) => `${name}: z.int().nullable()${describe(name)},`).join("\n      ")}
    }))${describe("nested")},
    counts: z.record(text, z.int())${describe("counts")},
    kind: words("constructor")${describe("kind")},
    other: text.optional()${describe("other")},
  }),
  key: "id",
  order: ["constructor", "valueOf"],
  orders: { constructor: ["-toString"] },
  filters: {
    constructor: "constructor",
    kind: "kind",
    other: "other",
    value: { keysOf: "counts" },
    within: "nested[].valueOf",
  },
  together: [["constructor", "kind"]],
  item: { aliases: "hasOwnProperty" },
});
const values = defineCollection({
  purpose: "Values.",
  schema: z.strictObject({ id: text${describe("id")} }),
  key: "id",
  filters: { constructor: "id" },
  item: true,
});
export default defineApi({ collections: { things, values } });
`;

const thing = (id: string, index: number) => ({
  id,
  ...Object.fromEntries(fields.map((name) => [name, `${name}-${index}`])),
  nested: [Object.fromEntries(fields.map((name) => [name, index]))],
  counts: Object.fromEntries(fields.map((name) => [name, index])),
  kind: index % 2 === 0 ? "constructor" : "other",
});

/** A host that only serves files, from a folder. */
const serveFiles = (folder: string): Promise<string> =>
  serve((request, response) => {
    const file = path.join(folder, new URL(request.url ?? "", "http://localhost").pathname);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    response.statusCode = isFile ? 200 : 404;
    response.end(isFile ? readFileSync(file) : "");
  });

describe.each([
  ["described", (name: string) => `.describe("The field ${name}.")`],
  ["undescribed", () => ""],
])("fields that are %s", (_, describe) => {
  const folder = temporaryFolder();
  const content = path.join(folder, "content");
  const dist = path.join(folder, "dist");
  const config = path.join(folder, "api.config.ts");
  const asked = ["--content", content, "--config", config];
  const first = ["a", "b", "c"].map(thing);
  const second = [thing("a", 0), { ...thing("b", 1), constructor: "changed" }, thing("d", 3)];
  const write = (things: readonly object[]) => writeFileSync(path.join(content, "things.json"), JSON.stringify(things));
  const build = (...host: readonly string[]) => run(["build", ...asked, "--out", dist, ...host, "--format", "json"]);
  const read = (file: string) => JSON.parse(readFileSync(path.join(dist, "api/v1", file), "utf8"));
  const idsIn = (data: readonly unknown[]) => data.map((item) => fieldOf(item, "id"));

  beforeAll(() => {
    mkdirSync(content, { recursive: true });
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    writeFileSync(config, declarationWith(describe));
    writeFileSync(path.join(content, "values.json"), JSON.stringify(inherited.map((id) => ({ id }))));
    writeFileSync(path.join(content, "api.json"), '{ "page_sizes": [1, 2, 100] }');
    write(first);
  });

  it("check and build find no fault, and a second build knows the state of the first", async () => {
    expect((await run(["check", ...asked])).status).toBe(0);
    expect((await build()).status).toBe(0);
    const cursor = read("things/limit/1.json").pagination.next_cursor;
    write(second);
    const diff = await run(["diff", ...asked, "--against", dist]);
    expect(diff.stdout).toContain("~ b: constructor constructor-1 → changed\n");
    expect(diff.stdout).not.toMatch(/undefined|native code/);
    const built = await build();
    const { messages } = JSON.parse(built.stdout);
    expect(messages.filter(({ code }: { readonly code: string }) => code !== "undescribed")).toEqual([]);
    const [change] = read("changes.json").data;
    expect(change).not.toHaveProperty("declared");
    expect(change.collections.things).toMatchObject({ added: ["d"], changed: ["b"], removed: ["c"] });
    expect(change.collections.things.fields.b).toEqual({ constructor: ["constructor-1", "changed"] });
    expect(idsIn(read(`things/limit/1/cursor/${cursor}.json`).data)).toEqual(["d"]);
  });

  it("documents name and describe them, and no notice that does not exist", async () => {
    expect(await isValidOpenapi(read("openapi.json"))).toBe(true);
    const { $id: _, ...schema } = read("schemas/things.json");
    const accepts = new Ajv2020({ strict: false }).compile(schema);
    for (const item of second) expect(accepts(item)).toBe(true);
    expect(accepts({ ...second[0], constructor: 1 })).toBe(false);
    for (const file of ["docs/index.html", "docs/index.md", "docs/data/things.html", "openapi.json"]) {
      const text = readFileSync(path.join(dist, "api/v1", file), "utf8");
      expect(text).toContain("hasOwnProperty");
      expect(text).not.toMatch(/native code|undefined|deprecated as of/i);
    }
    const editors = JSON.parse(readFileSync(path.join(folder, ".schemas/things.json"), "utf8"));
    for (const name of fields) {
      const meaning = describe(name) === "" ? "" : `The field ${name}.`;
      expect(`${editors.definitions[name].description}`.startsWith(meaning)).toBe(true);
      expect(schema.properties[name].description).toBe(meaning === "" ? undefined : meaning);
    }
  });

  it.each([
    [
      "a host with rules",
      "nginx",
      async () => {
        const { origin, stop } = await startPreview(dist, 0);
        onTestFinished(stop);
        return createClient(origin);
      },
    ],
    ["a host that only serves files", "plain", async () => createClient(await serveFiles(dist))],
  ])("the client reads them from %s", async (_, host, open) => {
    expect((await build("--host", host, "--replace")).status).toBe(0);
    const { things, values } = await open();
    if (things === undefined || values === undefined) throw new Error("The client has every operation.");
    expect(await things.count()).toBe(3);
    expect(await things.count({ constructor: "changed" })).toBe(1);
    expect(await things.count({ constructor: "changed", kind: "other" })).toBe(1);
    expect(idsIn((await things.get()).data)).toEqual(["b", "a", "d"]);
    expect(idsIn((await things.get({ sort: "constructor" })).data)).toEqual(["d", "b", "a"]);
    expect(idsIn((await things.get({ within: 3 })).data)).toEqual(["d"]);
    expect(idsIn((await things.get({ value: "toString", limit: 2 })).data)).toEqual(["b", "a"]);
    expect(await things.item("a")).toEqual(second[0]);
    expect(await things.item("hasOwnProperty-3")).toEqual(second[2]);
    await expect(things.get({ constructor: "none" })).rejects.toMatchObject({ code: "invalid_constructor" });
    const walked = [];
    for await (const item of things.items({ limit: 1, sort: "constructor" })) walked.push(item);
    expect(idsIn(walked)).toEqual(["d", "b", "a"]);
    const copy = new Map();
    await things.sync(copy);
    expect([...copy.keys()].sort()).toEqual(["a", "b", "d"]);
    for (const id of inherited) {
      expect(await values.item(id)).toEqual({ id });
      expect((await values.get({ constructor: id })).data).toEqual([{ id }]);
    }
  });

  it("dev serves them", async () => {
    let printed = "";
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => {
        printed += String(text);
        return true;
      });
    }
    const { stop } = await startDev({ content, config, port: 0, all: false });
    onTestFinished(stop);
    const [, origin = ""] = / on (http:\S+) /.exec(printed) ?? [];
    const client = createClient(origin);
    expect((await client["things"]?.get({ constructor: "changed" }))?.data).toEqual([second[1]]);
  });
});

it.each([
  ["a CSV", "rows.csv", `${["id", ...fields].join()}\n${["a", ...fields].join()}\n${["b", ...fields].join()}\n`],
  [
    "JSON with objects in objects",
    "rows.json",
    JSON.stringify(["a", "b"].map((id) => ({ id, constructor: thing(id, 1) }))),
  ],
])("init --from %s makes a valid declaration", async (_, file, text) => {
  const folder = temporaryFolder();
  const repository = path.join(folder, "repository");
  writeFileSync(path.join(folder, file), text);
  expect((await run(["init", repository, "--from", path.join(folder, file)])).status).toBe(0);
  const config = path.join(repository, "api.config.ts");
  if (!existsSync(path.join(repository, "node_modules")))
    symlinkSync(path.resolve("node_modules"), path.join(repository, "node_modules"));
  const { status, stdout } = await run(["check", "--config", config, "--content", path.join(repository, "content")]);
  expect(stdout).toContain("2 items of rows");
  expect(status).toBe(0);
});
