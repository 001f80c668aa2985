// The part of cursors.json that tells what this build gives. It is written as bytes, because there may be millions of
// keys. snapshot.ts is the same as values.
import { filtersOf, type ListOperation } from "../../src/operations.ts";
import { type Catalog, type Deployment, type Items, keyAt, knownValues, type OrderKeys } from "../content/catalog.ts";
import { pagedOperations } from "./snapshot.ts";

export const generator = "edge-api";

/** Of the file. A program that does not know the form of a file does not use it. */
export const form = 1;

/** The JSON of the file up to the builds before this one: the same bytes for the same cursors. */
export function currentBytes(catalog: Catalog, deployment: Deployment): Uint8Array {
  const text = openText();
  text.write(
    `{"generator":"${generator}","form":${form},"deployment":${JSON.stringify(deployment.name)},"operations":{`,
  );
  for (const [index, operation] of pagedOperations(deployment).entries()) {
    if (index > 0) text.write(",");
    writeOperation(text, catalog, operation);
  }
  text.write("}");
  return text.done();
}

function writeOperation(text: Text, catalog: Catalog, operation: ListOperation): void {
  const items = catalog.items.get(operation.name);
  const filters = filtersOf(operation).map((filter) => ({ ...filter, known: knownValues(catalog, operation, filter) }));
  const about = {
    paging: "exact",
    sizes: catalog.settings.pageSizes.get(operation.name) ?? [],
    known: Object.fromEntries(filters.map(({ param, known }) => [param, known])),
  };
  text.write(`${JSON.stringify(operation.name)}:${JSON.stringify(about).slice(0, -1)},"keys":[`);
  if (items !== undefined) writeKeys(text, items.keys);
  text.write('],"values":{');
  for (const [index, { param, field, known }] of filters.entries()) {
    text.write(`${index > 0 ? "," : ""}${JSON.stringify(param)}:[`);
    if (items !== undefined) writeValues(text, items, field, known);
    text.write("]");
  }
  text.write("}}");
}

function writeKeys(text: Text, keys: OrderKeys): void {
  const { bytes, starts } = keys;
  for (let index = 0; index + 1 < starts.length; index++) {
    if (index > 0) text.write(",");
    const [start = 0, end = 0] = [starts[index], starts[index + 1]];
    if (isPlain(bytes, start, end)) {
      text.write('"');
      text.copy(bytes, start, end);
      text.write('"');
    } else {
      text.write(JSON.stringify(keyAt(keys, index)));
    }
  }
}

/** Whether a text in JSON is its own bytes. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) return false;
  }
  return true;
}

/** Each item's value as its index in the known ones. */
function writeValues(text: Text, items: Items, field: string, known: readonly string[]): void {
  const column = items.references.get(field);
  if (column === undefined) return;
  const indices = new Map(known.map((value, index) => [value, index]));
  const byNumber = new Map([...column.numbers].map(([value, number]) => [number, String(indices.get(value))]));
  for (const [index, number] of column.rows.entries()) {
    if (index > 0) text.write(",");
    text.write(byNumber.get(number) ?? "");
  }
}

type Text = ReturnType<typeof openText>;

const encoder = new TextEncoder();

/** Bytes that grow. */
function openText() {
  let bytes = new Uint8Array(1 << 16);
  let end = 0;
  const makeRoom = (length: number) => {
    if (end + length <= bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes.length * 2, end + length));
    larger.set(bytes);
    bytes = larger;
  };
  return {
    write(text: string) {
      makeRoom(text.length * 3);
      if (text.length > 8) {
        end += encoder.encodeInto(text, bytes.subarray(end)).written;
        return;
      }
      // What is short is ASCII: punctuation and numbers.
      for (let index = 0; index < text.length; index++) bytes[end++] = text.charCodeAt(index);
    },
    copy(from: Uint8Array, start: number, until: number) {
      makeRoom(until - start);
      for (let at = start; at < until; at++) bytes[end++] = from[at] ?? 0;
    },
    done: () => bytes.subarray(0, end),
  };
}
