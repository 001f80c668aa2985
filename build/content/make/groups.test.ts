// Collections whose items are made from groups of the items of another one.
import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { Failure } from "../../../src/model/failure.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import type { Program } from "../../declaration/program.ts";
import { openLog } from "../../messages.ts";
import { allItems } from "../table/items.ts";

const entries = defineCollection({
  purpose: "Entries.",
  noun: { one: "entry", many: "entries" },
  schema: z.strictObject({ id: slug, modules: z.array(reference("modules")), year: z.int().nullable() }),
  key: "id",
  order: ["-year"],
});

const modules = defineCollection({
  purpose: "Modules.",
  noun: { one: "module", many: "modules" },
  schema: z.strictObject({ name: slug, entries: z.array(reference("entries")), newest: z.int() }),
  key: "name",
  ...from(entries, {
    by: ({ modules }) => modules,
    make: (name, found) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      expectTypeOf(found[0]?.year).toEqualTypeOf<number | null | undefined>();
      if (name === "broken") throw new Error("It is broken");
      const newest = found[0]?.year ?? null;
      return name === "none" ? undefined : { name, entries: found.map(({ id }) => id), newest };
    },
  }),
});

/** Made from items of groups, and of groups of these. */
const sizes = defineCollection({
  purpose: "Sizes.",
  schema: z.strictObject({ size: z.int(), names: z.string() }),
  key: "size",
  ...from(modules, {
    by: ({ entries }) => (entries.length > 9 ? (Number.NaN as number) : entries.length),
    make: (size, found) => ({ size, names: found.map(({ name }) => name).join() }),
  }),
});

const program: Program = {
  folder: "/",
  today: () => "2026-11-20",
  placeOf: () => undefined,
  failureOf: (error) =>
    new Failure({ file: "api.config.ts", line: 9, column: 3, endLine: 9, endColumn: 4 }, (error as Error).message),
};

function compile(tree: Tree) {
  const api = completeApi(defineApi({ collections: { sizes, modules, entries } }), program);
  const log = openLog();
  const { items } = compileContent(discovered(tree), api, log);
  return {
    modules: allItems(items.get("modules")),
    sizes: allItems(items.get("sizes")),
    messages: log.messages().shown.map(lineOf),
  };
}

it("makes an item of all that share a value, each once and in the order of their collection", () => {
  const { modules, sizes, messages } = compile({
    "entries/a.yaml":
      "- { id: a, modules: [net, os, net], year: 2024 }\n- { id: b, modules: [none, constructor], year: 2026 }\n",
    "entries/b.yaml": "{ id: c, modules: [os], year: 2025 }\n",
    "entries/d.yaml": "{ id: d, modules: [], year: null }\n",
  });
  // No item is made of the group.
  expect(messages).toEqual([
    'entries/a.yaml:2:22 no-such-item There is no module with the name "none". Add it, or name another.',
  ]);
  expect([modules, sizes]).toEqual([[], []]);
  const right = compile({
    "entries.yaml": "- { id: a, modules: [net, os, net], year: 2024 }\n- { id: c, modules: [os], year: 2025 }\n",
  });
  expect(right).toEqual({
    messages: [],
    modules: [
      { name: "net", entries: ["a"], newest: 2024 },
      { name: "os", entries: ["c", "a"], newest: 2025 },
    ],
    sizes: [
      { size: 1, names: "net" },
      { size: 2, names: "os" },
    ],
  });
});

it("reports faults at the first item of the group, with its name", () => {
  const { messages } = compile({
    "entries.yaml":
      "- { id: z, modules: [os], year: null }\n- { id: b, modules: [broken, os], year: null }\n- { id: c, modules: [broken], year: 2025 }\n",
  });
  expect(messages).toEqual([
    'entries.yaml:2:9 wrong-type newest must be an integer, but is empty (null) (module "os").',
    'entries.yaml:3:9 not-made The function make of from in modules, for "broken", fails: It is broken (api.config.ts:9:3).',
  ]);
});

it("makes nothing of a value that is none, or while an item is faulty, and reports nothing that follows", () => {
  const numbered = Array.from({ length: 10 }, (_, index) => `- { id: e${index}, modules: [os], year: 1 }\n`).join("");
  expect(compile({ "entries.yaml": numbered }).messages).toEqual([
    "entries.yaml:1:9 not-made The function by of from in sizes fails: returned NaN, not a string, an integer, a boolean or a list of them (api.config.ts:9:3).",
  ]);
  const faulty = "- { id: a, modules: [broken], year: x }\n- { id: b, modules: [os], year: null }\n";
  expect(compile({ "entries.yaml": faulty }).messages).toEqual([
    expect.stringMatching(/^entries\.yaml:1:37 wrong-type/),
  ]);
});
