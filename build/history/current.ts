// The part of cursors.json about the current build. It is written as bytes, because there may be millions of keys.
// snapshot.ts has the same data as values.
import { type Filter, valuesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  type Items,
  keyAt,
  type OrderKeys,
  pagingOf,
} from "../content/catalog.ts";
import { generator } from "../generator.ts";
import { pagedOperations, signatureOf } from "./snapshot.ts";

/** The version of the file's form. Files of another version are unusable. */
export const form = 2;

/** The start of the file, up to the earlier builds, as JSON. Builds with the same cursors have the same bytes. */
export function currentBytes(catalog: Catalog, deployment: Deployment, pages: number): Uint8Array {
  const text = openText(roomFor(catalog, deployment));
  text.write(
    `{"generator":"${generator}","form":${form},"deployment":${JSON.stringify(deployment.name)},"pages":${pages},"operations":{`,
  );
  for (const [index, operation] of pagedOperations(catalog.api, deployment).entries()) {
    if (index > 0) text.write(",");
    writeOperation(text, catalog, operation);
  }
  text.write("}");
  return text.done();
}

/** An estimate of the length of the JSON. */
const roomFor = ({ api, items }: Catalog, deployment: Deployment): number =>
  pagedOperations(api, deployment)
    .flatMap(({ name }) => items.get(name) ?? [])
    .reduce((sum, { count, keys }) => sum + keys.bytes.length + 8 * count, 1 << 16);

function writeOperation(text: Text, catalog: Catalog, operation: ListOperation): void {
  const items = catalog.items.get(operation.name);
  const filters = operation.filters.map((filter) => ({
    filter,
    param: filter.param,
    known: filterValues(catalog, operation, filter),
  }));
  const about = {
    signature: signatureOf(operation),
    paging: pagingOf(catalog.settings, operation.name),
    sizes: catalog.settings.pageSizes.get(operation.name) ?? [],
    known: Object.fromEntries(filters.map(({ param, known }) => [param, known])),
  };
  text.write(`${JSON.stringify(operation.name)}:${JSON.stringify(about).slice(0, -1)},"keys":[`);
  if (items !== undefined) writeKeys(text, items.keys);
  text.write('],"values":{');
  for (const [index, { param, filter, known }] of filters.entries()) {
    text.write(`${index > 0 ? "," : ""}${JSON.stringify(param)}:[`);
    if (items !== undefined) writeValues(text, items, filter, known);
    text.write("]");
  }
  text.write("}}");
}

function writeKeys(text: Text, keys: OrderKeys): void {
  const { bytes, starts, ends } = keys;
  for (let index = 0; index < starts.length; index++) {
    if (index > 0) text.write(",");
    const isQuoted = text.quote(bytes, starts[index] ?? 0, ends[index] ?? 0);
    if (!isQuoted) text.write(JSON.stringify(keyAt(keys, index)));
  }
}

/** Writes each item's value as its index in `known`, -1 if the item has none, and a list of indices if it has several. */
function writeValues(text: Text, items: Items, filter: Filter, known: readonly string[]): void {
  const column = items.columns.get(filter.field);
  if (column === undefined) return;
  const indices = new Map(known.map((value, index) => [value, index]));
  const byNumber: string[] = [];
  for (const [value, number] of column.numbers) {
    const [first = -1, ...others] = valuesIn(filter, value).flatMap((each) => indices.get(each) ?? []);
    byNumber[number] = `,${others.length === 0 ? first : JSON.stringify([first, ...others])}`;
  }
  for (let index = 0; index < column.rows.length; index++) {
    const written = byNumber[column.rows[index] ?? 0] ?? "";
    text.write(index === 0 ? written.slice(1) : written);
  }
}

type Text = ReturnType<typeof openText>;

const encoder = new TextEncoder();

/** A growing buffer in shared memory, so that a second thread can write it to disk. */
function openText(room: number) {
  let bytes = new Uint8Array(new SharedArrayBuffer(room));
  let end = 0;
  const makeRoom = (length: number) => {
    if (end + length <= bytes.length) return;
    const larger = new Uint8Array(new SharedArrayBuffer(Math.max(bytes.length * 2, end + length)));
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
      // Short texts are punctuation and numbers, which are ASCII.
      for (let index = 0; index < text.length; index++) bytes[end++] = text.charCodeAt(index);
    },
    /**
     * Writes the bytes from `start` to `stop`, excluding `stop`, in quotes. Returns false if JSON would have to escape
     * them.
     */
    quote(own: Uint8Array, start: number, stop: number): boolean {
      makeRoom(stop - start + 2);
      let at = end;
      bytes[at++] = 0x22;
      for (let index = start; index < stop; index++) {
        const byte = own[index] ?? 0;
        if (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c) return false;
        bytes[at++] = byte;
      }
      bytes[at++] = 0x22;
      end = at;
      return true;
    },
    done: () => bytes.subarray(0, end),
  };
}
