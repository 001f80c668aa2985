// The declaration of an API for the files that somebody has: surveys → names, places and keys → TypeScript.
import { ownField } from "../../../src/model/fields.ts";
import { slugOf } from "../../../src/model/filter.ts";
import { stem } from "../../content/find/globs.ts";
import { checkName } from "../../declaration/names.ts";
import { quote } from "../../text/quote.ts";
import { constantOf, linesOfField, linesOfFilters, listOf, literal, optionLines } from "./code.ts";
import { type Form, fieldsOf, filtersOf, type GuessedField, type GuessedKey, isKeyValue, keyOf } from "./guess.ts";
import { remarkOn } from "./remarks.ts";
import type { DialectOptions, Survey } from "./survey.ts";

/** A collection, and where its data is in the new repository. */
export interface PlannedCollection {
  readonly name: string;
  readonly count: number;
  /** The declaration of the collection. */
  readonly code: string;
  /** The names that it imports from stillapi/forms. */
  readonly imports: readonly string[];
  /** The files to write, by their paths below content/. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The glob of the files that editors complete; undefined if their schema does not describe whole files. */
  readonly edited: string | undefined;
  /** What a person must decide before the content is valid, as a sentence. */
  readonly decision: string | undefined;
}

/** A collection for each survey, with a name and a place that no other has. */
export function planCollections(surveys: readonly Survey[]): readonly PlannedCollection[] {
  const constants = new Set<string>();
  const places = new Set<string>();
  return surveys.map((survey) => {
    const name = freeName(nameOf(survey.name), constants);
    constants.add(constantOf(name));
    const isUsable = !unusable.test(survey.name) && !places.has(stem(survey.name).toLowerCase());
    const place = isUsable ? survey.name : `${name}/${survey.name}`;
    places.add(stem(isUsable ? survey.name : name).toLowerCase());
    return planned(survey, name, place);
  });
}

/** The name of a file in the form of names of collections. */
function nameOf(file: string): string {
  const slug = slugOf(stem(file));
  const words = slug.replace(/^[^a-z]+/, "") || `items-${slug}`;
  const name = words.slice(0, 26).replace(/-$/, "");
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
  };
  checkName(refuse, "collection", name, []);
  return isRefused ? `${name}-list` : name;
}

/** The name, or the name with a number, whose constant is free. */
function freeName(name: string, constants: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; constants.has(constantOf(free)); number++) free = `${name}-${number}`;
  return free;
}

/** The names that have another meaning in content/, and those that are no glob of themselves. */
const unusable = /^(?:api|deployments|introduction|logo|content)(?:\.|$)|[^\p{L}\p{N}._ -]|^[. ]/u;

/** Items with more fields than this are loose objects, of which the fields are declared that all items have. */
const maxFields = 200;

/** The most items that get a file each. */
const maxSingle = 10_000;

function planned(survey: Survey, name: string, place: string): PlannedCollection {
  const { items, isCsv, isFolder } = survey;
  const named = namedBy(survey, fieldsOf(items, { areCells: isCsv }));
  const isLoose = named.fields.length > maxFields;
  const fields = isLoose ? named.fields.filter(({ isOptional }) => !isOptional) : named.fields;
  const none: GuessedKey = { fields: [fields[0]?.name ?? "id"], isUnique: false };
  const key = named.key ?? keyOf(fields, items) ?? none;
  const options = { ...survey.options, ...named.options };
  const glob = globOf(survey, name, place, named.glob, options);
  const filters = filtersOf(fields, key.fields);
  const doubt = doubtOf(key);
  const lines = [
    `const ${constantOf(name)} = defineCollection({`,
    `  purpose: ${literal(`The items of ${survey.name}.`)},`,
    ...(isLoose ? ["  // Guessed: the fields that not all items have may be anything."] : []),
    `  schema: z.${isLoose ? "looseObject" : "strictObject"}({`,
    ...fields.flatMap((field) => [
      ...commentOf(field, items).map((comment) => `    // ${comment}`),
      ...linesOfField(field, 4),
    ]),
    "  }),",
    ...(doubt === undefined ? [] : [`  // Guessed: ${doubt}`]),
    `  key: ${key.fields.length === 1 ? literal(key.fields[0] ?? "") : listOf(key.fields.map(literal))},`,
    ...linesOfFilters(filters),
    ...(key.isUnique && items.length <= maxSingle ? ["  item: true,"] : []),
    ...(isCsv && options.header === undefined && fields.some(({ name }) => !/^\w+$/.test(name))
      ? ["  // The option rename of files gives columns other names."]
      : []),
    ...survey.guesses.map((guess) => `  // Guessed: ${guess}`),
    ...(glob === undefined ? [] : optionLines(glob, options)),
    "});",
  ];
  const isWhole = !isCsv && options.items === undefined && options.format === undefined;
  return {
    name,
    count: items.length,
    code: lines.join("\n"),
    imports: [...new Set(fields.flatMap(({ form }) => importsOf(form)))],
    files: new Map([...survey.files].map(([file, bytes]) => [isFolder ? `${place}/${file}` : place, bytes])),
    edited: isWhole ? `content/${isFolder ? `${place}/**` : place}` : undefined,
    decision: doubt,
  };
}

/** What a person must decide about a key; undefined if it is one. */
function doubtOf({ fields: [name = ""], isUnique, unfit }: GuessedKey): string | undefined {
  if (isUnique) return undefined;
  if (unfit !== undefined)
    return `${quote(name)} is unique, but ${quote(unfit)} cannot be a part of an address. Make a key of it with slugify in the option transform.`;
  return `no field is a unique string or integer in all items that can be a part of an address. ${quote(name)} is declared as the key. Choose another one, or make one with the option transform.`;
}

interface Named {
  readonly fields: readonly GuessedField[];
  /** The key, if the names of members or files are the key. */
  readonly key?: GuessedKey;
  readonly options?: DialectOptions;
  readonly glob?: string;
}

/** The fields, with that which the names of members or of files supply. A key in the items is better than names of files. */
function namedBy({ names, items }: Survey, fields: readonly GuessedField[]): Named {
  if (names === undefined) return { fields };
  const { values, glob } = names;
  const isUnique = new Set(values.map((value) => value.toLowerCase())).size === values.length;
  const isKey = isUnique && values.every(isKeyValue);
  const written = keyOf(fields, items);
  const isWritten = written?.isUnique === true && /^(?:id|code|slug|key)$/i.test(written.fields.join());
  if (glob !== undefined && (isWritten || !isKey)) return { fields };
  const isSame = ({ name }: GuessedField): boolean =>
    items.every((item, index) => ownField(item, name) === undefined || ownField(item, name) === values[index]);
  const isFree = (name: string): boolean => fields.every((field) => field.name !== name);
  const usual = isKey ? ["id", "slug", "key", "name"] : ["name", "title", "key"];
  const name = fields.find(isSame)?.name ?? usual.find(isFree) ?? "member_name";
  const supplied = fieldsOf(
    values.map((value) => ({ [name]: value })),
    { areCells: false },
  );
  return {
    fields: [...supplied, ...fields.filter((field) => field.name !== name)],
    ...(isKey && { key: { fields: [name], isUnique: true } }),
    ...(glob === undefined ? { options: { memberName: name } } : { glob: glob.replace("{}", `{${name}}`) }),
  };
}

/** The glob of a collection's files; undefined if its name alone is enough. */
function globOf(
  { isFolder, ending, name: file }: Survey,
  name: string,
  place: string,
  named: string | undefined,
  options: DialectOptions,
): string | undefined {
  if (named !== undefined) return `${place}/${named}`;
  const isUsual = Object.keys(options).length === 0 && stem(place.split("/")[0] ?? "") === name;
  if (isUsual) return undefined;
  if (isFolder) return `${place}/**/*${ending}`;
  return place === file ? place : `${name}/*`;
}

/** What a person should know of a field. */
function commentOf(
  { name, form }: GuessedField,
  items: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  if (form.kind === "null") return ["Guessed: there is no value in any item."];
  if (form.kind === "choice") {
    const few = form.values.length === 1 ? "all items have this value." : "these are all values that occur.";
    return [`Guessed: ${few}`];
  }
  if (form.kind !== "scalar" || form.type !== "text") return [];
  const texts = items.map((item) => ownField(item, name)).filter((value) => typeof value === "string");
  const remark = remarkOn(texts);
  return remark === undefined ? [] : [remark];
}

function importsOf(form: Form): readonly string[] {
  switch (form.kind) {
    case "scalar":
      return form.uses === undefined ? [] : [form.uses];
    case "list":
      return importsOf(form.element);
    case "record":
      return importsOf(form.values);
    case "object":
      return form.fields.flatMap((field) => importsOf(field.form));
    case "union":
      return form.forms.flatMap(importsOf);
    case "boolean":
    case "null":
    case "unknown":
    case "choice":
      return [];
  }
}

/** The declaration of an API with these collections. */
export function declarationOf(collections: readonly PlannedCollection[]): string {
  const imports = [...new Set(collections.flatMap((collection) => collection.imports))].sort();
  const entries = collections.map(({ name }) => {
    const constant = constantOf(name);
    return constant === name ? name : `${/^[a-z0-9]+$/.test(name) ? name : literal(name)}: ${constant}`;
  });
  const inline = `export default defineApi({ collections: { ${entries.join(", ")} } });`;
  const isLong = inline.length > 120;
  const exported = [
    "export default defineApi({",
    "  collections: {",
    ...entries.map((entry) => `    ${entry},`),
    "  },",
    "});",
  ];
  return [
    "// The API of this repository: its collections, their fields and their filters. It was guessed from the data in content/:",
    "// say in each purpose what the items are, and describe the fields with .describe(). All of them are published, unless the",
    "// option transform leaves one out. node_modules/stillapi/docs/declaring.md describes all options.",
    'import { defineApi, defineCollection } from "stillapi";',
    ...(imports.length === 0 ? [] : [`import { ${imports.join(", ")} } from "stillapi/forms";`]),
    'import * as z from "zod";',
    "",
    ...collections.flatMap(({ name, code }) => [`// GET /api/v1/${name}`, code, ""]),
    isLong ? exported.join("\n") : inline,
    "",
  ].join("\n");
}

/** The settings by which Visual Studio Code finds the schemas of the content. */
export function editorSettings(collections: readonly PlannedCollection[]): string {
  const schemas = [
    ...collections.flatMap(({ name, edited }) => (edited === undefined ? [] : [{ name, glob: edited }])),
    { name: "deployments", glob: "content/deployments/*" },
    { name: "api", glob: "content/api.*" },
  ].map(({ name, glob }) => ({ url: `./.schemas/${name}.json`, fileMatch: [glob] }));
  const settings = {
    "yaml.schemas": Object.fromEntries(schemas.map(({ url, fileMatch }) => [url, fileMatch])),
    "json.schemas": schemas.map(({ url, fileMatch }) => ({ fileMatch, url })),
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
