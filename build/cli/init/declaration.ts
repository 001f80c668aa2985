// The declaration of an API for the files that somebody has: surveys → names, places and keys → TypeScript.
import { ownField } from "../../../src/model/fields.ts";
import { slugOf } from "../../../src/model/filter.ts";
import { stem } from "../../content/find/globs.ts";
import { checkName } from "../../declaration/names.ts";
import { quote } from "../../text/quote.ts";
import {
  codeOfField,
  fieldsOf,
  filtersOf,
  type GuessedField,
  type GuessedFilter,
  type GuessedKey,
  indented,
  isKeyValue,
  keyOf,
  listOf,
  propertyName,
} from "./guess.ts";
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

/** The constant of a collection: `stop-times` is stopTimes. */
function constantOf(name: string): string {
  const constant = name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return words.test(constant) ? `${constant}Items` : constant;
}

/** The words of TypeScript, and the names that a declaration imports. */
const words =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield|defineApi|defineCollection|id|slug|time|z)$/;

/** The names that have another meaning in content/, and those that a glob would not match literally. */
const unusable = /^(?:api|changes|deployments|introduction|logo|content)(?:\.|$)|[^\p{L}\p{N}._ -]|^[. ]/u;

/** The most items that get a file each. */
const maxSingle = 10_000;

function planned(survey: Survey, name: string, place: string): PlannedCollection {
  const { items, isCsv, isFolder } = survey;
  const named = namedBy(survey, fieldsOf(items, { areCells: isCsv }));
  const { fields } = named;
  const none: GuessedKey = { fields: [fields[0]?.name ?? "id"], isUnique: false };
  const key = named.key ?? keyOf(fields, items) ?? none;
  const options = { ...survey.options, ...named.options };
  const glob = globOf(survey, name, place, named.glob, options);
  const doubt = doubtOf(key);
  const filters = filtersOf(fields, key.fields);
  const guesses = doubt === undefined ? survey.guesses : [...survey.guesses, doubt];
  const lines = [
    `purpose: ${JSON.stringify(`The items of ${survey.name}.`)},`,
    ...guesses.map((guess) => `// Guessed: ${guess}`),
    "schema: z.strictObject({",
    ...fields.flatMap((field) => commentedField(field, items)).map((line) => indented(line, 2)),
    "}),",
    `key: ${key.fields.length === 1 ? JSON.stringify(key.fields[0]) : listOf(key.fields)},`,
  ];
  if (filters.length > 0) lines.push(`filters: { ${filters.map(codeOfFilter).join(", ")} },`);
  if (key.isUnique && items.length <= maxSingle) lines.push("item: true,");
  if (glob !== undefined) lines.push(`files: ${codeOfFiles(glob, options)},`);
  const isWhole = !isCsv && options.items === undefined && options.format === undefined;
  return {
    name,
    count: items.length,
    code: [`const ${constantOf(name)} = defineCollection({`, ...lines.map((line) => indented(line, 2)), "});"].join(
      "\n",
    ),
    imports: fields.flatMap(({ form }) => form.uses),
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

function codeOfFilter({ param, field, isSlug }: GuessedFilter): string {
  const by = JSON.stringify(field);
  return `${propertyName(param)}: ${isSlug ? `{ field: ${by}, slug: true }` : by}`;
}

function codeOfFiles(glob: string, options: DialectOptions): string {
  const codeOf = (value: unknown): string => (Array.isArray(value) ? listOf(value) : JSON.stringify(value));
  const entries = Object.entries(options).map(([name, value]) => `${name}: ${codeOf(value)}`);
  const match = JSON.stringify(glob);
  return entries.length === 0 ? match : `{ ${[`match: ${match}`, ...entries].join(", ")} }`;
}

/** A field, below what a person should know of it. */
function commentedField(field: GuessedField, items: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const { name, form } = field;
  const texts =
    form.kind === "text" ? items.map((item) => ownField(item, name)).filter((value) => typeof value === "string") : [];
  const remark = form.choices === undefined ? remarkOn(texts) : "Guessed: these are all values that occur.";
  return remark === undefined ? [codeOfField(field)] : [`// ${remark}`, codeOfField(field)];
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

/** The declaration of an API with these collections. */
export function declarationOf(collections: readonly PlannedCollection[]): string {
  const imports = [...new Set(collections.flatMap((collection) => collection.imports))].sort();
  const entries = collections.map(({ name }) => {
    const constant = constantOf(name);
    return constant === name ? `    ${name},` : `    ${propertyName(name)}: ${constant},`;
  });
  return [
    "// The API of this repository: its collections, their fields and their filters. It was guessed from the data in content/:",
    "// say in each purpose what the items are, and describe the fields with .describe(). All of them are published, unless the",
    "// option transform leaves one out. node_modules/stillapi/docs/declaring.md describes all options.",
    'import { defineApi, defineCollection } from "stillapi";',
    ...(imports.length === 0 ? [] : [`import { ${imports.join(", ")} } from "stillapi/forms";`]),
    'import * as z from "zod";',
    "",
    ...collections.flatMap(({ name, code }) => [`// GET /api/v1/${name}`, code, ""]),
    "export default defineApi({",
    "  collections: {",
    ...entries,
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
