// The schemas by which editors check and complete the files of the content: one for each collection, one for deployments
// and one for api.yaml.

import { type Api, listNamed, withArticle } from "../../../src/model/api.ts";
import { ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import {
  type AssetField,
  isWritten,
  type ListOperation,
  type Reference,
  type WrittenItem,
} from "../../../src/model/operation.ts";
import { assetTypeOf, isPicture } from "../../content/assets/measure.ts";
import type { Content, Contents } from "../../content/content.ts";
import { impliedFields } from "../../content/globs.ts";
import type { Choices } from "../../content/names.ts";
import { deploymentSchema } from "../../content/settings/deployments.ts";
import { type SettingsContent, settingsSchema } from "../../content/settings/settings-form.ts";
import { itemIn } from "../../content/table/table.ts";
import { type EditorSchema, schemaOf, type ValueChoice } from "./schema.ts";

export interface SchemaFile {
  /** In the folder of schemas. */
  readonly file: string;
  readonly text: string;
}

export type WrittenList = ListOperation & { readonly written: WrittenItem };

/** By name, the collections whose files editors know. Those of one name are of the first API that reads them as written. */
export const writtenIn = (contents: Contents): ReadonlyMap<string, readonly [list: WrittenList, content: Content]> =>
  new Map(
    contents
      .toReversed()
      .flatMap((content) =>
        content.api.collections.filter(isWritten).map((list) => [list.name, [list, content]] as const),
      ),
  );

/** The same content produces the same bytes, whatever the order of its files. */
export function editorSchemas(contents: Contents): readonly SchemaFile[] {
  const apis = contents.map(({ api }) => api);
  const [first] = contents;
  const schemas: readonly (readonly [name: string, schema: EditorSchema])[] = [
    ...[...writtenIn(contents)].map(([name, written]) => [name, schemaOfFiles(...written)] as const),
    ["deployments", withSchemaName(deploymentFiles(first, apis))],
    ["api", withSchemaName(settingsFile(first, apis))],
  ];
  return schemas.map(([name, schema]) => {
    const head = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $comment: "Written by stillapi from the content.",
    };
    return { file: `${name}.json`, text: `${JSON.stringify({ ...head, title: name, ...schema }, null, 1)}\n` };
  });
}

/** A JSON file that holds an object may name its schema in the member `$schema`. */
const withSchemaName = ({ properties, ...object }: EditorSchema): EditorSchema => ({
  ...object,
  properties: { $schema: { type: "string", doNotSuggest: true }, ...properties },
});

/** What an item has in files. */
export function itemSchema(operation: WrittenList, { api, vocabulary, choices, otherFiles }: Content): EditorSchema {
  const { schema, meanings, references, assets } = operation.written;
  const choiceOf = (path: string): ValueChoice | undefined => {
    const asset = assets.find(({ field }) => field === path);
    if (asset !== undefined) return pathsFor(asset, otherFiles);
    const reference = references.find(({ field }) => field === path);
    return reference && itemsOf(listNamed(api, reference.to), reference, choices.get(reference.to));
  };
  const meaningOf = (path: string): string | undefined => (path === "" ? operation.meaning : ownField(meanings, path));
  return schemaOf(schema(vocabulary), { meaningOf, choiceOf });
}

/** A file has one item or a list of them. Paths may give some of the fields. */
function schemaOfFiles(operation: WrittenList, content: Content): EditorSchema {
  const { properties = {}, required, ...object } = itemSchema(operation, content);
  const implied = impliedFields(operation);
  const item = {
    ...object,
    required: (Array.isArray(required) ? required : []).filter((field) => !implied.includes(String(field))),
    properties: Object.fromEntries(Object.keys(properties).map((field) => [field, { $ref: `#/definitions/${field}` }])),
  };
  return {
    definitions: properties,
    if: { type: "array" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { type: "array", items: item },
    else: withSchemaName(item),
  };
}

/**
 * The items of a collection, by their key or by another field. Other values are no faults while there may be more items:
 * an editor reports no fault that `check` does not report.
 */
function itemsOf(
  { key, noun }: ListOperation,
  { by, missing }: Reference,
  choices: Choices | undefined,
): ValueChoice | undefined {
  const field = by ?? key;
  const values: unknown[] = [];
  const descriptions: string[] = [];
  const isListed = choices !== undefined && choices.items.length > 0;
  for (const json of choices?.items ?? []) {
    const item = itemIn(json);
    const value = ownField(item, field);
    if (value === undefined || value === null) continue;
    values.push(value);
    descriptions.push(summaryOf(item, field));
  }
  if (!isListed && by === undefined) return undefined;
  return {
    values,
    descriptions,
    form: `the ${field} of ${withArticle(noun)}`,
    isOpen: choices?.isOpen !== false || !isListed || missing !== undefined,
    isForeign: by !== undefined,
  };
}

/** The paths of the files that a field may name, from content/. */
const pathsFor = ({ isImage }: Pick<AssetField, "isImage">, files: readonly string[]): ValueChoice => ({
  values: files
    .filter((file) => !isImage || isPicture(assetTypeOf(file)))
    .slice(0, maxPaths)
    .map((file) => `/${file}`),
  form: `the path of a ${isImage ? "picture" : "file"} below content/`,
  isText: true,
});

/** Editors show all paths at once. */
const maxPaths = 1_000;

/** The texts of an item, its name first, such as `London, europe-west, GB, operational`. */
function summaryOf(item: Item, key: string): string {
  const { name, [key]: _, ...others } = item;
  return [name, ...Object.values(others)]
    .filter((value) => typeof value === "string" && value.length <= 100)
    .join(", ");
}

function deploymentFiles({ api, settings }: Content, apis: readonly Api[]): EditorSchema {
  const operations = [...new Map(apis.flatMap((one) => one.operations.map((each) => [each.name, each]))).values()];
  const { documents } = api;
  const meanings = new Map([
    ["", "The operations and documents of one build. The file has the name of the deployment."],
    ["operations", "The operations of the deployment."],
    ...documents.flatMap(({ name, meaning, written }) => [
      [name, meaning] as const,
      ...Object.entries(written?.meanings ?? {}).map(([path, text]) => [`${name}.${path}`, text] as const),
    ]),
  ]);
  const names: ValueChoice = {
    values: operations.map(({ name }) => name),
    descriptions: operations.map(({ purpose }) => purpose),
    form: "the name of an operation",
  };
  return schemaOf(
    deploymentSchema(api, settings.vocabulary, apis, ({ written }) => written?.schema),
    {
      meaningOf: (path) => meanings.get(path),
      choiceOf: (path) => (path === "operations[]" ? names : undefined),
    },
  );
}

function settingsFile({ deploymentNames: values = [] }: Content, apis: readonly Api[]): EditorSchema {
  const meanings: Readonly<Record<string, string>> = settingMeanings;
  const deployment = values.length > 0 ? { values, form: "the name of a deployment" } : undefined;
  return schemaOf(settingsSchema(apis), {
    meaningOf: (path) => ownField(meanings, path),
    choiceOf: (path) => (path === "default_deployment" ? deployment : undefined),
  });
}

/** The effect of each setting, and its default. */
const settingMeanings: Readonly<Record<keyof SettingsContent, string>> = {
  title: "The title of the API in its reference and in its OpenAPI document.",
  description: "A description of the API in a few sentences, for its consumers.",
  language:
    "The language of the texts and of the data on the pages, such as `de`. Numbers and times in tables follow it.",
  url: "The address of the published API, without its base. Without it, the documents have relative addresses.",
  mount:
    "The path under which a host that only serves files has the API, as `/NAME` on GitHub Pages. By default the path of `url`.",
  license: "The license of the data.",
  contact: "The contact for consumers.",
  access:
    "Who may read, and how readers identify themselves. The host protects the files: every document says so, and only the caches of readers store answers. By default everybody may read.",
  origins:
    "The origins whose scripts may read: `any` (the default), `none` but the API's, or one, such as `https://one.example`.",
  default_deployment: "The deployment that is built if none is named, `edge` by default.",
  hosts: "The hosts that commands use without `--host`, `netlify` by default.",
  page_sizes:
    "The values of `limit` that have pages of exactly that size, for all operations or for each: `every` (the default) or a list.",
  paging:
    "How listings are divided into pages, for all operations or for each: `exact` (the default), every page but the last is full; or `stable`, an edit changes a few pages instead of all that follow.",
  cursor_lifetime: "How long a cursor works after the first build that no longer returns it, `15m` by default.",
  changes: "How long the list of changes keeps a change, `30d` by default; `0` for no list.",
  changes_fields:
    "The fields whose old and new values the list of changes has: a list or `false` for each collection, or `false` for none; by default all.",
  ignore: "Globs of files below the folder that are not content.",
  front_page: "Whether the root of the host also shows the reference. `true` by default.",
  vocabulary: "The words that the content may use. Without a list, any word of the right form is valid.",
  logo: "The logo on the pages, a file of the content folder.",
  accent: "The colour of links and buttons on light pages, `#0a5bc2` by default.",
  accent_dark: "The colour of links and buttons on dark pages, `#7db8ff` by default.",
};
