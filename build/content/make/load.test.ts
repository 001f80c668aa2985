import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { foundFile } from "../../../test/content/found-file.ts";
import { loadedWithErrors, programOfTests } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { allItems } from "../table/items.ts";

const noFiles = { files: [], unreadable: new Map() };
const deployments = foundFile("deployments/edge.json", '{"operations":["things"]}');

function apiWith(load: NonNullable<CollectionDeclaration["load"]>) {
  const schema = z.object({ id: slug, at: z.iso.datetime().optional() });
  const things = defineCollection({ purpose: "Things.", schema, key: "id", load });
  return completeApi(defineApi({ collections: { things } }), programOfTests);
}

async function compile(load: NonNullable<CollectionDeclaration["load"]>, files: Readonly<Record<string, string>> = {}) {
  const api = apiWith(load);
  const found = Object.entries(files).map(([file, text]) => foundFile(file, text));
  const { content, errors } = await loadedWithErrors({ files: [deployments, ...found], unreadable: new Map() }, api);
  return {
    items: allItems(content.items.get("things")),
    errors: errors.map(({ place: { file, line, column }, text }) => `${file}:${line}:${column} ${text}`),
  };
}

describe("a collection with load", () => {
  it("has the items of a list, a promise or a generator, in its order", async () => {
    const expected = { items: [{ id: "a" }, { id: "b" }], errors: [] };
    expect(await compile(() => [{ id: "b" }, { id: "a" }])).toEqual(expected);
    expect(await compile(async () => new Set([{ id: "a" }, { id: "b" }]))).toEqual(expected);
    expect(
      await compile(function* () {
        yield { id: "b" };
        yield { id: "a" };
      }),
    ).toEqual(expected);
    expect(await compile(() => [])).toEqual({ items: [], errors: [] });
  });

  it("has the items of an async generator, and of what is iterable asynchronously, also as a promise", async () => {
    const expected = { items: [{ id: "a" }, { id: "b" }], errors: [] };
    async function* pages() {
      yield { id: "b" };
      await new Promise(setImmediate);
      yield { id: "a" };
    }
    expect(await compile(pages)).toEqual(expected);
    expect(await compile(async () => pages())).toEqual(expected);
    expect(await compile(() => Readable.from([{ id: "a" }, { id: "b" }]))).toEqual(expected);
    expect(await compile(() => Readable.from([]))).toEqual({ items: [], errors: [] });
  });

  it("has the JSON of values that are not JSON", async () => {
    const { items } = await compile(() => [{ id: "a", at: new Date(0), gone: undefined }]);
    expect(items).toEqual([{ id: "a", at: "1970-01-01T00:00:00.000Z" }]);
  });

  it("gets the errors of its items, each as a line", async () => {
    expect((await compile(() => [{ id: "a" }, { id: "A b" }, { id: "a" }, undefined])).errors).toEqual([
      'things.load.ndjson:2:7 id must be lowercase letters and digits, joined by single hyphens, but is "A b" (item of things "A b").',
      'things.load.ndjson:3:7 The id "a" is taken by another item of things, at things.load.ndjson:1:7 (item of things "a").',
      expect.stringContaining("things.load.ndjson:4:1 "),
    ]);
  });

  it("is published without any file", async () => {
    const { content } = await loadedWithErrors(
      noFiles,
      apiWith(() => []),
    );
    expect([...content.deployments.values()].map(({ operations }) => operations)).toEqual([["things"]]);
    expect(content.isEmpty).toBe(false);
  });

  it("has no files", async () => {
    const { errors } = await compile(() => [{ id: "a" }], { "things.json": '[{"id":"b"}]' });
    expect(errors).toEqual(["things.json:1:1 The declaration loads things, so no file holds its items."]);
  });

  it("is an error if it fails, and other errors are reported with it", async () => {
    const load = () => {
      throw new Error("No database.");
    };
    expect((await compile(load, { "other.json": "[]" })).errors).toEqual([
      "api.config.ts:3:9 No database.",
      expect.stringContaining("other.json:1:1 "),
    ]);
    expect((await compile((() => 5) as never)).errors).toEqual(["api.config.ts:3:9 load returned no list of items."]);
    async function* failing() {
      yield { id: "a" };
      load();
    }
    expect((await compile(failing)).errors).toEqual(["api.config.ts:3:9 No database."]);
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
    const { content, errors } = await loadedWithErrors(noFiles, api);
    expect(errors).toEqual([]);
    expect(events).toEqual(["s", "q", "s", "s"]);
    expect(api.lists.map(({ name }) => allItems(content.items.get(name)).length)).toEqual([3, 1]);
  });

  it("is an error as each of several that fail, and the items of others are checked", async () => {
    const failing = (message: string, rounds: number) => async () => {
      for (let round = 0; round < rounds; round++) await new Promise(setImmediate);
      throw new Error(message);
    };
    const collections = {
      one: collection(failing("No database.", 2)),
      two: collection(() => [{ id: "A b" }]),
      three: collection(failing("No answer.", 1)),
    };
    const api = completeApi(defineApi({ collections }), programOfTests);
    const { errors } = await loadedWithErrors(noFiles, api);
    expect(errors.map(({ place: { file, line, column }, text }) => `${file}:${line}:${column} ${text}`)).toEqual([
      "api.config.ts:3:9 No database.",
      "api.config.ts:3:9 No answer.",
      expect.stringContaining("two.load.ndjson:1:7 id must be"),
    ]);
  });
});
