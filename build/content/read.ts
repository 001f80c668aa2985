// From files to entries: what a file's path says it holds, its text, its values.
import { classify, placeOf, type Role } from "./classify.ts";
import { decode } from "./decode.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { collect, type Fault, fault, fileFault, type WithFaults } from "./fault.ts";
import { compare } from "./order.ts";
import { type Parsed, parse } from "./parse.ts";
import type { Entry, Source } from "./source.ts";

export interface Content {
  readonly files: readonly ContentFile[];
  /** The places at the top of the content folder of which something could not be read, apart from the files above. */
  readonly lost: ReadonlySet<string>;
}

export interface ContentFile extends Parsed {
  readonly source: Source;
  readonly role: Role;
}

/** Files are read in the order of their paths: of two that claim the same, the first has it. */
export function readContent({ files, obstacles }: Discovery): WithFaults<Content> {
  const lost = new Set<string>();
  const lose = (place: string | undefined) => place !== undefined && lost.add(place);
  for (const { file } of obstacles) lose(placeOf(file));
  const sorted = [...files].sort((a, b) => compare(a.file, b.file));
  const [read, faults] = collect(sorted.map((found) => readFile(found, lose)));
  const unreadable = obstacles.map(({ file, code }) => fileFault(code, printable(file), {}));
  return [{ files: read, lost }, [...unreadable, ...faults]];
}

/** A report is a line, and says nothing to a terminal. */
const printable = (file: string): string =>
  file.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

function readFile(found: FoundFile, lose: (place: string | undefined) => void): WithFaults<ContentFile | undefined> {
  const role = classify(found.file);
  if (role.kind === "unknown") {
    lose(role.meant);
    return [undefined, [fileFault("unknown-file", found.file, role.details)]];
  }
  const [source, decodeFaults] = decode(found);
  if (source === undefined) {
    const nothing = { source: { file: found.file, format: "json", text: "" }, entries: [], shape: "one" } as const;
    return [{ ...nothing, role, whole: false }, decodeFaults];
  }
  const [parsed, faults] = parse(source);
  return [{ ...parsed, source, role }, faults];
}

/** The entry of a file that must hold a single one. Where it holds none, that is a fault, or its reading has been one. */
export function onlyEntry({ source, entries, shape }: ContentFile, what: string): WithFaults<Entry | undefined> {
  const [entry, second] = entries;
  const single = second === undefined ? entry : undefined;
  if (shape === "list") return [single, [notOne(source, what, entry === undefined ? "an empty list" : "a list")]];
  if (shape === "lines" && second !== undefined) return [undefined, [notOne(source, what, `${entries.length} lines`)]];
  return [single, []];
}

const notOne = (source: Source, what: string, held: string): Fault =>
  fault("not-one", source, { start: 0, end: 0 }, () => ({ what, held }));
