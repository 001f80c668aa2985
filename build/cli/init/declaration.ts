// The declaration of an API for the files that somebody has: surveys → names, places and keys → TypeScript.
import type { FileOptions } from "../../../src/declare/declare.ts";
import { ownField } from "../../../src/model/fields.ts";
import { slugOf } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import { stem } from "../../content/globs.ts";
import { isReservedOperation } from "../../declaration/names.ts";
import { quote } from "../../text/quote.ts";
import {
  codeOfField,
  type GuessedField,
  type GuessedFilter,
  guessFields,
  guessFilters,
  guessKey,
  indented,
  propertyName,
  textsAsCode,
} from "./guess.ts";
import { remarkOn } from "./remarks.ts";
import type { Survey } from "./survey.ts";

/** A collection, and where its data is in the new repository. */
export interface PlannedCollection {
  readonly name: string;
  readonly count: number;
  /** The property of the collection in the declaration. */
  readonly code: string;
  /** The names that it imports from stillapi/forms. */
  readonly imports: readonly string[];
  /** The files to write, by their paths below content/. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The glob of the files that editors complete; undefined if their schema does not describe whole files. */
  readonly edited: string | undefined;
  /** The folder of the files from that of the declaration, if they are not copied. */
  readonly folder: string | undefined;
  /** The members of its files that are not read, by their paths. */
  readonly besides: readonly string[];
  /** What a person must decide before the content is valid, as a sentence. */
  readonly decision: string | undefined;
}

/** A collection for each survey, with a name that no other has. Types have names without hyphens. */
export function planCollections(surveys: readonly Survey[]): readonly PlannedCollection[] {
  const names = new Set<string>();
  return surveys.map((survey) => {
    const usual = nameOf(survey.name);
    let name = usual;
    for (let number = 2; names.has(name.replaceAll("-", "")); number++) name = `${usual}-${number}`;
    names.add(name.replaceAll("-", ""));
    return planned(survey, name);
  });
}

/** The name of a file in the form of names of collections. */
function nameOf(file: string): string {
  const slug = slugOf(stem(file));
  const words = slug.replace(/^[^a-z]+/, "") || `items-${slug}`;
  const name = words.slice(0, 26).replace(/-$/, "");
  // A glob that starts with the name of the content folder is probably a mistake.
  return isReservedOperation(name) || name === "content" ? `${name}-list` : name;
}

/** The most items that get a file each. */
const maxSingle = 10_000;

/** The files are where a collection has its files, so that only what is written otherwise has to be declared. */
function planned({ items, isFolder, ending, folder, ...survey }: Survey, name: string): PlannedCollection {
  const fields = guessFields(items);
  const key = guessKey(fields, items);
  const filters = guessFilters(fields, key.fields);
  const place = isFolder ? name : `${name}${ending}`;
  const inFolder = survey.glob ?? `**/*${ending}`;
  const below = isFolder ? `${name}/${inFolder}` : place;
  const glob = folder === undefined ? below : inFolder;
  const isUsual = survey.glob === undefined && Object.keys(survey.options).length === 0;
  const { header, items: path, format } = survey.options;
  const decision = key.isUnique ? undefined : decisionOn(key.fields[0] ?? "");
  const lines = [
    `purpose: ${JSON.stringify(`The items of ${survey.name}.`)},`,
    ...(header === undefined ? [] : ["// The first row is data, so the columns need names. Replace these."]),
    "schema: z.strictObject({",
    ...fields.flatMap((field) => commentedField(field, items)).map((line) => indented(line, 2)),
    "}),",
    `key: ${key.fields.length === 1 ? JSON.stringify(key.fields[0]) : textsAsCode(key.fields)},`,
  ];
  if (filters.length > 0) lines.push(`filters: { ${filters.map(codeOfFilter).join(", ")} },`);
  if (key.isUnique && items.length <= maxSingle) lines.push("item: true,");
  if (!isUsual)
    lines.push(`files: ${codeOfFiles(glob, { ...(folder !== undefined && { folder }), ...survey.options })},`);
  const code = [
    `// GET /api/v1/${name}`,
    `${propertyName(name)}: defineCollection({`,
    ...lines.map((line) => indented(line, 2)),
    "}),",
  ];
  const isEdited = !survey.format.hasCells && path === undefined && format === undefined;
  return {
    name,
    count: items.length,
    code: code.join("\n"),
    imports: fields.flatMap(({ form }) => form.uses),
    files: new Map(
      [...(folder === undefined ? survey.files : [])].map(([file, bytes]) => [
        isFolder ? `${place}/${file}` : place,
        bytes,
      ]),
    ),
    folder,
    besides: survey.besides,
    edited: isEdited && folder === undefined ? `content/${isFolder ? `${place}/**` : place}` : undefined,
    decision,
  };
}

const decisionOn = (field: string): string =>
  `no field is unique in all items and can be a part of an address. ${quote(field)} is declared as the key. Choose another one, or make one with slugify in the option transform.`;

function codeOfFilter({ param, field, isSlug }: GuessedFilter): string {
  const by = JSON.stringify(field);
  return `${propertyName(param)}: ${isSlug ? `{ field: ${by}, slug: true }` : by}`;
}

function codeOfFiles(glob: string, options: Omit<FileOptions, "match">): string {
  const codeOf = (value: unknown): string => (Array.isArray(value) ? textsAsCode(value) : JSON.stringify(value));
  const entries = Object.entries(options).map(([name, value]) => `${name}: ${codeOf(value)}`);
  const match = JSON.stringify(glob);
  return entries.length === 0 ? match : `{ ${[`match: ${match}`, ...entries].join(", ")} }`;
}

/** A field, below what a person should know of it. */
function commentedField(field: GuessedField, items: readonly Item[]): readonly string[] {
  const { name, form } = field;
  const values = form.kind === "text" ? items.map((item) => ownField(item, name)) : [];
  const texts = values.filter((value) => typeof value === "string");
  const remark = form.choices === undefined ? remarkOn(texts) : "Guessed: these are all values that occur.";
  return remark === undefined ? [codeOfField(field)] : [`// ${remark}`, codeOfField(field)];
}

/** The declaration of an API with these collections. */
export function declarationOf(collections: readonly PlannedCollection[]): string {
  const imports = [...new Set(collections.flatMap((collection) => collection.imports))].sort();
  return [
    "// The API of this repository: its collections, their fields and their filters. It was guessed from the data in content/:",
    "// say in each purpose what the items are, and describe the fields with .describe(). All of them are published, unless the",
    "// option transform leaves one out. node_modules/stillapi/docs/declaring.md describes all options.",
    'import { defineApi, defineCollection } from "stillapi";',
    ...(imports.length === 0 ? [] : [`import { ${imports.join(", ")} } from "stillapi/forms";`]),
    'import * as z from "zod";',
    "",
    "export default defineApi({",
    "  collections: {",
    ...collections.map(({ code }) => indented(code, 4)),
    "  },",
    "});",
    "",
  ].join("\n");
}

/** The settings by which Visual Studio Code finds the schemas of the content. */
export function editorSettings(collections: readonly PlannedCollection[]): string {
  const edited = collections.flatMap(({ name, edited: glob }) => (glob === undefined ? [] : [{ name, glob }]));
  const schemas = [
    ...edited,
    { name: "deployments", glob: "content/deployments/*" },
    { name: "api", glob: "content/api.*" },
  ].map(({ name, glob }) => ({ url: `./.schemas/${name}.json`, fileMatch: [glob] }));
  const settings = {
    "yaml.schemas": Object.fromEntries(schemas.map(({ url, fileMatch }) => [url, fileMatch])),
    "json.schemas": schemas.map(({ url, fileMatch }) => ({ fileMatch, url })),
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
