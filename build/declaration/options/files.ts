// The files of a collection, and how they are written: the option `files`.
import path from "node:path";
import * as z from "zod";
import { type FileOptions, fileFormats } from "../../../src/declare/declare.ts";
import {
  dataFormats,
  dialectOf,
  dividedGlobs,
  type EntryDialect,
  type FileRule,
  fieldsInGlobs,
  type ItemsPath,
  type SourceFolder,
  usualDialect,
} from "../../../src/model/files.ts";
import { hasOpenFields } from "../../../src/model/kinds.ts";
import type { ItemSource } from "../../../src/model/operation.ts";
import { anyUse, areOfOne, checkField, useOf } from "./field-use.ts";
import { either, matching, type Options, text } from "./forms.ts";
import type { CheckedEntry, CollectionGroup, Report } from "./group.ts";

const globPart = String.raw`(?!\.{1,2}(?:/|$))(?:[^/\\{}]|\{[^\\{}]*\})+`;
/** The deployments have their own folder. */
const globForm = `(?!(?:content|deployments)(?:/|$))${globPart}(?:/${globPart})*$`;
const globClause = 'a glob below content/, such as "products/*.md" or "docs/{lang}/{slug}.md"';
const glob = matching(new RegExp(`^(?!!)${globForm}`), globClause);
/** With `!` before it, a glob of files that are excluded. */
const globOrExcluded = matching(new RegExp(`^!?${globForm}`), globClause);

const hasIncluded = (globs: readonly unknown[]): boolean =>
  globs.some((glob) => typeof glob !== "string" || !glob.startsWith("!"));
const listClause = "a list of globs, one of which is not after !";

/** A character that may stand between or around cells: a single code unit. */
const sign = (clause: string) => matching(/^[^\r\n\ufeff\p{Cs}\u{10000}-\u{10ffff}]$/u, clause);

const isEncoding = (label: string): boolean => {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
};

const folderForm = /^(?![A-Za-z]:)(?:(?:\.{1,2}|(?!\.|node_modules(?:\/|$))[^/\\]+)(?:\/|$))+$/;
const folderClause =
  'a folder relative to the declaration, such as "../packages", with slashes, and not in node_modules or a folder whose name starts with a dot';

const column = z.string("the name of a column").min(1, "the name of a column, not empty");

const fileOptions: Options<FileOptions> = z.strictObject({
  match: either([glob, z.array(globOrExcluded).refine(hasIncluded, listClause)], `${globClause}, or a list of globs`),
  folder: matching(folderForm, folderClause).optional(),
  format: z.enum(fileFormats, `one of ${fileFormats.join(", ")}`).optional(),
  items: matching(
    /^(?:[^.*]+(?:\.[^.*]+)*(?:\.\*)?|\*)$/,
    'names of members joined by dots, with * at the end for every member, such as "features", "data.nodes" or "*"',
  ).optional(),
  memberName: text.optional(),
  delimiter: sign("one character between cells").optional(),
  quote: either([z.literal(false), sign("one character")], "one character around cells, or false").optional(),
  header: z
    .array(column)
    .min(1)
    .refine((names) => new Set(names).size === names.length, "a list of the names of columns, all different")
    .optional(),
  rename: z
    .record(text, column)
    .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, "names that all differ")
    .optional(),
  decimal: z.enum([".", ","], '"." or ","').optional(),
  null: z.array(text, "a list of strings").min(1, "a list of strings").optional(),
  booleans: z
    .tuple([text, text], 'the strings for true and for false, as in ["Y", "N"]')
    .refine(([one, other]) => one !== other, "two different strings")
    .optional(),
  encoding: z
    .string()
    .refine(isEncoding, "a label of the Encoding standard that this program knows, such as windows-1252")
    .optional(),
});

const optionsOfCsv = ["delimiter", "quote", "header", "rename", "decimal", "null", "booleans"] as const;

export const files = {
  form: {
    files: either(
      [glob, fileOptions, z.array(either([globOrExcluded, fileOptions], globClause)).refine(hasIncluded, listClause)],
      'a glob such as "products/*.md", an object with match, or a list of them',
    ).optional(),
  },

  check(report, entry) {
    const { files = [] } = entry.options;
    for (const [index, file] of [files].flat().entries()) {
      const path = Array.isArray(files) ? ["files", String(index)] : ["files"];
      const isGlob = typeof file === "string";
      const options: FileOptions = isGlob ? { match: file } : file;
      checkOptionsOfFiles(report, entry, options, path);
      // A transform may set any field.
      if (entry.options.transform === undefined)
        checkFields(report, entry, options, path, isGlob ? path : [...path, "match"]);
    }
  },

  complete(declared, { name, program }) {
    const { files } = declared.declaration;
    const isUsual = files === undefined || files === name;
    const folderOf = (folder: string, index: number): SourceFolder => {
      const normal = path.posix.join(folder, ".");
      const steps = Array.isArray(files) ? [String(index)] : [];
      return {
        name: normal.startsWith(".") ? normal : `./${normal}`,
        path: path.resolve(program.folder, folder),
        at: () => program.placeOf(declared, "files", ...steps, "folder"),
      };
    };
    const source: ItemSource = { kind: "files", rules: isUsual ? undefined : fileRules([files].flat(), folderOf) };
    return { source };
  },
} satisfies CollectionGroup;

/** The options of an entry, apart from its globs. */
export type EntryOptions = Omit<FileOptions, "match" | "folder">;

/** The options of an entry, with their defaults. */
export function dialectWith({ items, quote, ...options }: EntryOptions): EntryDialect {
  const declared = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    ...usualDialect,
    ...declared,
    items: items === undefined ? undefined : itemsPath(items),
    quote: quote === false ? "" : (quote ?? usualDialect.quote),
  };
}

/** `features`, `data.nodes` or `data.*`. */
function itemsPath(items: string): ItemsPath {
  const names = items.split(".");
  const isEach = names.at(-1) === "*";
  return { names: isEach ? names.slice(0, -1) : names, isEach };
}

/** A glob after `!` that is an entry of its own excludes files from all entries. */
export function fileRules(
  entries: readonly (string | FileOptions)[],
  folderOf: (folder: string, index: number) => SourceFolder | undefined = () => undefined,
): readonly FileRule[] {
  const excluded = dividedGlobs(entries.filter((entry) => typeof entry === "string")).except;
  return entries.flatMap((entry, index) => {
    const { match: globs, folder: written, ...options } = typeof entry === "string" ? { match: entry } : entry;
    const { match, except } = dividedGlobs([globs].flat());
    if (match.length === 0) return [];
    const hasOptions = Object.values(options).some((value) => value !== undefined);
    const folder = written === undefined ? undefined : folderOf(written, index);
    const isPlain = match.length === 1 && !hasOptions && !folder && excluded.length + except.length === 0;
    return {
      match,
      except: [...excluded, ...except],
      ...(folder && { folder }),
      dialect: dialectWith(options),
      isPlain,
    };
  });
}

function checkOptionsOfFiles(
  report: Report,
  { which, at }: CheckedEntry,
  options: FileOptions,
  path: readonly string[],
): void {
  const { format, items, memberName, ...cells } = options;
  const refuse = (option: keyof FileOptions, text: string, hint: string) =>
    report("wrong-option", at([...path, option], "name"), `${which} ${text}`, hint);
  const ofCsv = optionsOfCsv.find((option) => cells[option] !== undefined);
  if (ofCsv !== undefined && format !== undefined && !dataFormats[format].hasCells)
    refuse(ofCsv, `has files of the format ${format} with the option ${ofCsv}, which is for CSV.`, "Remove one.");
  if (cells.header !== undefined && cells.rename !== undefined)
    refuse("rename", "names the columns of a file by header, and renames them by rename.", "Remove one.");
  if (hasOneSign(options))
    refuse(
      "quote",
      "has the same character between and around the cells of a file.",
      "Name another delimiter or quote.",
    );
  const { hasLines, isText } = format === undefined ? {} : dataFormats[format];
  const item = isText ? "each file" : "each line";
  if (items !== undefined && (hasLines || isText))
    refuse("items", `has files of the format ${format} with the option items, but ${item} is an item.`, "Remove it.");
  if (memberName !== undefined && (items === undefined || !itemsPath(items).isEach))
    refuse("memberName", "names members by memberName, but items does not end with *.", 'Write items: "*".');
}

/** Whether the delimiter of some files, which may follow from their ending, is also their quote. */
const hasOneSign = (entry: FileOptions): boolean =>
  fileRules([entry]).some(({ match, dialect }) =>
    match
      .map((glob) => dialectOf(glob, dialect) ?? dialectOf(glob, { ...dialect, format: "csv" }))
      .some((written) => written?.delimiter === written?.quote),
  );

const fieldOfPath = useOf("files", "a string or a number", (schema) =>
  areOfOne(schema, "text", "integer", "number", "null"),
);

/** Checks the fields that the paths, members and columns of files supply. */
function checkFields(
  report: Report,
  entry: CheckedEntry,
  { match, memberName, header = [] }: FileOptions,
  path: readonly string[],
  pathOfMatch: readonly string[],
): void {
  const { at, schema } = entry;
  for (const field of fieldsInGlobs([match].flat())) checkField(report, entry, field, at(pathOfMatch), fieldOfPath);
  if (memberName !== undefined) checkField(report, entry, memberName, at([...path, "memberName"]), fieldOfPath);
  if (schema !== undefined && hasOpenFields(schema)) return;
  for (const [index, name] of header.entries())
    checkField(report, entry, name, at([...path, "header", String(index)]), anyUse("files"));
}
