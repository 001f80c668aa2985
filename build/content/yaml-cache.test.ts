import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { slug } from "../../src/forms.ts";
import { discovered, rightTree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import type { Cache } from "../cache/cache.ts";
import { allItems } from "./catalog.ts";
import { compileContent } from "./content.ts";
import { formats } from "./formats/formats.ts";
import { readingVersion } from "./yaml-cache.ts";

const image = (id: number) => ({
  id: `med_${id}`,
  created_at: "2026-01-01T00:00:00Z",
  content_type: "image/png",
  bytes: 1,
  width: 1,
  height: 1,
  status: "ready",
});

const large = stringify(Array.from({ length: 100 }, (_, index) => image(index)));
const padding = `# ${"-".repeat(5_000)}\n`;

/** A cache in memory. */
function cacheFor(): Cache & { readonly texts: () => readonly string[] } {
  const found = new Map<string, Uint8Array>();
  const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
  return {
    get: (bytes) => found.get(keyOf(bytes)),
    set: (bytes, lines) => found.set(keyOf(bytes), lines),
    texts: () => [...found.values()].map((lines) => Buffer.from(lines).toString()),
  };
}

const cachedOf = (file: string, text: string): readonly string[] => {
  const cache = cacheFor();
  compileContent(discovered({ ...rightTree, [file]: text }), edgeNetwork, cache);
  return cache.texts();
};

describe("the cache of YAML", () => {
  it.each([
    ["images.yaml", large, 1],
    ["images/a.yml", large, 1],
    ["images.yaml", "[]", 0],
    ["images.json", large, 0],
    ["api.yaml", large, 0],
    ["deployments/edge.yaml", large, 0],
    ["nonsense.yaml", large, 0],
  ])("holds what is in large files of items: %s", (file, text, count) => {
    expect(cachedOf(file, text)).toHaveLength(count);
  });

  it("holds the items of Markdown, whose text and faults stay as they are", () => {
    const collection = defineCollection({
      purpose: "Notes.",
      schema: z.strictObject({ id: slug, text: z.string() }),
      key: "id",
      transform: (raw, { body }) => ({ ...raw, text: body }),
    });
    const api = completeApi(defineApi({ collections: { notes: collection } }));
    const cache = cacheFor();
    const compile = (id: string) => {
      const [{ items }, faults] = compileContent(
        discovered({ "notes/a.md": `---\n${padding}id: ${id}\n---\n\nText\n` }),
        api,
        cache,
      );
      return [allItems(items.get("notes")), faults.map(({ line, column, code }) => `${line}:${column} ${code}`)];
    };
    for (const _ of ["new", "cached"]) {
      expect(compile("a")).toEqual([[{ id: "a", text: "Text" }], []]);
      expect(compile("A a")).toEqual([[], ["3:5 wrong-value"]]);
    }
    expect(cache.texts()).toEqual(['{"id":"a","body":"Text"}\n', '{"id":"A a","body":"Text"}\n']);
  });

  it("holds a line for each item", () => {
    const text = "- {id: med_1, status: NO}\n- &a [1, 1e3, -0, '3.10', ~, {b: true}]\n- *a\n";
    const list = '[1,1000,0,"3.10",null,{"b":true}]';
    expect(cachedOf("images.yaml", padding + text)).toEqual([`{"id":"med_1","status":"NO"}\n${list}\n${list}\n`]);
    expect(cachedOf("images/1.yaml", `${padding}id: med_1\n`)).toEqual(['{"id":"med_1"}\n']);
  });

  it.each([
    "",
    "- a: 1\n  a: 2",
    "- [",
    "---\n[]\n---\n[]",
    "- !!set {a}",
    "- *a",
    "- {<<: {a: 1}}",
    "%YAML 1.1\n---\n[]",
    "- a: .inf",
    "- a: [1e400]",
  ])("holds nothing of a file in which anything is wrong: %j", (text) => {
    expect(cachedOf("images.yaml", padding + text)).toEqual([]);
  });

  it("returns the same catalog and the same faults as the file", () => {
    const value = fc.oneof(
      fc.constantFrom(1, 0, 1.5, "image/png", "NO", null, true, "2026-02-30T00:00:00Z", "MED_1", [], {}),
      fc.string(),
      fc.integer(),
    );
    const wrong = fc.record({ field: fc.constantFrom(...Object.keys(image(0)), "extra"), value });
    const items = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.option(wrong, { freq: 8 })), { maxLength: 12 });
    fc.assert(
      fc.property(items, (some) => {
        const list = some.map(([id, change]) => ({ ...image(id), ...(change && { [change.field]: change.value }) }));
        const discovery = discovered({ ...rightTree, "images.yaml": padding + stringify(list) });
        const cache = cacheFor();
        const [plain, faults] = compileContent(discovery, edgeNetwork);
        for (const [cached, others] of [
          compileContent(discovery, edgeNetwork, cache),
          compileContent(discovery, edgeNetwork, cache),
        ]) {
          expect(others).toEqual(faults);
          expect(allItems(cached.items.get("images"))).toEqual(allItems(plain.items.get("images")));
        }
        expect(cache.texts()).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  it("spares the parser valid files; a faulty one is parsed once", () => {
    const read = vi.spyOn(formats.yaml, "read");
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const cache = cacheFor();
    const readings = (text: string) => {
      read.mockClear();
      const [, faults] = compileContent(discovered({ "images.yaml": text }), edgeNetwork, cache);
      return [read.mock.calls.length, faults.length];
    };
    expect([readings(large), readings(large)]).toEqual([
      [1, 0],
      [0, 0],
    ]);
    const wrong = large.replace("image/png", "png");
    expect([readings(wrong), readings(wrong)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it("is not that of another version of the parser", () => {
    const { version } = JSON.parse(readFileSync("node_modules/yaml/package.json", "utf8"));
    expect(readingVersion, "another parser: write its version there").toContain(`yaml ${version},`);
  });
});
