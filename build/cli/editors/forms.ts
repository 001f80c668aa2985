// The forms of a git-based editor, such as Decap CMS and Sveltia, for people who do not write YAML: decap.yml, and below it
// the collections whose items have a file each. https://decapcms.org/docs/configuration-options/
import { stringify } from "yaml";
import type { FileFormat } from "../../../src/declare/declare.ts";
import { listNamed } from "../../../src/model/api.ts";
import { dialectOf, fieldForm, usualDialect } from "../../../src/model/files.ts";
import { kindsOf, schemasAt } from "../../../src/model/kinds.ts";
import type { ListOperation, Reference } from "../../../src/model/operation.ts";
import type { Content, Contents } from "../../content/content.ts";
import { impliedFields, rulesOf } from "../../content/globs.ts";
import type { FormsHead } from "../../content/settings/forms-head.ts";
import { fieldsOf, labelFor } from "./form-fields.ts";
import { itemSchema, type SchemaFile, type WrittenList, writtenIn } from "./schemas.ts";

type Form = Readonly<Record<string, unknown>>;

/** One file, or none if there is no decap.yml, or it has faults. */
export function editorForms(contents: Contents): readonly SchemaFile[] {
  const head = contents[0].formsHead;
  if (head === undefined) return [];
  const formsWith = (known: Forms) =>
    [...writtenIn(contents)].map(([name, written]) => [name, formOf(...written, head, known)] as const);
  const names = contents.flatMap(({ api }) => api.collections.map(({ name }) => name));
  const forms = new Map<string, Form | string>([
    ...names.map((name) => [name, "no file has its items in a declared form"] as const),
    // Whether a collection has a form does not depend on the forms of others.
    ...formsWith(new Map(formsWith(new Map()))),
  ]);
  const collections = [...forms.values()].filter((form) => typeof form !== "string");
  const leftOut = [...forms].flatMap(([name, form]) => (typeof form === "string" ? [`#   ${name}: ${form}.\n`] : []));
  const comment = `# Written by stillapi from here on. ${leftOut.length > 0 ? "These collections have no form:" : ""}`;
  const yaml = stringify({ collections }, { lineWidth: 0, aliasDuplicateObjects: false });
  const text = `${head.text.replace(/(?<!\n)$/, "\n")}${comment.trim()}\n${leftOut.join("")}${yaml}`;
  return [{ file: "decap.yml", text }];
}

/** By the name of a collection, its form, or why it has none, as a clause. */
type Forms = ReadonlyMap<string, Form | string>;

function formOf(list: WrittenList, content: Content, head: FormsHead, known: Forms): Form | string {
  const place = placeIn(list, content, head);
  if (typeof place === "string") return place;
  const { key, noun, name, purpose, written } = list;
  const relationTo = ({ to, by }: Reference) => {
    const form = known.get(to);
    if (typeof form !== "object") return undefined;
    const target = listNamed(content.api, to);
    const shown = [...new Set([nameIn(target, content), by ?? target.key])];
    // A file may leave out what its name says.
    const isFileName =
      impliedFields(target).includes(target.key) && !("path" in form) && form["slug"] === `{{fields.${target.key}}}`;
    const value_field = by ?? (isFileName ? "{{slug}}" : target.key);
    return { widget: "relation", collection: to, value_field, search_fields: shown, display_fields: shown };
  };
  const fields = fieldsOf(itemSchema(list, content), {
    ...written,
    body: place.format === "frontmatter" ? "body" : undefined,
    inPath: impliedFields(list),
    relationTo,
  });
  if ("refused" in fields) return fields.refused;
  return {
    name,
    label: labelFor(name),
    label_singular: labelFor(noun),
    description: purpose,
    create: true,
    ...place,
    identifier_field: key,
    summary: `{{fields.${nameIn(list, content)}}}`,
    fields,
  };
}

/** The field by which people know an item. */
function nameIn({ written, key }: ListOperation, { vocabulary }: Content): string {
  const schemasOf = (field: string) => (written === undefined ? [] : schemasAt(written.schema(vocabulary), [field]));
  const isText = (field: string) => schemasOf(field).some((part) => kindsOf(part).some(({ kind }) => kind === "text"));
  return ["name", "title", "label"].find(isText) ?? key;
}

/** The names by which these editors know the formats that they write. */
const formats: Readonly<Partial<Record<FileFormat, string>>> = {
  json: "json",
  yaml: "yaml",
  toml: "toml",
  markdown: "frontmatter",
};

/** Where a form puts the file of an item; a string says why it cannot. */
function placeIn(list: ListOperation, { itemFiles }: Content, head: FormsHead) {
  const { files = [], withList } = itemFiles.get(list.name) ?? {};
  if (withList !== undefined) return `${head.folder}/${withList} has a list`;
  const [{ match, dialect, folder: outside } = { match: [list.name], dialect: usualDialect }, ...others] =
    rulesOf(list) ?? [];
  const [glob = "", ...globs] = match;
  if (outside !== undefined || others.length + globs.length > 0) return "its files are in several places, or outside";
  const { levels, stem, ending } = partsOf(glob);
  const [found, other] = new Set(files.map((file) => file.replace(/^.*\./s, "")));
  const extension = ending ?? (other === undefined ? found : undefined);
  if (extension === undefined)
    return `their ending is not known; files: "${levels.join("/")}/*.md" says it, for example`;
  const { format, encoding } = dialectOf(`x.${extension}`, dialect) ?? {};
  const formatName = format && formats[format.name];
  if (formatName === undefined || encoding !== undefined) return `such editors do not write ${encoding ?? extension}`;
  const place = templatesFor(levels, stem, list);
  if (place === undefined || files.some((file) => file.split("/").length !== levels.length + 1))
    return `a form cannot tell the folder of a file of ${glob}`;
  const { folder, slug, path } = place;
  // Otherwise the pictures of a collection with a path are beside its files.
  const below =
    path === undefined ? {} : { path, media_folder: `/${head.folder}${head.uploads}`, public_folder: head.uploads };
  return { folder: `${head.folder}/${folder}`, slug, ...below, extension, format: formatName };
}

/** `levels`: the folders. `stem`: the name of a file without its ending, in which `*` means the key. */
function partsOf(glob: string) {
  const parts = glob.split("/");
  const last = parts.at(-1) ?? "";
  const [, stem = "*", ending] = /^(.*)\.([a-z]+)$/s.exec(last) ?? [];
  const folders = ending === undefined && !/^\*+$/.test(last) ? parts : parts.slice(0, -1);
  return { levels: folders.filter((level) => level !== "**"), stem, ending };
}

/** Undefined if a part of the path is not known before there is a file. */
function templatesFor(levels: readonly string[], stem: string, { scope, key }: ListOperation) {
  const firstOpen = levels.findIndex((level) => level.includes("{"));
  const folders = firstOpen === -1 ? levels : levels.slice(0, firstOpen);
  const below = levels.slice(folders.length);
  const keys = [...scope.map(({ field }) => field), key].map((field) => `{{fields.${field}}}`).join("-");
  const slug = stem.replace(fieldForm, "{{fields.$1}}").replace("*", keys);
  const folder = folders.join("/");
  const isPlain = folder !== "" && !/[*?[\]()!+@|,]/.test(folder + slug) && !/[{}]/.test(folder);
  // Editors write this template in lowercase, and these names mean the time and the name of the file there.
  const names = /^(?:[a-z0-9_-]+|\{(?!(?:slug|year|month|day|hour|minute|second)\})[a-z0-9_]+\})$/;
  if (!isPlain || !below.every((level) => names.test(level))) return undefined;
  const path = [...below.map((level) => level.replace(fieldForm, "{{$1}}")), "{{slug}}"].join("/");
  return { folder, slug, path: below.length > 0 ? path : undefined };
}
