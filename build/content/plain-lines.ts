// Takes the plain lines out of NDJSON files; see plain-form.ts. What they leave goes the long way.
import { type ListOperation, listOperations } from "../../src/operations.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { classify } from "./classify.ts";
import type { FoundFile } from "./discover.ts";
import { formatOf } from "./formats/formats.ts";
import { type PlainForm, plainForm } from "./plain-form.ts";
import { layoutOf, type Rows, rowsOf } from "./rows.ts";

export interface PlainLines {
  /** The files with what is left of them, without those of which nothing is left. */
  readonly rest: readonly FoundFile[];
  /** By operation; of all operations. */
  readonly rows: ReadonlyMap<string, Rows>;
  /** The values that the lines of a file give where its path may give one, too. */
  readonly given: readonly {
    readonly operation: ListOperation;
    readonly file: string;
    readonly values: ReadonlySet<string>;
  }[];
}

/** Takes nothing. */
export const noPlainLines = (files: readonly FoundFile[]): PlainLines => ({
  rest: files,
  rows: emptyRows(),
  given: [],
});

export function takePlainLines(files: readonly FoundFile[], vocabulary: Vocabulary): PlainLines {
  const rows = emptyRows();
  const rest: FoundFile[] = [];
  const given: PlainLines["given"][number][] = [];
  const takers = new Map<string, (found: FoundFile) => FoundFile | undefined>();
  for (const operation of listOperations) {
    const form = plainForm(operation.resource, vocabulary);
    const own = rows.get(operation.name);
    if (form === undefined || own === undefined) continue;
    takers.set(operation.name, (found) => {
      const values = new Set<string>();
      const left = takeFrom(found, operation, form, own, values);
      given.push({ operation, file: found.file, values });
      return left;
    });
  }
  for (const found of files) {
    const role = classify(found.file);
    const isLines = role.kind === "items" && (found.format ?? formatOf(found.file)) === "ndjson";
    const take = isLines ? takers.get(role.operation) : undefined;
    const left = take === undefined ? found : take(found);
    if (left !== undefined) rest.push(left);
  }
  return { rest, rows, given };
}

const emptyRows = (): ReadonlyMap<string, Rows> =>
  new Map(listOperations.map((operation) => [operation.name, rowsOf(operation)]));

/** Adds to `rows`, and to `given` what the lines say of the field that the path may say. What is left, if anything is. */
function takeFrom(
  found: FoundFile,
  operation: ListOperation,
  { fields, line, accepts }: PlainForm,
  rows: Rows,
  given: Set<string>,
): FoundFile | undefined {
  const groupOf = (field: string) => fields.indexOf(field) + 1;
  const layout = layoutOf(operation, groupOf);
  const pathGroup = groupOf(operation.resource.fromPath ?? "");
  const { bytes } = found;
  const left: Uint8Array[] = [];
  let taken = 0;
  rows.open(bytes);
  for (const { text, start } of chunksOf(bytes)) {
    let at = 0;
    while (at < text.length) {
      line.lastIndex = at;
      const match = line.exec(text);
      if (match !== null && accepts(match)) {
        rows.add(start + at, start + text.lastIndexOf("}", line.lastIndex) + 1, match, layout);
        if (pathGroup > 0) given.add(match[pathGroup] ?? "");
        at = line.lastIndex;
        taken++;
      } else {
        const end = text.indexOf("\n", at) + 1 || text.length;
        left.push(bytes.subarray(start + at, start + end));
        at = end;
      }
    }
  }
  if (taken === 0) return found;
  const remaining = Buffer.concat(left);
  return remaining.toString().trim() === "" ? undefined : { ...found, bytes: remaining };
}

/** Whole lines, as the text that has a character a byte; plain lines are ASCII. Short enough to be forgotten soon. */
function* chunksOf(bytes: Uint8Array): Generator<{ text: string; start: number }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf("\n", start + chunkLength) + 1 || buffer.length;
    yield { text: buffer.toString("latin1", start, end), start };
    start = end;
  }
}

const chunkLength = 1 << 18;
