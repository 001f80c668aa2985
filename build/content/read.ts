// Reads files: their roles by their paths, their texts and their entries.
import type { Api } from "../../src/api.ts";
import { escaped } from "../quote.ts";
import { classify, meantBy, type Role } from "./classify.ts";
import { decode, type Encoded, withoutMark } from "./decode.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { fault as faultAt } from "./fault.ts";
import { type Fault, fileFault, type WithFaults } from "./faults/fault.ts";
import type { Shape } from "./formats/format.ts";
import { compare } from "./order.ts";
import { type Parsed, parse } from "./parse.ts";
import { isPartial, type Path, type Source } from "./source.ts";

/** A content folder with the roles of its files. */
export interface Folder {
  /** The API whose content it holds. */
  readonly api: Api;
  /** In the order of their paths. The first of two files with the same role counts. */
  readonly files: readonly ContentFile[];
  /** The top-level places that are partly unreadable, apart from the files above. */
  readonly lost: ReadonlySet<string>;
}

export interface ContentFile extends FoundFile {
  readonly role: Role;
}

/** The content of a file. */
export interface Reading extends Parsed {
  readonly file: ContentFile;
  readonly source: Source;
  readonly faults: readonly Fault[];
}

export function openFolder({ files, obstacles }: Discovery, api: Api): WithFaults<Folder> {
  const lost = new Set<string>();
  const lose = (places: readonly string[]) => {
    for (const place of places) lost.add(place);
  };
  const known: ContentFile[] = [];
  const faults: Fault[] = [];
  for (const { file, code } of obstacles) {
    lose(meantBy(file, api));
    faults.push(fileFault(code, escaped(file), {}));
  }
  for (const found of [...files].sort((a, b) => compare(a.file, b.file))) {
    const role = roleOf(found.file, api);
    switch (role.kind) {
      case "unknown":
        lose(role.meant);
        faults.push(fileFault("unknown-file", found.file, role.details));
        break;
      case "ambiguous":
        lose(role.operations);
        faults.push(fileFault("ambiguous-file", found.file, role));
        break;
      default:
        known.push({ ...found, role });
    }
  }
  return [{ api, files: known, lost }, faults];
}

/** A collection whose items come from elsewhere has no files. */
function roleOf(file: string, api: Api): ReturnType<typeof classify> {
  const role = classify(file, api);
  const operation = role.kind === "items" ? api.lists.find(({ name }) => name === role.operation) : undefined;
  if (operation?.load === undefined && operation?.from === undefined) return role;
  const reason =
    operation.from === undefined
      ? `The declaration loads ${operation.name}, so no file holds its items`
      : `The declaration makes ${operation.name} from ${operation.from.operation}, so no file holds its items`;
  const hint = `Remove the file, or the option ${operation.from === undefined ? "load" : "from"}.`;
  return { kind: "unknown", details: { reason, hint }, meant: [] };
}

/** Reads the file itself, with the places of all values. */
const read = (file: ContentFile): Reading => ({
  ...readPart({ file: file.file, bytes: withoutMark(file.bytes) }),
  file,
});

/** The content of one text of a file. */
interface Part extends Parsed {
  readonly source: Source;
  /** False if the bytes are not text. */
  readonly decoded: boolean;
  readonly faults: readonly Fault[];
}

function readPart(encoded: Encoded): Part {
  const [source, undecoded] = decode(encoded);
  if (source === undefined) {
    const nothing = { file: encoded.file, format: "json", text: "" } as const;
    return { source: nothing, decoded: false, entries: [], shape: "one", whole: false, faults: undecoded };
  }
  const [parsed, faults] = parse(source);
  return { ...parsed, source, decoded: true, faults };
}

/** What a file turned out to be. */
export interface ReadFile {
  readonly source: Source;
  /** One value, a list of them, or one a line. */
  readonly shape: Shape;
  /** False if a part of the file is unreadable, so that missing items prove nothing. */
  readonly whole: boolean;
  readonly faults: readonly Fault[];
}

/**
 * Calls `visit` for each item of a file that can be read, in order. Its path is empty for the only value of a file, else
 * the index in its list or the number of its line, from 0. The values are not kept, and nothing else refers to them.
 */
export function readItems(file: ContentFile, visit: (value: unknown, path: Path, source: Source) => void): ReadFile {
  const { source, shape, entries, whole, faults } = read(file);
  const readable = faults.length === 0 ? entries : entries.filter(({ value }) => !hasUnread(value));
  for (const { value, path } of readable) visit(value, path, source);
  return { source, shape, whole: whole && readable.length === entries.length, faults };
}

const hasUnread = (value: unknown): boolean =>
  isPartial(value) || (typeof value === "object" && value !== null && Object.values(value).some(hasUnread));

/** The only value of a file that must hold one; undefined if its faults say why there is none. */
export function readOne(file: ContentFile, what: string): ReadFile & { readonly value: unknown; readonly path: Path } {
  const held: (readonly [value: unknown, path: Path])[] = [];
  const read = readItems(file, (value, path) => held.push([value, path]));
  const [[value, path] = [undefined, []], second] = held;
  const one = { ...read, path, value: second === undefined ? value : undefined };
  const isList = read.shape === "list";
  if (!isList && (read.shape !== "lines" || second === undefined)) return one;
  const found = isList ? (held.length === 0 ? "an empty list" : "a list") : `${held.length} lines`;
  const message = `This file must hold a single ${what}, but holds ${found}.`;
  const notOne = faultAt("not-one", { source: read.source, start: 0, end: 0 }, message, keepOne);
  return { ...one, faults: [...read.faults, notOne] };
}

const keepOne = "Keep one, without a list around it.";
