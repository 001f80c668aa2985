import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { marked, unmarked } from "../../test/declaration/marks.ts";
import { openedWithErrors } from "../../test/plan.ts";
import { groupBy } from "../values/group-by.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-declaration-"));
symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

/** They follow the text, so that its first line is the first of the file. */
const imports = `import * as z from "zod"; import { defineApi, defineCollection, defineDocument, extend, file, from, fromJsonSchema, image, reference, words } from "stillapi"; import { count, deprecated, flag, slug, time } from "stillapi/forms";`;

/** A declaration with marks around the places of its mistakes, and what is reported of each place in a row. */
type Case = readonly [text: string, ...mistakes: readonly (string | readonly string[])[]];

/** The case of a declaration as it is reported. */
async function reported(text: string): Promise<Case> {
  writeFileSync(path.join(folder, "api.config.ts"), `${text}\n${imports}`);
  const { errors } = await openedWithErrors({ folder });
  expect(errors.filter(({ place: { file } }) => file !== "api.config.ts")).toEqual([]);
  const byPlace = groupBy(errors, ({ place: { line, column, endLine, endColumn } }) =>
    [line, column, endLine, endColumn].join(),
  );
  const mistakes = [...byPlace.values()].map((group) => {
    const texts = group.map(({ code, text: words, hint }) => [code, words, hint ?? ""].join(" ").trim());
    const [first = "", ...others] = texts;
    return others.length === 0 ? first : texts;
  });
  return [
    marked(
      text,
      errors.map(({ place }) => place),
    ),
    ...mistakes,
  ];
}

const api = (collections: string, more = "") =>
  `export default defineApi({ collections: {\n${collections}\n}${more} });`;

const things = (options: string, fields = "id: slug, size: count", more = "") =>
  api(
    `  things: defineCollection({\n    purpose: "Things.",\n    schema: z.strictObject({ ${fields} }),\n    key: "id",\n    ${options}\n  }),`,
    more,
  );

const field = (schema: string) => things("", `id: slug, odd: ${schema}`);

/** A small valid collection on one line. */
const valid = (options = "") =>
  `defineCollection({ purpose: "X.", schema: z.strictObject({ id: slug }), key: "id", ${options} })`;

/** APIs with one collection, each from the start of its call. */
const several = (...starts: readonly string[]) =>
  `const collections = { things: ${valid()} };\n${starts.map((start, index) => `const api${index} = ${start}collections });`).join("\n")}\nexport default [${starts.map((_, index) => `api${index}`).join(", ")}];`;

/** The declaration with marks around a part that all cases have. */
const marking = (part: string, text: string): string => text.replace(part, `«${part}»`);

const cases: readonly Case[] = [
  [
    api(
      `  a: ${valid("published: false,")},\n  b: ${valid()},`,
      `, outputs: { "as/{id}.json": { each: «"a"», render: () => "" } as any }`,
    ),
    'wrong-option The output "as/{id}.json" is made for each item of a, which is not published. Name a collection that is published.',
  ],
  [
    things(
      "",
      "id: slug",
      `, outputs: {
  "old.txt": { render: () => "", deprecated: { since: "2026-12-01", use: «"thigns"» } },
  "older.txt": { render: () => "", deprecated: { since: "2026-12-01", use: "old.txt" } } }`,
    ),
    'wrong-option The deprecation of the output "old.txt" says to use "thigns", but there is no other of that name. Did you mean "things"?',
  ],
  [
    things(
      "",
      "id: slug, size: count, tags: z.array(slug), kind: z.enum(['a/b']), note: slug.optional()",
      `, outputs: {
  «"a b/{id}.json"»: { each: "things", render: () => "" },
  «"feeds/.hidden.json"»: { render: () => "" },
  «"feeds/{id}-{size}.json"»: { each: "things", render: () => "" },
  «"{id}.json"»: { each: "things", render: () => "" },
  «"/feeds/_Redirects"»: { type: "text/plain", render: () => "" },
  «"/feeds/{id}.PHP"»: { each: "things", type: "text/plain", render: () => "" },
  «"/api/v1/x.json"»: { render: () => "" },
  «"/api/{id}.json"»: { each: "things", render: () => "" },
  «"things/all.json"»: { render: () => "" },
  «"docs/{id}.json"»: { each: "things", render: () => "" },
  «"things.json"»: { render: () => "" },
  «"feeds/{id}.xml"»: { render: () => "" },
  "feeds/all.xml": { each: «"things"», render: () => "" },
  "feeds/{id}.txt": { each: «"thigns" as any», render: () => "" },
  «"feeds/{nope}/a.txt"»: { each: "things", render: () => "" },
  «"feeds/{tags}/{kind}/{note}.txt"»: { each: "things", render: () => "" },
  "feeds/{size}/b.txt": { each: "things", render: () => "" },
  «"feeds/{id}/B.txt"»: { each: "things", render: () => "" },
  «"feeds/unknown"»: { render: () => "" },
  "feeds/options.txt": { «typ»: "x", type: «"plain"», cache: «"1 hour"», render: «"x"» } as any,
  "feeds/missing.txt": «{} as any»,
  "things.geojson": { render: () => undefined } }`,
    ),
    'invalid-name "a b/{id}.json" is not a valid path of an output. It is parts with slashes between them, such as feeds/cities.xml: 1 to 100 letters, digits, dots, hyphens and underscores, with at most one {field}, and no dot at the start.',
    'invalid-name "feeds/.hidden.json" is not a valid path of an output. It is parts with slashes between them, such as feeds/cities.xml: 1 to 100 letters, digits, dots, hyphens and underscores, with at most one {field}, and no dot at the start.',
    'invalid-name "feeds/{id}-{size}.json" is not a valid path of an output. It is parts with slashes between them, such as feeds/cities.xml: 1 to 100 letters, digits, dots, hyphens and underscores, with at most one {field}, and no dot at the start.',
    'invalid-name The path of the output "{id}.json" has a {field} in its first part. Write a folder before it, such as feeds/{id}.json.',
    'invalid-name Hosts run or read a file with the name of the output "/feeds/_Redirects". Give the output another name.',
    'invalid-name Hosts run or read a file with the name of the output "/feeds/{id}.PHP". Give the output another name.',
    'invalid-name The path of the output "/api/v1/x.json" is below /api/v1. Write "x.json".',
    'invalid-name The output "/api/{id}.json" may have the path /api/v1.json, which is a file of the API. Change its path.',
    'invalid-name The path of the output "things/all.json" is one of the collection "things". Change its first part, or write the key and parts without fields behind it, such as "things/{id}/more.json".',
    'invalid-name The path of the output "docs/{id}.json" is one of the API\'s documents. Change its first part.',
    'invalid-name The path of the output "things.json" is one of the collection "things". Change its first part.',
    'missing-option The output "feeds/{id}.xml" has {id} in its path, but no each. Write each, the name of the collection with the field.',
    'wrong-option The output "feeds/all.xml" is made for each item of things, but its path has no {field}. Write the field with the key into the path, such as {id}.',
    'no-such-name The output "feeds/{id}.txt" is made for each item of "thigns", which is not a collection. Did you mean "things"?',
    'no-such-name The collection "things" has no field "nope", which the path of an output names. Its fields are id, size, tags, kind, note.',
    [
      'unsuitable-field The field tags of the collection "things" cannot be used in the path of an output. It must be a string or an integer in every item.',
      'unsuitable-field The field kind of the collection "things" cannot be used in the path of an output. "a/b" cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.',
      'unsuitable-field The field note of the collection "things" cannot be used in the path of an output. It must be a string or an integer in every item.',
    ],
    'duplicate-name The outputs "feeds/{size}/b.txt" and "feeds/{id}/B.txt" have the same path. Change one of them. Paths may ignore case.',
    'missing-option The ending of the output "feeds/unknown" is not that of a known Content-Type. Write it as type, such as type: "application/geo+json".',
    'unknown-option The option outputs["feeds/options.txt"] of the API has no option "typ". Its options are each, type, cache, deprecated, render.',
    'wrong-option The option outputs["feeds/options.txt"].type of the API must be a value of the header Content-Type, such as application/geo+json, but is "plain".',
    'wrong-option The option outputs["feeds/options.txt"].cache of the API must be a value of the header Cache-Control, such as public, max-age=60, but is "1 hour".',
    'wrong-option The option outputs["feeds/options.txt"].render of the API must be a function, but is "x".',
    'missing-option The option outputs["feeds/missing.txt"] of the API must have the option render. Its value must be a function.',
  ],
  [
    things('order: [{ field: "size", «folded»: true }] as any,'),
    'unknown-option The option order[0] of the collection "things" has no option "folded". Did you mean "fold"?',
  ],
  [
    things('order: [{ field: «"size"», fold: true }, { field: «"nope"», natural: true }] as any,'),
    'unsuitable-field The field size of the collection "things" cannot be used in an order with fold or natural. It must be a string, possibly null.',
    'no-such-name The collection "things" has no field "nope", which an order with fold or natural names. Its fields are id, size.',
  ],
  [
    things('filters: { big: (item) => item.size > 5, odd: { of: (item) => item.id, values: «["a", "A", "x/y"]» } },'),
    'wrong-option The values of the filter "odd" of the collection "things" cannot be used. "x/y" cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.',
  ],
  [
    api(
      `  a: defineCollection({ purpose: "A.", schema: z.strictObject({ id: slug, n: z.int() }), key: "id" }),
  b: defineCollection({ purpose: "B.", schema: z.strictObject({ id: slug, u: «z.union([reference("a", { by: "n" }), z.literal("none")])» }), key: "id" }),`,
    ),
    'unsuitable-field The field u of the collection "b" refers by another field, which a document, a union and items made with from cannot do. Leave by out, and write the key.',
  ],
  [
    things("", 'id: slug, to: «reference("things", { by: "nope" })»'),
    [
      'circular The collection "things" needs itself before it is read: things → things. Give one of them a key of its form, files of its own, or a reference by key.',
      'no-such-name The collection "things" has no field "nope", which a reference names. Its fields are id, to.',
    ],
  ],
  [
    api(
      `  a: defineCollection({ purpose: "A.", schema: z.strictObject({ id: slug, n: z.int(), b: «reference("b", { by: "n" })» }), key: "id" }),
  b: defineCollection({ purpose: "B.", schema: z.strictObject({ id: slug, n: z.number(), a: reference("a", { by: "n" }) }), key: "id" }),`,
      ', documents: { d: defineDocument({ purpose: "D.", schema: z.strictObject({ a: «reference("a", { by: "n" })» }) }) }',
    ),
    [
      'circular The collection "a" needs itself before it is read: a → b → a. Give one of them a key of its form, files of its own, or a reference by key.',
      'unsuitable-field The field n of the collection "b" cannot be used in a reference. It must be a string or an integer, possibly null.',
    ],
    'unsuitable-field The field a of the document "d" refers by another field, which a document, a union and items made with from cannot do. Leave by out, and write the key.',
  ],
  [
    `const tree = (): any => z.strictObject({ get children() { return z.array(tree()); } });\n${field("«tree()»")}`,
    'unsupported-schema The field odd of the collection "things" contains itself, which is not supported. Declare as many levels as the data has, or z.record(z.string(), z.unknown()).',
  ],
  [
    things('«files»: "things", load: () => [],'),
    'wrong-option The collection "things" has both files and load, but its items come from one of them. Remove one.',
  ],
  ["const a = {«;»", 'does-not-compile This does not compile: Expected identifier but found ";".'],
  [
    'import { x } from «"./missing.ts"»;\nexport default x;',
    'does-not-compile There is no module "./missing.ts". Check its path.',
  ],
  [
    'import x from «"no-such-package/data"»;\nexport default x;',
    'does-not-compile There is no module "no-such-package/data". Install it: npm install no-such-package. If it is installed, it does not export this path.',
  ],
  ["export default «await» Promise.resolve(1);", "does-not-compile A declaration cannot use await outside a function."],
  ['const a = 1;\n  throw «new» Error("No luck today.");', "throws This fails: No luck today."],
  ["const size = count + «id»;", "throws This fails: id is not defined."],
  ['«»throw "a string";', "throws This fails: a string."],
  ["z.strictObject({ id: slug }).«parse»({ id: 5 });", "throws A value does not match its schema here: id."],
  [
    "«»export const api = defineApi({ collections: {} });",
    "no-declaration There is no default export. Write export default defineApi({ collections: { … } }).",
  ],
  [
    `export default ${marking("defineCollection", valid())};`,
    "no-declaration The default export is an object, not an API. Write export default defineApi({ collections: { … } }).",
  ],
  [
    "export default «defineApi»({ collections: {} });",
    "empty-api The API has no collections and no documents. Declare one with defineCollection.",
  ],
  [
    "export default «defineApi»(undefined as any);",
    "missing-option The API must have the option collections. Its value must be an object.",
  ],
  [
    marking("defineApi", api("", ',\n  «bse»: "/v1"')),
    "empty-api The API has no collections and no documents. Declare one with defineCollection.",
    'unknown-option The API has no option "bse". Did you mean "base"?',
  ],
  ...["/api/", "/API/v1", "/../v1", "/routing.json", "/404.html"].map(
    (base): Case => [
      api(`a: ${valid()}`, `, base: «"${base}"»`),
      `wrong-option The option base of the API must be a path such as /api/v1: slashes, each before lowercase letters, digits, dots and hyphens, none of which end in .json or .html, but is "${base}".`,
    ],
  ),
  ...Object.entries({ "/routing": "routing.json", "/vercel": "vercel.json", "/llms.txt/v1": "llms.txt" }).map(
    ([base, file]): Case => [
      api(`a: ${valid()}`, `, base: «"${base}"»`),
      `invalid-name The base ${base} is reserved, because ${file} is another file of a build. Give the API another base.`,
    ],
  ),
  ...[
    'z.union([z.enum(["a", "b"]), z.int()])',
    "z.union([z.int(), z.string()])",
    "z.union([z.boolean(), z.int()])",
  ].map(
    (schema): Case => [
      things('filters: { odd: «"odd" as any» },', `id: slug, odd: ${schema}`),
      'unsuitable-field The field odd of the collection "things" cannot be used in its filter "odd". It must be a string, an integer, true or false, a reference or words(…), of one type and possibly null, or a list of them. A function derives the values of anything else.',
    ],
  ),
  [
    api('  «a»: { purpose: "A" } as any,'),
    'wrong-option The collection "a" must be the result of defineCollection, but is an object. Write defineCollection({ … }).',
  ],
  [
    api(`  «a»: defineDocument({ purpose: "A.", schema: z.strictObject({}) }) as any,`),
    'wrong-option The collection "a" must be the result of defineCollection, but is an object. Write defineCollection({ … }).',
  ],
  [things("«pagd»: false,"), 'unknown-option The collection "things" has no option "pagd". Did you mean "paged"?'],
  [
    things('«filtrs»: { a: "on", b: "on" },\n    together: [["a", "b"]] as any,', "id: slug, on: flag"),
    'unknown-option The collection "things" has no option "filtrs". Did you mean "filters"?',
  ],
  [
    things("«describe»: 5,"),
    'unknown-option The collection "things" has no option "describe". Its options are purpose, noun, schema, written, key, order, orders, filters, together, paged, item, brief, files, load, transform, from, published, cache, defining, deprecated.',
  ],
  [
    api("  a: «defineCollection»({} as any),"),
    [
      'missing-option The collection "a" must have the option purpose. Its value must be one line of text, not empty.',
      'missing-option The collection "a" must have the option schema. Its value must be a z.strictObject({ … }).',
      'missing-option The collection "a" must have the option key. Its value must be a string or a list of at least 1 item.',
    ],
  ],
  [
    things("").replace('"Things."', '«"  "»'),
    'wrong-option The option purpose of the collection "things" must be one line of text, not empty, but is "  ".',
  ],
  [
    things('noun: «{ one: "thing" } as any»,'),
    'missing-option The option noun of the collection "things" must have the option many. Its value must be one line of text, not empty.',
  ],
  [
    things('cache: «"public\\nmax-age=60"»,'),
    'wrong-option The option cache of the collection "things" must be a value of the header Cache-Control, such as public, max-age=60, but is "public\\nmax-age=60".',
  ],
  [
    things('order: «"id" as any»,'),
    'wrong-option The option order of the collection "things" must be a list, but is "id".',
  ],
  [
    things('order: [«"tags" as any»],', "id: slug, tags: z.array(slug)"),
    'unsuitable-field The field tags of the collection "things" cannot be used in its order. It must be a string, a number, or true or false, possibly null, and always of one type.',
  ],
  [
    things('order: [«"-idd" as any»],'),
    'no-such-name The collection "things" has no field "idd", which its order names. Did you mean "id"?',
  ],
  [
    things("«written»: z.strictObject({ id: slug }),"),
    'wrong-option The collection "things" has the option written, but no transform: its files have what schema says. Remove it.',
  ],
  [
    things("transform: (raw) => raw, written: «z.string() as any»,"),
    'unsupported-schema The written of the collection "things" is not a schema of an object. Use z.strictObject({ … }) of zod 4: import * as z from "zod".',
  ],
  [
    things('transform: (raw) => raw, written: z.strictObject({ a: «z.date()», b: «reference("thing")» }),'),
    'unsupported-schema The field a of the collection "things" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
    'no-such-name The field b of the collection "things" refers to "thing", which is not a collection. Did you mean "things"?',
  ],
  [
    things('«brief»: ["id"],'),
    'wrong-option The collection "things" has brief lists, but its single items have no paths. Add item: true, or remove brief.',
  ],
  [
    things('item: true, order: ["-size"], brief: «["id", «"ide" as any»]»,'),
    'wrong-option The brief of the collection "things" lacks size, by which its lists are sorted. Add it to brief: clients need it to continue a list.',
    'no-such-name The collection "things" has no field "ide", which brief names. Did you mean "id"?',
  ],
  [
    things('item: { aliases: «"on" as any» },', "id: slug, on: flag"),
    'unsuitable-field The field on of the collection "things" cannot be used in item.aliases. It must be a string, an integer, or a list of them, but not a reference.',
  ],
  [
    things('item: { aliases: «"names"» },', "id: slug, of: slug, names: z.array(slug)").replace(
      '"id",',
      '["of", "id"],',
    ),
    'wrong-option The collection "things" has aliases, but its key has several fields. Write item: true.',
  ],
  [
    things('filters: { size: «"size" as any» },', "id: slug, size: z.number()"),
    'unsuitable-field The field size of the collection "things" cannot be used in its filter "size". It must be a string, an integer, true or false, a reference or words(…), of one type and possibly null, or a list of them. A function derives the values of anything else.',
  ],
  [
    things('filters: { size: { field: «"size"», slug: true } as any },'),
    'unsuitable-field The field size of the collection "things" cannot be used in its filter "size". It must be a string or a list of strings, possibly null.',
  ],
  [
    things('filters: { size: { keysOf: «"size"» } as any },'),
    'unsuitable-field The field size of the collection "things" cannot be used in its filter "size". It must be a record, such as z.record(z.string(), …).',
  ],
  [
    things('published: false, «item»: true, «filters»: { id: "id" },').replace(
      "  things:",
      `  others: ${valid()},\n  things:`,
    ),
    'wrong-option The collection "things" is not published, but has the option item, which is about answers. Remove one.',
    'wrong-option The collection "things" is not published, but has the option filters, which is about answers. Remove one.',
  ],
  [
    `const shared = { size: z.date() };\n${things("", "id: slug, in: z.strictObject({ size: z.int() }), ...shared").replace("schema", "«schema»")}`,
    'unsupported-schema The field size of the collection "things" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
  ],
  [
    things("", 'id: slug, size: «image({ max: "2 megs" })», other: «file({ types: ["png"] })»'),
    'wrong-option The field size of the collection "things" has a max that is not a size. Write a number and a unit, such as "2MB".',
    'wrong-option The field other of the collection "things" has types that are not a list of media types. Write ["image/png"].',
  ],
  [
    api(
      `  things: ${valid('schema: z.strictObject({ id: slug, size: slug }), key: ["id", "size"],')}, others: ${valid()}`,
      `, outputs: {
  "things/{id}/{size}/a": { each: "things", type: "text/plain", render: () => "" },
  «"things/{id}/a.txt"»: { each: "things", render: () => "" },
  «"things/{id}/{size}/{id}/a.txt"»: { each: "things", render: () => "" },
  «"others/{id}/a.txt"»: { each: "things", render: () => "" },
  «"others/{id}/b"»: { each: "others", render: () => "" },
  «"others/{id}/c.txt"»: { render: () => "" } }`,
    ),
    'invalid-name The path of the output "things/{id}/a.txt" is one of the collection "things". Change its first part, or write the key and parts without fields behind it, such as "things/{id}/{size}/more.json".',
    'invalid-name The path of the output "things/{id}/{size}/{id}/a.txt" is one of the collection "things". Change its first part, or write the key and parts without fields behind it, such as "things/{id}/{size}/more.json".',
    'wrong-option The output "others/{id}/a.txt" is below the items of others, but made for each item of another collection. Write each: "others", or change its first part.',
    'missing-option The ending of the output "others/{id}/b" is not that of a known Content-Type. Write it as type, such as type: "application/geo+json".',
    'missing-option The output "others/{id}/c.txt" has {id} in its path, but no each. Write each, the name of the collection with the field.',
  ],
  [
    things(
      "",
      "id: slug, size: image()",
      `, outputs: {
  «"files/{id}.png"»: { each: "things", render: () => "" },
  "/files/{id}.png": { each: "things", render: () => "" },
  "files.json": { render: () => "" } }`,
    ),
    'invalid-name The path of the output "files/{id}.png" is one of the files beside the data. Change its first part.',
  ],
  [
    things("", "id: slug, size: «z.tuple([slug]).rest(image())», other: «z.object({}).catchall(file())»"),
    'unsuitable-field The field size of the collection "things" has files as its further values, which have no names. Use image() or file() in a field, a list or a record.',
    'unsuitable-field The field other of the collection "things" has files as its further values, which have no names. Use image() or file() in a field, a list or a record.',
  ],
  [
    things("", "id: slug, size: «z.union([image(), z.int()])»"),
    'unsuitable-field The field size of the collection "things" names a file, which a document and a union cannot do. Use image() or file() in a field of a collection.',
  ],
  [
    marking("defineApi", things("published: false,")),
    "empty-api The API has no published collections and no documents. Declare one with defineCollection.",
  ],
  [
    things(
      'filters: { maker: «"parts[].makr"», part: { field: «"parts[].size"» }, first: «"parts.name"» },',
      "id: slug, parts: z.array(z.strictObject({ maker: slug, size: z.number() }))",
    ),
    'no-such-name The collection "things" has no field "parts[].makr", which its filter "maker" names. Did you mean "parts[].maker"?',
    'unsuitable-field The field parts[].size of the collection "things" cannot be used in its filter "part". It must be a string, an integer, true or false, a reference or words(…), of one type and possibly null, or a list of them. A function derives the values of anything else.',
    'no-such-name The collection "things" has no field "parts.name", which its filter "first" names. Its fields are id, parts.',
  ],
  [
    things('filters: { state: «"state"» },', 'id: slug, state: z.enum(["on", "not on"])'),
    'unsuitable-field The field state of the collection "things" cannot be used in its filter "state". "not on" cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot. With { field, slug: true }, the filter has the values on, not-on.',
  ],
  [
    things('filters: { state: «"state"» },', 'id: slug, state: z.enum(["on", "o~n"])'),
    'unsuitable-field The field state of the collection "things" cannot be used in its filter "state". "o~n" cannot be in a path: many programs send ~ as %7E. Write another character. With { field, slug: true }, the filter has the values on, o-n.',
  ],
  [
    things('filters: { odd: { of: (item) => item.id, values: «["a", "a~b"]» } },'),
    'wrong-option The values of the filter "odd" of the collection "things" cannot be used. "a~b" cannot be in a path: many programs send ~ as %7E. Write another character.',
  ],
  [
    marking('"id"', things("", 'id: z.enum(["a", "a~b"])')),
    'unsuitable-field The field id of the collection "things" cannot be used in its key. "a~b" cannot be in a path: many programs send ~ as %7E. Write another character.',
  ],
  [
    things('item: { aliases: «"other"» },', 'id: slug, other: z.array(z.enum(["a", "a~b"]))'),
    'unsuitable-field The field other of the collection "things" cannot be used in item.aliases. "a~b" cannot be in a path: many programs send ~ as %7E. Write another character.',
  ],
  [
    marking('"id"', things("", 'id: z.enum(["a", "a b"])')),
    'unsuitable-field The field id of the collection "things" cannot be used in its key. "a b" cannot be in a path: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.',
  ],
  [
    things('filters: { state: «"state"» },', 'id: slug, state: z.enum(["on", "on.json"])'),
    'unsuitable-field The field state of the collection "things" cannot be used in its filter "state". "on.json" cannot be in a path: no value ends in .json, .json.br or .json.gz. With { field, slug: true }, the filter has the values on, on-json.',
  ],
  [
    things('filters: { state: «"state"» },', 'id: slug, state: z.enum(["on", "ON"])'),
    'unsuitable-field The field state of the collection "things" cannot be used in its filter "state". "ON" is there twice, as paths may ignore case.',
  ],
  [
    things(
      'filters: {\n      «limit»: "on",\n      «"Is-On"»: "on",\n      a_b: "on",\n      «"a-b"»: "on",\n    },',
      "id: slug, on: flag",
    ),
    'invalid-name The name "limit" is reserved. Give the parameter another name.',
    'invalid-name "Is-On" is not a valid name of a parameter. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
    'duplicate-name The parameters "a_b" and "a-b" of the collection "things" differ only in hyphens and underscores. Rename one of them.',
  ],
  [
    things('«filters»: { a: "on", b: "on", c: "on", d: "on", e: "on", f: "on", g: "on" },', "id: slug, on: flag"),
    'too-many The collection "things" has 7 filters, but a collection can have at most 6. Remove those that consumers need least.',
  ],
  [
    things(
      'orders: {\n      «same»: ["id"],\n      «"A-z"»: ["-id"],\n      lost: [«"-idd" as any»],\n      «down»: ["-id"],\n    },',
    ),
    'wrong-option The order "same" of the collection "things" is the order of its lists. Remove it.',
    'invalid-name "A-z" is not a valid name of an order. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
    'no-such-name The collection "things" has no field "idd", which its order names. Did you mean "id"?',
    'wrong-option The order "down" of the collection "things" is its order "A-z". Remove it.',
  ],
  [
    things('orders: { [«"__proto__"»]: null as any, «down»: ["id"] },'),
    'invalid-name The option orders of the collection "things" cannot have an entry with the name "__proto__". Give it another name.',
    'wrong-option The order "down" of the collection "things" is the order of its lists. Remove it.',
  ],
  [
    things('orders: { «more»: ["id", "on"], down: ["-id"], «twice»: ["-id", "id"] },', "id: slug, on: flag"),
    'wrong-option The order "more" of the collection "things" is the order of its lists. Remove it.',
    'wrong-option The order "twice" of the collection "things" is its order "down". Remove it.',
  ],
  [
    things('filters: { a: "on", b: "on" }, together: [«["a"]»] as any,', "id: slug, on: flag"),
    'wrong-option The option together[0] of the collection "things" must be a list of two or three different parameters, but has 1.',
  ],
  [
    things('filters: { color: "on", b: "on" },\n    together: [[«"colour"», "b"]] as any,', "id: slug, on: flag"),
    'no-such-name The collection "things" has no parameter "colour", which together names. Did you mean "color"?',
  ],
  [
    things(
      'files: ["things/*.csv", «"content/things/*.csv"», «"./a.csv"», «"a/{id"», «"deployments/*.yaml"», «"a\\\\b.csv"»],',
    ),
    'wrong-option The option files[1] of the collection "things" must be a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md", but is "content/things/*.csv".',
    'wrong-option The option files[2] of the collection "things" must be a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md", but is "./a.csv".',
    'wrong-option The option files[3] of the collection "things" must be a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md", but is "a/{id".',
    'wrong-option The option files[4] of the collection "things" must be a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md", but is "deployments/*.yaml".',
    'wrong-option The option files[5] of the collection "things" must be a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md", but is "a\\\\b.csv".',
  ],
  [
    things('files: «"things/{ok}.md"»,', "id: slug, ok: flag"),
    'unsuitable-field The field ok of the collection "things" cannot be used in files. It must be a string or a number.',
  ],
  [
    things("from: «[] as any»,"),
    'wrong-option The option from of the collection "things" must be the result of from(…), with a function or { by, make }: ...from(products, (product) => product.releases), but is an empty list.',
  ],
  [
    `const other = ${valid()};\n${things("...«from»(other, () => []),")}`,
    'no-such-name The items of the collection "things" are made from a collection that the API does not have. Add it to collections, or name another.',
  ],
  [
    `const other = ${valid()};\n${things("...from(other, () => []), «transform»: (raw) => raw,").replace("collections: {", "collections: { other,")}`,
    'wrong-option The collection "things" has both transform and from, but its items come from one of them. Remove one.',
  ],
  [
    `const a = ${valid()};\nconst b = ${valid()};\n${api(`a, b, c: ${valid("...«from»([a, b], { by: ({ id }) => id, make: (id) => ({ id }) }),")}`)}`,
    'wrong-option The items of the collection "c" are made from groups of several collections. Name one, which may be made from several with from.',
  ],
  [
    `const a: any = ${marking("defineCollection", valid("from: { get collections() { return [b]; }, make: () => [], site: undefined },"))};\nconst b: any = ${valid("...from(a, () => []),")};\n${api("a, b")}`,
    'circular The collection "a" needs itself before it is read: a → b → a. Give one of them a key of its form, files of its own, or a reference by key.',
  ],
  [
    `const a = ${valid()};\n${api('  b: extend(a, { fields: { size: «z.date()» }, filters: { id: "id", big: «"bigg" as any» } }),')}`,
    'unsupported-schema The field size of the collection "b" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
    'no-such-name The collection "b" has no field "bigg", which its filter "big" names. Its fields are id, size.',
  ],
  [
    `const a = ${valid('order: [«"odd" as any»],')};\n${api("  b: extend(a, { paged: «5 as any» }),")}`,
    'no-such-name The collection "b" has no field "odd", which its order names. Its fields are id.',
    'wrong-option The option paged of the collection "b" must be true or false, but is the number 5.',
  ],
  [
    things(
      'files: { match: "a.csv", format: «"cvs"», delimiter: «";;"», «quotes»: "x", items: «"a..b"», encoding: «"x"» } as any,',
    ),
    'wrong-option The option files.format of the collection "things" must be one of yaml, json, jsonc, ndjson, csv, markdown, toml, text, but is "cvs". Did you mean "csv"?',
    'wrong-option The option files.delimiter of the collection "things" must be one character between cells, but is ";;".',
    'unknown-option The option files of the collection "things" has no option "quotes". Did you mean "quote"?',
    'wrong-option The option files.items of the collection "things" must be names of members joined by dots, with * at the end for every member, such as "features", "data.nodes" or "*", but is "a..b".',
    'wrong-option The option files.encoding of the collection "things" must be a label of the Encoding standard that this program knows, such as windows-1252, but is "x".',
  ],
  [
    things(
      'files: [{ match: "a.json", format: "json", «delimiter»: ";", header: ["id"] }, { match: "b", «memberName»: "id" }, { match: "c", format: "csv", «items»: "x" }, { match: "f", format: "text", «items»: "x" }, { match: "e", delimiter: "|", «quote»: "|" }, { match: "{id}.d", header: ["id", «"odd"»] }],',
    ),
    'wrong-option The collection "things" has files of the format json with the option delimiter, which is for CSV. Remove one.',
    'wrong-option The collection "things" names members by memberName, but items does not end with *. Write items: "*".',
    'wrong-option The collection "things" has files of the format csv with the option items, but each line is an item. Remove it.',
    'wrong-option The collection "things" has files of the format text with the option items, but each file is an item. Remove it.',
    'wrong-option The collection "things" has the same character between and around the cells of a file. Name another delimiter or quote.',
    'no-such-name The collection "things" has no field "odd", which files names. Its fields are id, size.',
  ],
  [
    things('files: [{ match: "a.tsv", quote: "," }, { match: ["b.csv", "c.tsv"], «quote»: "," }],'),
    'wrong-option The collection "things" has the same character between and around the cells of a file. Name another delimiter or quote.',
  ],
  [
    things('files: { match: "a.csv", delimiter: «"😀"», quote: «"😀"» },'),
    'wrong-option The option files.delimiter of the collection "things" must be one character between cells, but is "😀".',
    'wrong-option The option files.quote of the collection "things" must be one character around cells, or false, but is "😀".',
  ],
  [
    things('files: { match: "a.csv", header: ["id"], «rename»: { a: "id" } },'),
    'wrong-option The collection "things" names the columns of a file by header, and renames them by rename. Remove one.',
  ],
  [
    things('files: { match: "a.csv", rename: «{ a: "id", b: "id" }», decimal: «";"» } as any,'),
    'wrong-option The option files.rename of the collection "things" must be names that all differ.',
    'wrong-option The option files.decimal of the collection "things" must be "." or ",", but is ";".',
  ],
  [
    `const other = ${valid()};\n${things("", 'id: slug, own: «reference("other", { by: "id", missing: "warn" })»').replace("collections: {", "collections: { other,")}`,
    'wrong-option The field own of the collection "things" has both by and missing: what leads nowhere has no key. Remove one.',
  ],
  [
    things('files: «"things/{owner}"»,', 'id: slug, own: reference("things")'),
    'no-such-name The collection "things" has no field "owner", which files names. Did you mean "own"?',
  ],
  [
    things("", 'id: slug, size: count, other: «reference("things")»').replace('key: "id"', 'key: ["id", "size"]'),
    'unsuitable-field The field other of the collection "things" refers to "things", whose key has several fields. A reference holds a key that is one string or one integer.',
  ],
  [
    marking('"id"', things("", "id: slug.optional(), size: count")),
    'unsuitable-field The field id of the collection "things" cannot be used in its key. It must be a string or an integer in every item.',
  ],
  [
    api('  a: defineCollection({ purpose: "A.", schema: «z.array(slug) as any», key: "id" as any }),'),
    'unsupported-schema The schema of the collection "a" is not a schema of an object. Use z.strictObject({ … }) of zod 4: import * as z from "zod".',
  ],
  [
    `import { z as z3 } from "zod/v3";\n${field("«z3.string() as any»")}`,
    'unsupported-schema The field odd of the collection "things" is an object, not a schema of zod 4. Import it: import * as z from "zod".',
  ],
  ...["z.string().transform(Number)", "z.string().pipe(slug)", "z.preprocess(Number, count)", "z.stringbool()"].map(
    (schema): Case => [
      field(`«${schema}»`),
      'unsupported-schema The field odd of the collection "things" has .transform(), .pipe() or another function that changes values. Declare the value as it is answered.',
    ],
  ),
  ...["z.bigint()", "z.symbol()", "z.void()", "z.nan()", "z.file()", "z.never()", "z.function() as any"].map(
    (schema): Case => [
      field(`«${schema}»`),
      `unsupported-schema The field odd of the collection "things" is ${schema.replace(" as any", "")}, which is not supported. Declare the value as it is answered.`,
    ],
  ),
  [
    things("", "id: slug, constructor: z.string().nullable(), part: z.object({ toString: «count.optional()» })"),
    'unsupported-schema The field part.toString of the collection "things" may be left out, and has the name of a property of every object. Use .nullable(), so that each item has the field, or another name.',
  ],
  [
    things("", 'id: slug, part: z.object({ ["__proto__"]: «count» })'),
    'unsupported-schema The field part.__proto__ of the collection "things" has a name that zod does not check. Give it another name.',
  ],
  [
    field('«z.record(reference("things", { by: "size" }), count)»'),
    'unsupported-schema The field odd of the collection "things" is a record whose keys are references by another field. Refer by the key: leave out by.',
  ],
  [
    things(
      "",
      'id: slug, «odd»: fromJsonSchema({ properties: { a: { type: "string", format: "iri" }, b: { not: {} } } })',
    ),
    [
      'unsupported-schema The field odd.a of the collection "things" has the format iri, which is not supported. Write a pattern, or leave the format out.',
      'unsupported-schema The field odd.b of the collection "things" has the keyword not, which is not supported. Leave it out, and add .refine() to the schema.',
    ],
  ],
  [
    field("«z.looseObject({}).catchall(z.coerce.number())»"),
    'unsupported-schema The field odd of the collection "things" is z.coerce.number(), which changes values. Declare the value as it is answered.',
  ],
  [
    field("«z.coerce.number()»"),
    'unsupported-schema The field odd of the collection "things" is z.coerce.number(), which changes values. Declare the value as it is answered.',
  ],
  [
    field("«z.string().trim()»"),
    'unsupported-schema The field odd of the collection "things" has a method that changes values, such as .trim() or .toLowerCase(). Use .regex() or .refine().',
  ],
  [
    field("«z.date()»"),
    'unsupported-schema The field odd of the collection "things" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
  ],
  [
    field("«z.literal(undefined)»"),
    'unsupported-schema The field odd of the collection "things" has no values, or some that JSON does not have. Declare the value as it is answered.',
  ],
  [
    field("«z.record(z.number(), z.string())»"),
    'unsupported-schema The field odd of the collection "things" is a record whose keys are not strings. Use z.record(z.string(), …).',
  ],
  [
    field("«z.record(z.string().trim(), z.string())»"),
    'unsupported-schema The field odd of the collection "things" has a method that changes values, such as .trim() or .toLowerCase(). Use .regex() or .refine().',
  ],
  [
    field('«"text" as any»'),
    'unsupported-schema The field odd of the collection "things" is "text", not a schema of zod 4. Import it: import * as z from "zod".',
  ],
  [
    field("z.strictObject({ list: z.array(z.strictObject({\n      when: «z.date()» })) })"),
    'unsupported-schema The field odd.list.when of the collection "things" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
  ],
  [
    field("z.strictObject({ a: z.string(), get inner() { return z.array(z.strictObject({ b: this })) as any; } })")
      .replace("this", "tree")
      .replace(/odd: (.*) \}\),$/m, "«odd»: tree }),")
      .replace(/^/, "const tree = z.strictObject({ name: slug, get children(): any { return z.array(tree); } });\n"),
    'unsupported-schema The field odd.children of the collection "things" contains itself, which is not supported. Declare as many levels as the data has, or z.record(z.string(), z.unknown()).',
  ],
  [
    field('«reference("thing")»'),
    'no-such-name The field odd of the collection "things" refers to "thing", which is not a collection. Did you mean "things"?',
  ],
  [
    field('«z.record(reference("thing"), z.string())»'),
    'no-such-name The field odd of the collection "things" refers to "thing", which is not a collection. Did you mean "things"?',
  ],
  [
    field('«z.record(words("state", z.int() as any), z.string())»'),
    'unsupported-schema The field odd of the collection "things" has words with a form that is not a schema of a string. Use a form from "stillapi/forms", or leave it out.',
  ],
  [
    field('«words("State")»'),
    'invalid-name "State" is not a valid name of a vocabulary. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
  ],
  [
    field('«words("state", z.int() as any)»'),
    'unsupported-schema The field odd of the collection "things" has words with a form that is not a schema of a string. Use a form from "stillapi/forms", or leave it out.',
  ],
  [
    api(
      `  a: defineCollection({ purpose: "A.", schema: z.strictObject({ id: slug, s: words("state"), t: «words("state", slug)» }), key: "id" }),`,
    ),
    'differing-words The words of the vocabulary "state" have another form in the field t of the collection "a" than in a field before it. Use one form, or rename one of the vocabularies.',
  ],
  [
    api(
      `  c: defineCollection({ purpose: "C.", schema: z.strictObject({ id: reference("a") }), key: "id" }),\n  a: defineCollection({ purpose: "A.", schema: z.strictObject({ id: «reference("b")» }), key: "id" }),\n  b: defineCollection({ purpose: "B.", schema: z.strictObject({ id: reference("a") }), key: "id" }),`,
    ),
    'circular The collection "a" needs itself before it is read: a → b → a. Give one of them a key of its form, files of its own, or a reference by key.',
  ],
  [
    api(
      `  «Things»: ${valid()},\n  «a__b»: ${valid()},\n  «docs»: ${valid()},\n  «then»: ${valid()},\n  «"4"»: ${valid()},\n  «${"x".repeat(33)}»: ${valid()},`,
    ),
    'invalid-name "Things" is not a valid name of a collection. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
    'invalid-name "a__b" is not a valid name of a collection. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
    'invalid-name The name "docs" is reserved. Give the collection another name.',
    'invalid-name The name "then" is reserved. Give the collection another name.',
    'invalid-name "4" is not a valid name of a collection. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
    'invalid-name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not a valid name of a collection. A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.',
  ],
  [
    api(`  «"cursors-2"»: ${valid()},\n  "cursors-all": ${valid()},`),
    'invalid-name The name "cursors-2" is reserved. Give the collection another name.',
  ],
  [
    api(`  mime_types: ${valid()},\n  «"mime-types"»: ${valid()},`),
    'duplicate-name The names of the collection "mime_types" and the collection "mime-types" differ only in hyphens and underscores. Rename one of them.',
  ],
  [
    `const schema = z.strictObject({ id: slug }).meta({ title: "Thing" });\n${api('  a: defineCollection({ purpose: "A.", schema, key: "id" }),\n  b: defineCollection({ purpose: "B.", «schema», key: "id" }),')}`,
    'duplicate-name The collection "a" and the collection "b" both have the title "Thing". Change one of the titles, with .meta({ title }).',
  ],
  [
    `const schema = z.strictObject({ id: slug }).meta({ title: "a thing" });\n${api('  a: defineCollection({ purpose: "A.", «schema», key: "id" }),')}`,
    'invalid-name The title of the collection "a" is "a thing", which is not a valid name of a type. Write letters and digits, such as "A".',
  ],
  [
    `const fields = {\n  id: slug,\n  born: z.date(),\n};\nconst thing = z.strictObject(fields);\nconst other = z.strictObject({\n  id: slug,\n  born: «z.date()»,\n});\n${api('  a: defineCollection({ purpose: "A.", «schema»: thing, key: "id" }),\n  b: defineCollection({ purpose: "B.", schema: other, key: "id" }),')}`,
    'unsupported-schema The field born of the collection "b" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
    'unsupported-schema The field born of the collection "a" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
  ],
  [
    api(
      `  a: ${valid()},`,
      ', documents: {\n  status: defineDocument({ purpose: «""», schema: z.strictObject({ on: «z.date()» }), required: «1 as any», «paged»: true } as any) }',
    ),
    'wrong-option The option purpose of the document "status" must be one line of text, not empty, but is "".',
    'unsupported-schema The field on of the document "status" is z.date(), which is not supported. Use time from "stillapi/forms", or z.iso.date().',
    'wrong-option The option required of the document "status" must be true or false, but is the number 1.',
    'unknown-option The document "status" has no option "paged". Its options are purpose, schema, required, transform, written, cache, deprecated.',
  ],
  [
    api(
      `  a: ${valid()},`,
      `, pages: {\n  «map»: { title: «""», render: «"x" as any», scope: «"A"» },\n  «"docs/Map"»: «{ «titel»: "X" } as any»,\n  «"docs/index"»: «5 as any»,\n  "docs/a/b-2": { title: "Fine", render: () => undefined, style: "p { margin: 0 }" } }`,
    ),
    'invalid-name "map" is not a valid name of a page. It is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most 100 characters.',
    'wrong-option The option pages.map.title of the API must be one line of text, not empty, but is "".',
    'wrong-option The option pages.map.render of the API must be a function, but is "x".',
    'wrong-option The option pages.map.scope of the API must be a class of lowercase letters, digits and hyphens, but is "A".',
    'invalid-name "docs/Map" is not a valid name of a page. It is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most 100 characters.',
    'missing-option The option pages["docs/Map"] of the API must have the option render. Its value must be a function.',
    'unknown-option The option pages["docs/Map"] of the API has no option "titel". Did you mean "title"?',
    'invalid-name The name "docs/index" is reserved. Give the page another name.',
    'wrong-option The option pages["docs/index"] of the API must be an object with title and render, but is the number 5.',
  ],
  [
    things('deprecated: { since: «"2026-02-30"», «sunst»: "2027-01-01", use: "thing", why: «""» } as any,'),
    'wrong-option The option deprecated.since of the collection "things" must be a date, such as 2026-11-20, but is "2026-02-30".',
    'unknown-option The option deprecated of the collection "things" has no option "sunst". Did you mean "sunset"?',
    'wrong-option The option deprecated.why of the collection "things" must be one line of text, not empty, but is "".',
  ],
  [
    things(
      'filters: { size: { field: "size", deprecated: { since: "2027-01-01", sunset: «"2026-12-31"», use: "sized" } }, sizes: { field: "size", deprecated: «{} as any» } },',
    ),
    'wrong-option The option filters.size.deprecated.sunset of the collection "things" must be a date that is not before since, but is "2026-12-31".',
    'missing-option The option filters.sizes.deprecated of the collection "things" must have the option since. Its value must be a date, such as 2026-11-20.',
  ],
  [
    things(
      'orders: { back: { fields: ["-id"], deprecated: { since: "2026-12-01", use: «"bakc"» } }, by: { fields: ["-size"], deprecated: { since: "2026-12-01", use: "back" } } },',
    ),
    'wrong-option The deprecation of the order "back" of the collection "things" says to use "bakc", but there is no other of that name. The others are: by.',
  ],
  [
    things("orders: { none: { fields: «[]» } },"),
    'wrong-option The option orders.none.fields of the collection "things" must be a list of at least 1 item, but is an empty list.',
  ],
  [
    things(
      "",
      `id: slug, old: deprecated(count, { since: "2026-12-01", use: «"sizes"» }).optional(), parts: z.array(z.strictObject({ a: deprecated(slug, { since: "2026-12-01", use: "old" }) })), tags: «z.array(deprecated(slug, { since: "2026-12-01" }))», odd: «slug.meta({ deprecated: true })», size: count`,
    ),
    'wrong-option The deprecation of the field old of the collection "things" says to use "sizes", but there is no other of that name. Did you mean "size"?',
    'wrong-option The field tags[] of the collection "things" is deprecated, but only collections, documents, filters, orders and fields can be. Use deprecated(slug, { since: "2026-12-01" }) of "stillapi/forms".',
    'wrong-option The field odd of the collection "things" is deprecated without a notice. Use deprecated(slug, { since: "2026-12-01" }) of "stillapi/forms".',
  ],
  [
    things("", "id: slug, x: «deprecated(slug, 5 as any)»")
      .replace("z.strictObject(", "«deprecated(z.strictObject(")
      .replace(" }),", ' }), { since: "2026-12-01" })»,'),
    'wrong-option The schema of the collection "things" is deprecated, but only collections, documents, filters, orders and fields can be. Use deprecated(slug, { since: "2026-12-01" }) of "stillapi/forms".',
    'wrong-option The deprecation of the field x of the collection "things" must be an object with since, but is the number 5.',
  ],
  [
    api(
      `  a: ${valid('deprecated: { since: "2026-12-01", use: "b" }')},\n  b: ${valid('deprecated: { since: "2026-12-01", use: «"statu"» }')},`,
      ', documents: { status: defineDocument({ purpose: "Status.", schema: z.strictObject({ on: z.boolean() }), deprecated: { since: "2026-12-01" } }) }',
    ),
    'wrong-option The deprecation of the collection "b" says to use "statu", but there is no other of that name. Did you mean "status"?',
  ],
  [
    api(
      `  a: ${valid("published: false,")},\n  b: ${valid('deprecated: { since: "2026-12-01", use: «"a"» }')},\n  c: ${valid()},`,
      `, outputs: { "x.txt": { render: () => "", deprecated: { since: "2026-12-01", use: «"a"» } } }`,
    ),
    'wrong-option The deprecation of the collection "b" says to use "a", but there is no other of that name. The others are: c.',
    'wrong-option The deprecation of the output "x.txt" says to use "a", but there is no other of that name. The others are: b, c.',
  ],
  [
    several(
      'defineApi({ base: "/api", ',
      'defineApi({ base: «"/api/v2"», ',
      'defineApi({ base: «"/api/v2"», deprecated: { since: "2026-12-01", use: «"/api/v3"» }, ',
    ),
    "duplicate-name The base /api is a part of the base /api/v2, so that both APIs have the paths below /api/v2. Give one of them another base, such as /api/v1 beside /api/v2.",
    "duplicate-name Two APIs have the base /api/v2. Give one of them another base.",
    'wrong-option The deprecation of the API /api/v2 says to use "/api/v3", but there is no other of that name. The others are: /api.',
  ],
  [
    several(
      "defineApi({ ",
      'defineApi({ base: "/api/v2", outputs: { «"/api/v1/a.json"»: { render: () => "" }, "/api/v1x/a.json": { render: () => "" } }, ',
    ),
    'invalid-name The path of the output "/api/v1/a.json" is below /api/v1, the base of another API. Declare it in that API.',
  ],
  [
    several("defineApi({ ", 'defineApi({ base: "/v2", title: «""», deprecated: { since: «"soon"» }, '),
    'wrong-option The option title of the API must be one line of text, not empty, but is "".',
    'wrong-option The option deprecated.since of the API must be a date, such as 2026-11-20, but is "soon".',
  ],
  [
    things('files: { «glob»: "x.csv" } as any,'),
    'unknown-option The option files of the collection "things" has no option "glob". Did you mean "match"?',
  ],
  [
    things('item: { «alias»: "size" } as any,'),
    'unknown-option The option item of the collection "things" has no option "alias". Did you mean "aliases"?',
  ],
  [
    things('filters: { n: «{ field: "size", keysOf: "size" }» } as any,'),
    'wrong-option The option filters.n of the collection "things" must be a string, a function, or an object with one of field, keysOf and of, but has field and keysOf.',
  ],
  [
    things('filters: { n: «5», size: «"siz"» } as any,'),
    'wrong-option The option filters.n of the collection "things" must be a string, a function, or an object with one of field, keysOf and of, but is the number 5.',
    'no-such-name The collection "things" has no field "siz", which its filter "size" names. Did you mean "size"?',
  ],
  [
    things('order: [«5», "id"] as any,'),
    'wrong-option The option order[0] of the collection "things" must be a string or an object with field, but is the number 5.',
  ],
];

it.for(cases)("reports the mistakes in case %$", async ([text, ...mistakes]) => {
  expect(await reported(unmarked(text))).toEqual([text, ...mistakes]);
});

/** What a hint says to write. */
const advised = /(?:Write|such as|Did you mean) "([^"]+)"/;

it.each([
  "/api/v1/x.json",
  "/api/v1/x/{id}.json",
  "/api/v1/things/{id}/sizes.json",
  "/api/v1/things.json",
  "/api/v1/docs/{id}.json",
  "/api/v1/{id}.json",
  "/api/v1/feeds/{id}.json",
])("advises no path that it refuses in place of the output %s", async (output) => {
  const declared = (path: string) =>
    api(
      `  things: ${valid()}, feeds: ${valid()}`,
      `, outputs: { ${JSON.stringify(path)}: { ${path.includes("{") ? 'each: "things", ' : ""}render: () => "" } }`,
    );
  const [, mistake] = await reported(declared(output));
  const [, path = ""] = advised.exec(String(mistake)) ?? [];
  expect(path).not.toBe("");
  expect((await reported(declared(path))).slice(1)).toEqual([]);
});

it("accepts a list that is always empty, and sorts and filters by what unions of one type are", async () => {
  const fields = `id: slug, none: z.array(z.never()), rank: z.union([z.literal(null), z.number()]), part: z.templateLiteral(["v", z.int()]), size: z.enum(Size), age: z.union([z.int(), z.literal([-1])])`;
  const options = 'order: ["rank"], filters: { part: "part", size: "size", age: "age" } as any,';
  writeFileSync(
    path.join(folder, "api.config.ts"),
    `enum Size { small = 1, large = 2 }\n${things(options, fields)}\n${imports}`,
  );
  const { declaration, errors } = await openedWithErrors({ folder });
  expect(errors).toEqual([]);
  const [list] = declaration.api?.lists ?? [];
  expect(list?.order[0]).toEqual({ field: "rank", type: "number", descending: false });
  expect(list?.filters.map(({ accepts }) => accepts)).toEqual([
    { kind: "occurring", type: "text" },
    { kind: "listed", type: "integer", values: ["1", "2"] },
    { kind: "occurring", type: "integer" },
  ]);
  expect(list?.schema({}).safeParse({ id: "a", none: [], rank: null, part: "v1", size: 1, age: 3 })).toMatchObject({
    success: true,
  });
});
