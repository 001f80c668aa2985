// Writes a small content of the Edge Network API: items of every operation, derived from the examples of their resources.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Item } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { edgeNetwork } from "../edge-network.ts";

export interface Sample {
  /** The number of items of each paged operation. Other operations have three. */
  readonly count: number;
  /** As in api.yaml. */
  readonly pageSizes: "every" | readonly number[];
  /** `both`: every second paged operation has stable paging. Undefined: none has. */
  readonly paging?: "both";
}

/** The deployment `edge` has all operations. Every third value of a filter has no items. */
export function writeSample(folder: string, { count, pageSizes, paging }: Sample): void {
  const { operations, lists, documents: declaredDocuments } = edgeNetwork;
  const settings = { page_sizes: pageSizes, ...(paging === "both" ? { paging: bothKinds } : {}) };
  const files: Record<string, unknown> = { "api.yaml": settings };
  for (const operation of lists) {
    const many = operation.paged && !isReferenced(operation) ? count : few;
    files[`${operation.name}.json`] = Array.from({ length: many }, (_, index) => itemOf(operation, index));
    assertKeys(operation, many);
  }
  const documents = declaredDocuments.map((document) => [document.name, document.example]);
  files["deployments/edge.json"] = {
    operations: operations.map(({ name }) => name),
    ...Object.fromEntries(documents),
  };
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  for (const [file, value] of Object.entries(files)) writeFileSync(path.join(folder, file), JSON.stringify(value));
}

const bothKinds = Object.fromEntries(
  edgeNetwork.lists.filter(({ paged }) => paged).map(({ name }, index) => [name, index % 2 === 0 ? "stable" : "exact"]),
);

const few = 3;

const isReferenced = ({ name }: ListOperation): boolean =>
  edgeNetwork.lists.some((list) => list.references.some(({ to }) => to === name));

/** The example with a unique key, times that differ by a minute, and references to the first items but the last. */
function itemOf(operation: ListOperation, index: number): Item {
  const { example, key, references } = operation;
  const item: Record<string, unknown> = { ...example };
  for (const [field, value] of Object.entries(item)) {
    if (typeof value === "string" && isTime.test(value)) item[field] = later(value, index);
  }
  for (const { field, to } of references) {
    const target = edgeNetwork.lists.find(({ name }) => name === to);
    if (target !== undefined) item[field] = keyOf(target, index % (few - 1));
  }
  item[key] = keyOf(operation, index);
  return item;
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const later = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString().replace(".000", "");

/** Counts up from the key of the example: each letter and digit is a place, and the last place counts fastest. */
function keyOf({ example, key }: ListOperation, index: number): string {
  let rest = index;
  const places = [...String(example[key])].toReversed().map((character) => {
    const wheel = wheels.find((characters) => characters.includes(character));
    if (wheel === undefined) return character;
    const count = wheel.indexOf(character) + rest;
    rest = Math.floor(count / wheel.length);
    return wheel.charAt(count % wheel.length);
  });
  return places.toReversed().join("");
}

function assertKeys(operation: ListOperation, count: number): void {
  const last = keyOf(operation, Math.max(0, count - 1));
  if (new RegExp(operation.keyForm).test(last)) return;
  throw new Error(`The example of a ${operation.noun} needs a longer ${operation.key}.`);
}

const wheels = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
