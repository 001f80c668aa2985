// What is in the files that somebody has: how each is written, as the program's own readers see it, and the items in it.
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { FileFormat } from "../../../src/declare/declare.ts";
import { isObject, ownField } from "../../../src/model/fields.ts";
import { type DataFormat, dialectIn, dialectOf } from "../../../src/model/files.ts";
import type { Item } from "../../../src/model/key.ts";
import { entriesBelow, kept } from "../../content/files.ts";
import { areElements } from "../../content/formats/format.ts";
import { decode, maxFileSize, tooLarge } from "../../content/formats/source.ts";
import { valuesIn } from "../../content/formats/values.ts";
import { dialectWith, type EntryOptions } from "../../declaration/options/files.ts";
import { MachineError } from "../../files/machine-error.ts";
import { openLog } from "../../messages.ts";
import { listed } from "../../text/words.ts";
import { mapNonEmpty, type NonEmpty } from "../../values/non-empty.ts";
import { tableOptions, typedCells } from "./cells.ts";
import { countNames, isKeyValue } from "./guess.ts";

/** A file or folder that somebody has. */
export interface Survey {
  /** The last part of its path. */
  readonly name: string;
  readonly isFolder: boolean;
  /** All files to copy, by their paths in the folder, or by the name of the only file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The common ending of the files with data; empty if they have none. */
  readonly ending: string;
  readonly format: DataFormat;
  /** Options that the readers cannot infer. */
  readonly options: EntryOptions;
  /** With the fields that the names of members or files supply. */
  readonly items: readonly Item[];
  /** The members of a file beside its items, by their paths. */
  readonly besides: readonly string[];
  /** The glob of the files in their folder, if their names supply a field, or if the folder has others. */
  readonly glob?: string;
  /** Their folder from that of the declaration, if they are read where they are. */
  readonly folder?: string;
}

interface DataFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Throws MachineError if the file or the folder cannot be read. `only`: the files of the folder, all of one name. */
export function survey(from: string, only?: readonly string[]): Survey {
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats === undefined) throw new MachineError(`There is no file ${from}.`, "Name files or folders after --from.");
  const isFolder = stats.isDirectory();
  const name = path.basename(only?.[0] ?? path.resolve(from));
  const files = isFolder ? filesBelow(from, only) : new Map([[name.toLowerCase(), bytesOf(from)]]);
  const data = [...files].flatMap(([file, bytes]) => (isFolder && !only && !isData(file) ? [] : [{ file, bytes }]));
  const [first] = data;
  if (first === undefined) throw new MachineError(`${from} holds no data files.`, "Name files or folders with data.");
  const [ending = "", ...others] = new Set(data.map(({ file }) => path.extname(file)));
  if (others.length > 0) {
    const text = `${from} holds files of several formats: ${listed([ending, ...others])}.`;
    throw new MachineError(text, "Name each file, or a folder for each format.");
  }
  const mayHold = data.length === 1 || only !== undefined;
  const options = dialectFor([first, ...data.slice(1)], mayHold);
  const { format } = dialectOf(first.file, dialectWith(options)) ?? dialectIn("json");
  const found = data.map((file) => itemsIn(isFolder ? path.join(from, file.file) : from, file, options));
  const items = found.flatMap((file) => file.items);
  const globOfAll = only && { glob: `${only.every((file) => file.split("/").length === 2) ? "*" : "**"}/${name}` };
  const besides = [...new Set(found.flatMap((file) => file.besides))];
  const surveyed = { name, isFolder, files, ending, format, options, items, besides, ...globOfAll };
  if (format.hasCells) {
    const cells = typedCells(items);
    return { ...surveyed, items: cells.items, options: { ...options, ...cells.options } };
  }
  const members = found.flatMap((file) => file.members);
  const hasOneEach = isFolder && found.every(({ isOne }) => isOne);
  const names = hasOneEach ? namesOfFiles(data.map(({ file }) => file)) : { values: members };
  const field = names === undefined ? undefined : fieldFor(names, items);
  if (names === undefined || field === undefined) return surveyed;
  const named = items.map((item, index) => ({ [field]: names.values[index], ...item }));
  if (names.glob !== undefined) return { ...surveyed, items: named, glob: names.glob.replace("{}", `{${field}}`) };
  return { ...surveyed, items: named, options: { ...options, memberName: field } };
}

/** Whether a file of a folder has data. */
const isData = (file: string): boolean =>
  dialectOf(file) !== undefined && !/^(?:README|LICENSE)(?:\.|$)/.test(path.basename(file));

function filesBelow(folder: string, only?: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [file, code] of only?.map((file) => [file] as const) ?? entriesBelow(folder)) {
    if (code !== undefined)
      throw new MachineError(`${path.join(folder, file)} is not a file with a plain name.`, "Remove or rename it.");
    files.set(file, bytesOf(path.join(folder, file)));
  }
  return files;
}

function bytesOf(file: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile()) throw new MachineError(`${file} is not a file.`);
  if (stats.size > maxFileSize) throw new MachineError(`${file}: ${tooLarge.text}`, tooLarge.hint);
  return readFileSync(file);
}

/** How files are written, apart from what their ending tells. `mayHold`: whether their items may be within the value of each. */
function dialectFor(files: NonEmpty<DataFile>, mayHold: boolean): EntryOptions {
  const [{ file, bytes }] = files;
  const isForeign = decode(bytes).problem?.option !== undefined;
  const encoding = isForeign ? { encoding: "windows-1252" } : {};
  const { text } = decode(bytes, encoding.encoding);
  const usual = dialectOf(file);
  const hasErrors = (format: FileFormat) =>
    files.some((each) => read(each.file, each.bytes, { ...encoding, format }).log.hasErrors());
  const usualFormat = usual?.format.name;
  let format = usualFormat ?? (/^\s*[[{]/.test(text) ? "json" : "csv");
  if (format === "json" && hasErrors("json"))
    format = (["ndjson", "jsonc"] as const).find((other) => !hasErrors(other)) ?? "json";
  const options = format === usualFormat ? encoding : { format, ...encoding };
  if (format === "csv") return { ...options, ...tableOptions(text, usual?.delimiter ?? ",") };
  if (format === "ndjson" || format === "markdown" || !mayHold) return options;
  const reads = mapNonEmpty(files, (each) => read(each.file, each.bytes, options));
  const items = reads.every(({ isOne }) => isOne)
    ? itemsWithin(mapNonEmpty(reads, ({ values }) => values[0]))
    : undefined;
  return items === undefined ? options : { ...options, items };
}

/** Reads a file with the reader of content. `members`: the names of values that are members of an object. */
function read(file: string, bytes: Uint8Array, options: EntryOptions) {
  const log = openLog();
  const rule = { dialect: dialectWith(options), match: [file], except: [], isPlain: false };
  const read = [...valuesIn({ file, ...kept(bytes), match: { rule, fields: {} } }, log)];
  const values = read.filter(({ data, isHeader }) => data !== undefined && !isHeader);
  const members = values.map(({ at }) => at.path.at(-1)).filter((name) => typeof name === "string");
  return { values: values.map(({ data }) => data), members, isOne: !areElements(read), log };
}

/** The items of a file. Faults of a part of it are for `check`. `where`: its path. */
function itemsIn(where: string, { file, bytes }: DataFile, options: EntryOptions) {
  const { values, members, isOne, log } = read(file, bytes, options);
  const [message] = log.messages().shown;
  if (values.length === 0 && message !== undefined) {
    const { line, column } = message.place;
    throw new MachineError(`${where}:${line}:${column} ${message.text}`, message.hint);
  }
  if (values.length === 0) throw new MachineError(`${where} holds no items.`, "Name files with data.");
  const items = values.filter(isObject);
  if (items.length < values.length)
    throw new MachineError(`${where} holds values that are not objects, so they are not items.`);
  const place = dialectWith(options).items;
  const { items: _, ...whole } = options;
  const [root] = place === undefined ? [] : read(file, bytes, whole).values;
  return { items, members: place?.isEach ? members : [], isOne, besides: besidesOf(root, place?.names ?? []) };
}

/** The paths of the members of an object, and of the objects that lead to its items, that are not the next step to these. */
function besidesOf(root: unknown, [name, ...names]: readonly string[], path = ""): readonly string[] {
  if (name === undefined || !isObject(root)) return [];
  const others = Object.keys(root).filter((other) => other !== name);
  return [...others.map((other) => path + other), ...besidesOf(ownField(root, name), names, `${path}${name}.`)];
}

/**
 * The path of most items within the values of files. Several files are lists only if they are alike beside it: otherwise each
 * is an item that has a list.
 */
function itemsWithin(roots: NonEmpty<unknown>): string | undefined {
  const [root, ...others] = roots;
  const lists = [...listsIn(root, [])];
  const path = lists.find(({ count }) => count > 0 && lists.every((other) => other.count <= count))?.path;
  if (path === undefined || others.length === 0) return path;
  const [list] = path.split(".");
  const beside = roots.map((each) => JSON.stringify({ ...Object(each), [String(list)]: undefined }));
  const haveLists = roots.every((each) => [...listsIn(each, [])].some((other) => other.path === path));
  return haveLists && beside.every((text) => text === beside[0]) ? path : undefined;
}

interface FoundList {
  readonly path: string;
  readonly count: number;
}

/** The lists of objects, and the objects whose members are items, that are members of an object or of its members. */
function* listsIn(value: unknown, path: readonly string[]): Generator<FoundList> {
  if (Array.isArray(value) && value.every(isObject)) yield { path: path.join("."), count: value.length };
  if (!isObject(value)) return;
  if (isMap(value)) yield { path: [...path, "*"].join("."), count: Object.keys(value).length };
  else if (path.length < 2)
    // Paths cannot have all names.
    for (const [name, member] of Object.entries(value))
      if (!/^$|[.*]/.test(name)) yield* listsIn(member, [...path, name]);
}

/** Whether the members of an object are items: objects, most of which have a field in common. */
function isMap(value: Item): boolean {
  const members = Object.values(value);
  if (members.length < 2 || !members.every(isObject)) return false;
  return [...countNames(members).values()].some((count) => 2 * count > members.length);
}

/** The names of the items in their files, or those of their files. */
interface Names {
  readonly values: readonly string[];
  /** The glob of the files, with `{}` for the name. */
  readonly glob?: string;
}

/** The names of files with one item each, or those of their folders; undefined if these names are not keys. */
function namesOfFiles(files: readonly string[]): Names | undefined {
  const [last = "", ...others] = new Set(files.map((file) => path.basename(file)));
  // Each item may have a folder, with other files beside it.
  const isOfFolders = files.length > 1 && others.length === 0;
  const values = files.map((file) => (isOfFolders ? path.basename(path.dirname(file)) : path.parse(file).name));
  const isKey = values.every(isKeyValue) && new Set(values.map((value) => value.toLowerCase())).size === values.length;
  if (!isKey) return undefined;
  const isFlat = files.every((file) => file.split("/").length === (isOfFolders ? 2 : 1));
  return { values, glob: `${isFlat ? "" : "**/"}{}${isOfFolders ? `/${last}` : path.extname(last)}` };
}

const usualKeys = ["id", "slug", "code", "key"];

/** The field for the names of items; undefined if the items have such a field, or if they have a key and files the names. */
function fieldFor({ values, glob }: Names, items: readonly Item[]): string | undefined {
  const fields = new Set(items.flatMap((item) => Object.keys(item)));
  const isSame = (field: string): boolean => items.every((item, index) => ownField(item, field) === values[index]);
  if (values.length === 0 || [...fields].some(isSame)) return undefined;
  if (glob !== undefined && usualKeys.some((key) => items.every((item) => isKeyValue(ownField(item, key)))))
    return undefined;
  return ["id", "name", "key"].find((field) => !fields.has(field)) ?? "member_name";
}
