// The forms of a git-based editor, such as Decap CMS and Sveltia, for people who do not write YAML: decap.yml with the
// collections whose items have a file each. https://decapcms.org/docs/configuration-options/
import { type Document, isMap, parseDocument } from "yaml";
import { listNamed } from "../../../src/model/api.ts";
import { dialectOf, fieldForm, usualDialect } from "../../../src/model/files.ts";
import type { ListOperation, Reference } from "../../../src/model/operation.ts";
import type { Content, Contents } from "../../content/content.ts";
import { impliedFields, rulesOf } from "../../content/globs.ts";
import type { FormsHead } from "../../content/settings/forms-head.ts";
import { type FormOptions, fieldsOf, labelFor } from "./form-fields.ts";
import { itemSchema, type SchemaFile, type WrittenList, writtenIn } from "./schemas.ts";

/** By the name of a collection, its form, or why it has none, as a clause. */
type Forms = ReadonlyMap<string, Form | string>;

type Form = FormOptions & { readonly fields: readonly FormOptions[] };

/** decap.yml with the collections. */
export function editorForms(contents: Contents, head: FormsHead): SchemaFile {
  const formsWith = (known: Forms) =>
    [...writtenIn(contents)].map(([name, written]) => [name, formOf(...written, head, known)] as const);
  const names = contents.flatMap(({ api }) => api.collections.map(({ name }) => name));
  const forms = new Map<string, Form | string>([
    ...names.map((name) => [name, "no file has its items in a declared form"] as const),
    // Whether a collection has a form does not depend on the forms of others.
    ...formsWith(new Map(formsWith(new Map()))),
  ]);
  const collections = [...forms.values()].filter((form) => typeof form === "object");
  const reasons = [...forms].flatMap(([name, form]) => (typeof form === "string" ? [`\n   ${name}: ${form}.`] : []));
  const document: Document = parseDocument(head.text);
  const key = document.createNode("collections");
  key.commentBefore = ` Written by stillapi. Collections without a form:${reasons.join("") || " none."}`;
  if (isMap(document.contents))
    document.contents.items.push(document.createPair(key, collections, { aliasDuplicateObjects: false }));
  return { file: "decap.yml", text: document.toString({ lineWidth: 0 }) };
}

function formOf(list: WrittenList, content: Content, head: FormsHead, known: Forms): Form | string {
  const place = placeIn(list, content, head);
  if (typeof place === "string") return place;
  const inPath = impliedFields(list);
  const relationTo = ({ to, by }: Reference): FormOptions | undefined => {
    const form = known.get(to);
    if (typeof form !== "object") return undefined;
    const target = listNamed(content.api, to);
    const shown = [...new Set([nameIn(form.fields, target.key), by ?? target.key])];
    // A file may leave out what its name says.
    const isName =
      impliedFields(target).includes(target.key) && !("path" in form) && form["slug"] === slugOf(target.key);
    const value_field = by ?? (isName ? "{{slug}}" : target.key);
    return { widget: "relation", collection: to, value_field, search_fields: shown, display_fields: shown };
  };
  const body = place.format === "frontmatter" ? "body" : undefined;
  const fields = fieldsOf(itemSchema(list, content), { ...list.written, body, inPath, relationTo });
  if (typeof fields === "string") return fields;
  return {
    name: list.name,
    label: labelFor(list.name),
    label_singular: labelFor(list.noun),
    description: list.purpose,
    create: true,
    ...place,
    identifier_field: list.key,
    summary: slugOf(nameIn(fields, list.key)),
    fields,
  };
}

const slugOf = (field: string): string => `{{fields.${field}}}`;

/** The field by which people know an item. */
const nameIn = (fields: readonly FormOptions[], key: string): string =>
  ["name", "title", "label"].find((field) =>
    fields.some(({ name, widget }) => name === field && (widget === "string" || widget === "text")),
  ) ?? key;

/** By the name of a format that these editors write, their name for it. */
const formats: FormOptions = { json: "json", yaml: "yaml", toml: "toml", markdown: "frontmatter" };

/**
 * Folders, folders that have values of fields in their names, and a file: `books/{lang}/*.md` or `books`. Editors write the
 * values in lowercase, and use some names for the time and for the file.
 */
const place = [
  String.raw`([^*?[\](){}!+@|,]+?)`,
  String.raw`((?:/\{(?!(?:slug|year|month|day|hour|minute|second)\})[a-z0-9_]+\}(?:/[a-z0-9_-]+)*?)*)`,
  String.raw`(?:/\*\*)?(?:/([^/*.?[\]()!+@|,]*\*?[^/*.?[\]()!+@|,]*)(?:\.([a-z]+))?)?`,
];
const pathForm = new RegExp(`^${place.join("")}$`, "s");

/** Where a form puts the file of an item. A string says why it cannot. */
function placeIn(list: ListOperation, { itemFiles }: Content, { media_folder, public_folder }: FormsHead) {
  const root = media_folder.slice(0, -public_folder.length);
  const { files = [], withList } = itemFiles.get(list.name) ?? {};
  if (withList !== undefined) return `${root}/${withList} has a list`;
  const [rule = { match: [list.name], folder: undefined, dialect: usualDialect }, ...rules] = rulesOf(list) ?? [];
  const [glob = "", ...globs] = rule.match;
  if (rule.folder !== undefined || rules.length + globs.length > 0)
    return "its files are in several places, or outside";
  const [, folder, levels = "", stem = "*", named] = pathForm.exec(glob) ?? [];
  const depth = `${folder}${levels}/`.split("/").length;
  if (folder === undefined || files.some((file) => file.split("/").length !== depth))
    return `a form cannot tell the folder of a file of ${glob}`;
  const [found, other] = new Set(files.map((file) => file.replace(/^.*\./s, "")));
  const extension = named ?? (other === undefined ? found : undefined);
  if (extension === undefined) return `their ending is not known; files: "${folder}/*.md" says it, for example`;
  const { format, encoding } = dialectOf(`x.${extension}`, rule.dialect) ?? {};
  const formatName = formats[format?.name ?? ""];
  if (formatName === undefined || encoding !== undefined) return `such editors do not write ${encoding ?? extension}`;
  const keys = [...list.scope.map(({ field }) => field), list.key].map(slugOf).join("-");
  return {
    folder: `${root}/${folder}`,
    slug: stem.replace(fieldForm, slugOf("$1")).replace("*", keys),
    // Otherwise the pictures of a collection with a path are beside its files.
    ...(levels !== "" && {
      path: `${levels.slice(1).replace(fieldForm, "{{$1}}")}/{{slug}}`,
      media_folder: `/${media_folder}`,
      public_folder,
    }),
    extension,
    format: formatName,
  };
}
