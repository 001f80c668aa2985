// Reads the files of a content folder: what they are by their paths, and the values in them.
import type { Api } from "../../src/model/api.ts";
import { escaped, shown } from "../text/quote.ts";
import { classify, elsewhere, meantBy, type Role } from "./classify.ts";
import type { Discovery, FoundFile, Obstacle } from "./discover.ts";
import { type Fault, fault, type WithFaults, wholeFile } from "./fault.ts";
import { emptyText, isBlank, type Path, type Shape, unreadable } from "./formats/format.ts";
import { formatOf, formats } from "./formats/formats.ts";
import { compare } from "./order.ts";
import { decode, type Source, sourceOf, tooLarge } from "./source.ts";

/** A content folder with the roles of its files. */
export interface Folder {
  /** The API whose content it holds. */
  readonly api: Api;
  /** In the order of their paths. The first of two files with the same role counts. */
  readonly files: readonly ContentFile[];
  /** The top-level places that are partly unreadable, apart from the files above. */
  readonly lost: ReadonlySet<string>;
}

/** Whether there is no content, so that another folder may be meant. Collections that are loaded need no files. */
export const isEmpty = ({ api, files }: Pick<Folder, "api" | "files">): boolean =>
  files.length === 0 && !api.lists.some(({ source }) => source.kind === "load");

export interface ContentFile extends FoundFile {
  readonly role: Role;
}

export function openFolder({ files, obstacles }: Discovery, api: Api): WithFaults<Folder> {
  const lost = new Set(obstacles.flatMap(({ file }) => meantBy(file, api)));
  const faults = obstacles.map(({ file, code }) => fault(code, wholeFile(escaped(file)), ...obstacleWords[code]));
  const known: ContentFile[] = [];
  for (const found of [...files].sort((a, b) => compare(a.file, b.file))) {
    const role = classify(found.file, api);
    if (role.kind === "unknown") {
      for (const place of role.meant) lost.add(place);
      faults.push(fault(role.code, wholeFile(found.file), shown(role.message, 300), role.hint));
    } else known.push({ ...found, role });
  }
  return [{ api, files: known, lost }, faults];
}

const obstacleWords: Readonly<Record<Obstacle["code"], readonly [message: string, hint: string]>> = {
  link: ["This is a link, and links are not content.", "Put the file or the folder itself here."],
  "no-file": ["This is neither a file nor a folder, so it is not content.", elsewhere],
  "bad-name": ["This name holds a control character, a line break or something that is not UTF-8.", "Rename it."],
  "too-large": [tooLarge.message, tooLarge.hint],
  unreadable: ["This file may not be read.", "Change its permissions."],
};

/** What a file turned out to be. */
export interface ReadFile {
  readonly source: Source;
  readonly shape: Shape;
  /** False if a part of the file is unreadable, so that missing items prove nothing. */
  readonly whole: boolean;
  readonly faults: readonly Fault[];
}

/**
 * Calls `visit` for each item of a file that can be read, in order. Its path is empty for the only value of a file, else
 * the index in its list or the number of its line, from 0. The values are not kept, and share no part with one another.
 */
export function readItems(
  { file, bytes }: FoundFile,
  visit: (value: unknown, path: Path, source: Source) => void,
): ReadFile {
  const name = formatOf(file) ?? "json";
  const source = sourceOf(file, name, () => bytes);
  const format = formats[name];
  const { text, problem } = decode(bytes);
  const first = problem ?? (isBlank(text) ? emptyText(format.contents) : undefined);
  const { shape, problems, whole } =
    first === undefined ? format.read(text, (value, path) => visit(value, path, source)) : unreadable(first);
  const faults = problems.map(({ code, span, message, hint }) => fault(code, { source, ...span }, message, hint));
  return { source, shape, whole, faults };
}

/** The only value of a file that must hold one; undefined if its faults say why there is none. */
export function readOne(file: FoundFile, what: string): ReadFile & { readonly value: unknown; readonly path: Path } {
  const held: (readonly [value: unknown, path: Path])[] = [];
  const read = readItems(file, (value, path) => held.push([value, path]));
  const [[value, path] = [undefined, []]] = held;
  const one = { ...read, path, value: held.length > 1 ? undefined : value };
  if (read.shape !== "list" && held.length < 2) return one;
  const list = held.length === 0 ? "an empty list" : "a list";
  const found = read.shape === "list" ? list : `${held.length} lines`;
  const message = `This file must hold a single ${what}, but holds ${found}.`;
  const at = { source: read.source, start: 0, end: 0 };
  return { ...one, faults: [...read.faults, fault("not-one", at, message, "Keep one, without a list around it.")] };
}
