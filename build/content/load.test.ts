import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { completeApi } from "../declaration/complete.ts";
import { DeclarationError } from "../diagnostics.ts";
import { allItems } from "./catalog.ts";
import { loadAndCompile } from "./content.ts";

const encode = (text: string) => Buffer.from(text);
const deployments = { file: "deployments/edge.json", bytes: encode('{"operations":["things"]}') };

function apiWith(load: NonNullable<CollectionDeclaration["load"]>) {
  const schema = z.object({ id: slug, at: z.iso.datetime().optional() });
  return completeApi(
    defineApi({ collections: { things: defineCollection({ purpose: "Things.", schema, key: "id", load }) } }),
  );
}

async function compile(load: NonNullable<CollectionDeclaration["load"]>, files: Readonly<Record<string, string>> = {}) {
  const api = apiWith(load);
  const found = Object.entries(files).map(([file, text]) => ({ file, bytes: encode(text) }));
  const [content, faults] = await loadAndCompile({ files: [deployments, ...found], obstacles: [] }, api);
  return {
    items: allItems(content.items.get("things")),
    faults: faults.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  };
}

describe("a collection with load", () => {
  it("has the items of a list, a promise or a generator, in its order", async () => {
    const expected = { items: [{ id: "a" }, { id: "b" }], faults: [] };
    expect(await compile(() => [{ id: "b" }, { id: "a" }])).toEqual(expected);
    expect(await compile(async () => new Set([{ id: "a" }, { id: "b" }]))).toEqual(expected);
    expect(
      await compile(function* () {
        yield { id: "b" };
        yield { id: "a" };
      }),
    ).toEqual(expected);
    expect(await compile(() => [])).toEqual({ items: [], faults: [] });
  });

  it("has the items of an async generator, and of what is iterable asynchronously, also as a promise", async () => {
    const expected = { items: [{ id: "a" }, { id: "b" }], faults: [] };
    async function* pages() {
      yield { id: "b" };
      await new Promise(setImmediate);
      yield { id: "a" };
    }
    expect(await compile(pages)).toEqual(expected);
    expect(await compile(async () => pages())).toEqual(expected);
    expect(await compile(() => Readable.from([{ id: "a" }, { id: "b" }]))).toEqual(expected);
    expect(await compile(() => Readable.from([]))).toEqual({ items: [], faults: [] });
  });

  it("has the JSON of values that are not JSON", async () => {
    const { items } = await compile(() => [{ id: "a", at: new Date(0), gone: undefined }]);
    expect(items).toEqual([{ id: "a", at: "1970-01-01T00:00:00.000Z" }]);
  });

  it("gets the faults of its items, each as a line", async () => {
    expect((await compile(() => [{ id: "a" }, { id: "A b" }, { id: "a" }, undefined])).faults).toEqual([
      'things.load.ndjson:2:7 id must be lowercase letters and digits, joined by single hyphens, but is "A b" (item of things "A b").',
      'things.load.ndjson:3:7 The id "a" is taken by another item of things, at things.load.ndjson:1:7 (item of things "a").',
      expect.stringContaining("things.load.ndjson:4:1 "),
    ]);
  });

  it("is published without any file", async () => {
    const [{ deployments, isEmpty }] = await loadAndCompile(
      { files: [], obstacles: [] },
      apiWith(() => []),
    );
    expect([[...deployments.values()].map(({ operations }) => operations), isEmpty]).toEqual([[["things"]], false]);
  });

  it("has no files", async () => {
    const { faults } = await compile(() => [{ id: "a" }], { "things.json": '[{"id":"b"}]' });
    expect(faults).toEqual(["things.json:1:1 The declaration loads things, so no file holds its items."]);
  });

  it("is a fault if it fails, and other faults are reported with it", async () => {
    const place = { file: "api.config.ts", line: 3, column: 9, endLine: 3, endColumn: 12 };
    const load = () => {
      throw new DeclarationError({ ...place, code: "throws", message: "No database." });
    };
    expect((await compile(load, { "other.json": "[]" })).faults).toEqual([
      "api.config.ts:3:9 No database.",
      expect.stringContaining("other.json:1:1 "),
    ]);
    await expect(compile((() => 5) as never)).rejects.toThrow("load returned no list of items.");
    async function* failing() {
      yield { id: "a" };
      load();
    }
    expect((await compile(failing)).faults).toEqual(["api.config.ts:3:9 No database."]);
  });

  const collection = (load: NonNullable<CollectionDeclaration["load"]>) =>
    defineCollection({ purpose: "Things.", schema: z.strictObject({ id: slug }), key: "id", load });

  it("is loaded at the same time as others, and has the same items whichever is first", async () => {
    const events: string[] = [];
    const loadOf = (name: string, rounds: number) =>
      async function* () {
        for (let round = 0; round < rounds; round++) {
          events.push(name);
          await new Promise(setImmediate);
          yield { id: `${name}${round}` };
        }
      };
    const api = completeApi(
      defineApi({ collections: { slow: collection(loadOf("s", 3)), quick: collection(loadOf("q", 1)) } }),
    );
    const [content, faults] = await loadAndCompile({ files: [], obstacles: [] }, api);
    expect(faults).toEqual([]);
    expect(events).toEqual(["s", "q", "s", "s"]);
    expect(api.lists.map(({ name }) => allItems(content.items.get(name)).length)).toEqual([3, 1]);
  });

  it("is a fault as each of several that fail, and the items of others are checked", async () => {
    const failing = (message: string, line: number) => async () => {
      const place = { file: "api.config.ts", line, column: 9, endLine: line, endColumn: 12 };
      for (let round = 0; round < 5 - line; round++) await new Promise(setImmediate);
      throw new DeclarationError({ ...place, code: "throws", message });
    };
    const collections = {
      one: collection(failing("No database.", 3)),
      two: collection(() => [{ id: "A b" }]),
      three: collection(failing("No answer.", 4)),
    };
    const api = completeApi(defineApi({ collections }));
    const [, faults] = await loadAndCompile({ files: [], obstacles: [] }, api);
    expect(faults.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
      "api.config.ts:3:9 No database.",
      "api.config.ts:4:9 No answer.",
      expect.stringContaining("two.load.ndjson:1:7 id must be"),
    ]);
  });
});
