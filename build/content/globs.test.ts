import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Transform } from "../../src/declare/declare.ts";
import { type Collection, defineApi, defineCollection } from "../../src/declare/declare.ts";
import { label, slug } from "../../src/declare/forms.ts";
import { reference } from "../../src/declare/marks.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { compileContent, compiledWithErrors, lineOf } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { fileRules } from "../declaration/options/files.ts";
import { openLog } from "../messages.ts";
import { dotNamesIn, fieldsOfPath, impliedFields, outsideFolders } from "./globs.ts";
import { allItems } from "./table/items.ts";

describe("the files of a collection", () => {
  it.each([
    [["products/*.md"], "products/a.md", {}],
    [["products/*.md"], "products/a/b.md", undefined],
    [["products/{name}.md"], "products/node.js.md", { name: "node.js" }],
    [["docs/{lang}/{slug}.md"], "docs/de/a.md", { lang: "de", slug: "a" }],
    [["docs/{lang}/**/{slug}.md"], "docs/de/x/y/a.md", { lang: "de", slug: "a" }],
    [["{name}/{name}.json"], "a/a.json", { name: "a" }],
    [["{name}/{name}.json"], "a/b.json", undefined],
    [["data/{year}-{name}.{csv,json}"], "data/2026-a-b.csv", { year: "2026", name: "a-b" }],
    [["records/{collection}"], "records/os.v2.json", { collection: "os" }],
    [["records/{collection}"], "records/os/deep/er.json", { collection: "os" }],
    [["records/{collection}"], "records.json", undefined],
    [["data/eol-date"], "data/eol-date.json", {}],
    [["a/*", "b.csv"], "b.csv", {}],
    [["**/*.md"], "deep/er/a.md", {}],
  ])("%j match %s with %j", (files, file, fields) => {
    expect(fieldsOfPath(files, file)).toEqual(fields);
  });

  it("give fields", () => {
    expect(
      impliedFields({ source: { kind: "files", rules: fileRules(["{a}/{b-c}.{csv,md}", "{a}.md", "{1..2}.md"]) } }),
    ).toEqual(["a", "b-c"]);
    expect(impliedFields({ source: { kind: "files", rules: undefined } })).toEqual([]);
  });
});

const pages = (files?: string | string[], transform?: Transform) =>
  defineCollection({
    purpose: "Pages.",
    noun: { one: "page", many: "pages" },
    schema: z.strictObject({
      slug,
      lang: z.enum(["de", "en"]),
      year: z.int().optional(),
      ...(files?.includes("{site}") && { site: reference("sites") }),
      body: z.string().optional(),
    }),
    key: "slug",
    ...(files === undefined ? {} : { files }),
    ...(transform && { transform }),
  });

const sites = defineCollection({ purpose: "Sites.", schema: z.strictObject({ id: slug, name: label }), key: "id" });

function compile(collections: Readonly<Record<string, Collection>>, tree: Tree) {
  const { content, errors } = compiledWithErrors(discovered(tree), completeApi(defineApi({ collections })));
  return {
    items: allItems(content.items.get("pages")),
    errors: errors.map(lineOf),
  };
}

describe("names that start with a dot", () => {
  it.each([
    [".data/*.json", [".data"]],
    ["nodes/.{name}.json", [".a.json"]],
    ["{.data,other}/*.json", [".data"]],
    ["**/*.json", []],
    ["{name}/{other}", []],
    ["nodes", []],
  ])("are those that %s writes", (glob, names) => {
    const isDotName = dotNamesIn([{ source: { kind: "files", rules: fileRules([glob]) } }]);
    expect([".data", ".a.json", ".git"].filter(isDotName)).toEqual(names);
  });

  it("are content if a glob matches them, and nobody's otherwise", () => {
    const tree = {
      ".data/a.json": '{"slug":"a","lang":"de"}',
      ".data/b/c.json": '{"slug":"c","lang":"de"}',
      "pages/.data/d.json": '{"slug":"d","lang":"de"}',
    };
    expect(compile({ pages: pages(".data/*.json") }, tree)).toEqual({ items: [{ slug: "a", lang: "de" }], errors: [] });
  });
});

describe("a field of a path", () => {
  it("is filled in where the file leaves it out, in any format", () => {
    const tree = {
      "docs/de/2024/a.md": "Text.",
      "docs/en/2025/b.json": '{"lang":"en"}',
      "docs/en/2026/c.csv": "lang\nen\n",
      "docs/de/2026/d.ndjson": '{"slug":"d","lang":"de","year":2026}\n',
    };
    expect(compile({ pages: pages("docs/{lang}/{year}/{slug}.*") }, tree)).toEqual({
      items: [
        { slug: "a", lang: "de", year: 2024, body: "Text." },
        { slug: "b", lang: "en", year: 2025 },
        { slug: "c", lang: "en", year: 2026 },
        { slug: "d", lang: "de", year: 2026 },
      ],
      errors: [],
    });
  });

  it("must not be contradicted by the file", () => {
    const tree = {
      "docs/de/a.md": "---\nslug: a\nlang: en\n---\n",
      "docs/en/b.csv": "lang,slug\nen,b\nde,c\n",
      "docs/en/d.ndjson": '{"slug":"d","lang":"en"}\n{"slug":"e","lang":"de"}\n',
    };
    const { errors } = compile({ pages: pages("docs/{lang}/*") }, tree);
    const report = (implied: string, given: string) =>
      `wrong-collection The page says lang "${given}", but the path says "${implied}". Move the page, or leave its lang out.`;
    expect(errors).toEqual([
      `docs/de/a.md:3:7 ${report("de", "en")}`,
      `docs/en/b.csv:3:1 ${report("en", "de")}`,
      `docs/en/d.ndjson:2:20 ${report("en", "de")}`,
    ]);
  });

  it("may differ from a field that the transform replaces, but not from one that it leaves alone", () => {
    const tree = {
      "docs/de/a.md": "---\nslug: a\nlang: en\n---\nText",
      "docs/en/b.csv": "slug,year\nb,2024\n",
      "docs/en/c.json": '{"slug":"c","lang":"De"}',
    };
    const transform: Transform = ({ lang, year, ...raw }) => ({
      ...raw,
      lang: String(lang).toLowerCase(),
      ...(year === undefined ? {} : { year: Number(year) }),
    });
    expect(compile({ pages: pages("docs/{lang}/*", transform) }, tree).errors).toEqual([
      'docs/de/a.md:3:7 wrong-collection The page says lang "en", but the path says "de". Move the page, or leave its lang out.',
    ]);
  });

  it("is reported at the item", () => {
    const tree = { "docs/fr/A b.md": "\nText", "docs/de/c.yaml": "- { slug: c }\n- { slug: x }" };
    expect(compile({ pages: pages("docs/{lang}/{slug}.*") }, tree).errors).toEqual([
      'docs/de/c.yaml:2:11 wrong-collection The page says slug "x", but the path says "c". Move the page, or leave its slug out.',
      'docs/fr/A b.md:1:1 wrong-value slug must be lowercase letters and digits, joined by single hyphens, but is "A b".',
      'docs/fr/A b.md:1:1 wrong-value lang must be de or en, but is "fr".',
    ]);
  });

  it("is reported as the path has it", () => {
    const years = defineCollection({
      purpose: "Years.",
      schema: z.strictObject({ year: z.int().min(1000), size: z.int() }),
      key: "year",
      files: "years/{year}.*",
    });
    const tree = { "years/8.yaml": "size: 1", "years/9.csv": "size\n1\n" };
    expect(compile({ years }, tree).errors).toEqual([
      expect.stringMatching(/^years\/8\.yaml:1:1 .* but is the number 8\./),
      expect.stringMatching(/^years\/9\.csv:1:1 .* but is the number 9\./),
    ]);
  });

  it("may be a reference, whose item must exist", () => {
    const collections = { pages: pages("{site}/{lang}/{slug}.md"), sites };
    const tree = { "sites.csv": "id,name\none,One\n", "one/de/a.md": "", "tow/de/b.md": "x" };
    const { errors } = compile(collections, { ...tree, "one/de/a.md": "x" });
    expect(errors).toEqual([
      expect.stringMatching(/^tow\/de\/b.md:1:1 no-such-item There is no item of sites with the id "tow"/),
    ]);
  });
});

describe("files", () => {
  it("of two collections are an error", () => {
    const collections = { pages: pages("data/*.md"), notes: pages(["**/a.md", "notes"]) };
    const { errors } = compile(collections, { "data/a.md": "---\nslug: a\nlang: de\n---\n" });
    expect(errors).toEqual([
      "data/a.md:1:1 ambiguous-file This file belongs to several collections: pages, notes. Change the option files of one of them, or move the file. To make several collections of one file, read it in one, and make the others of its items with from.",
    ]);
  });

  it("that no glob matches are an error, which names the globs of their folder", () => {
    const { errors } = compile(
      { pages: pages(["data/*.md", "more.csv"]) },
      { "data/a.csv": "", "pages.yaml": "", "mor.csv": "" },
    );
    expect(errors).toEqual([
      "data/a.csv:1:1 unknown-file No collection has files with this path. Its files are data/*.md, more.csv.",
      'mor.csv:1:1 unknown-file No collection is called "mor". Content is at data/*.md, more.csv, deployments, api.',
      'pages.yaml:1:1 unknown-file No collection is called "pages". Content is at data/*.md, more.csv, deployments, api.',
    ]);
  });

  it("of the settings and of deployments match no glob", () => {
    const { errors } = compile(
      { pages: pages("**/*") },
      { "api.yaml": "title: T", "deployments/edge.yaml": "operations: [pages]" },
    );
    expect(errors).toEqual([]);
  });
});

it("warns of a collection whose globs match no file, unless an error may be the reason", () => {
  const icons = defineCollection({
    purpose: "Icons.",
    schema: z.strictObject({ slug }),
    key: "slug",
    files: ["icons/*.yml", "!icons/draft-*"],
  });
  const messagesOf = (tree: Tree) => {
    const log = openLog();
    compileContent(discovered(tree), completeApi(defineApi({ collections: { icons } })), log, "content");
    return log.messages().shown.map((message) => `${message.severity} ${lineOf(message)}`);
  };
  expect(messagesOf({ "icons/a.yml": "slug: a" })).toEqual([]);
  expect(messagesOf({ "icon/a.yml": "slug: a" })).toEqual([
    expect.stringContaining("error content/icon/a.yml:1:1 unknown-file "),
  ]);
  for (const file of ["api.yaml", "icons/draft-a.yml"])
    expect(messagesOf({ [file]: "title: T" })).toEqual([
      "warning api.config.ts:1:1 empty-collection The collection icons is empty: no file below content/ matches icons/*.yml.",
    ]);
});

it.each<[match: string | readonly string[], may: readonly string[], mayNot: readonly string[]]>([
  ["*/catalog.yaml", ["a", "b.c"], ["a/b", "a/b/c"]],
  ["{team}/data/*.csv", ["a", "a/data"], ["a/b", "a/data/c"]],
  ["a/**/*.md", ["a", "a/b", "a/b/c"], ["b", "ab"]],
  ["docs/{lang}", ["docs", "docs/en", "docs/en/x"], ["doc", "x/docs"]],
  ["{a/b,c}/x.json", ["a", "a/b", "c"], []],
  [
    ["**/*.yaml", "!**/dist/**", "!b/*.yaml"],
    ["a", "b", "b/c"],
    ["dist", "a/dist", "a/dist/b"],
  ],
])("enters only folders in which files may match %j", (match, may, mayNot) => {
  const folder = { name: "../packages", path: "/packages", at: () => undefined };
  const source = { kind: "files", rules: fileRules([{ match, folder: "../packages" }], () => folder) } as const;
  const [outside] = outsideFolders([{ source }]);
  const entered = [...may, ...mayNot].filter((inner) => outside?.mayHold(inner));
  expect(entered).toEqual(may);
});
