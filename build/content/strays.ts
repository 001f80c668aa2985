// Finds items in files of another resource, such as a region among the nodes. Each is one fault, and counts as an item
// of the resource that it fits, so that references to it are not reported.
import { isWritten, type ListOperation } from "../../src/operation.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { type Fault, fault } from "./faults/fault.ts";
import { fieldsOf, requiredFieldsOf } from "./fields.ts";
import type { Reading } from "./read.ts";
import { type Entry, isPartial } from "./source.ts";

export interface Stray {
  readonly entry: Entry;
  /** The operation whose resource it fits. */
  readonly fits: ListOperation;
}

/** Splits a reading into the reading without strays, and the strays. */
export type StraySorter = (reading: Reading) => readonly [own: Reading, strays: readonly Stray[]];

export function straySorter(
  operation: ListOperation,
  operations: readonly ListOperation[],
  vocabulary: Vocabulary,
): StraySorter {
  // An item that a function makes cannot be moved.
  if (!isWritten(operation)) return (reading) => [reading, []];
  const { fromPath, schema } = operation.resource;
  const required = requiredFieldsOf(schema(vocabulary)).filter((field) => field !== fromPath);
  const others = operations
    .filter((other) => other !== operation && isWritten(other))
    .map((other) => fitOf(other, vocabulary));
  const homeOf = ({ value }: Entry): ListOperation | undefined => {
    if (typeof value !== "object" || value === null || required.length === 0) return undefined;
    if (required.every((field) => Object.hasOwn(value, field)) || isPartial(value)) return undefined;
    return others.find(({ fits }) => fits(value))?.operation;
  };
  return (reading) => {
    const strays = reading.entries.flatMap((entry): readonly Stray[] => {
      const fits = homeOf(entry);
      return fits === undefined ? [] : [{ entry, fits }];
    });
    if (strays.length === 0) return [reading, strays];
    const lost = new Set(strays.map(({ entry }) => entry));
    return [{ ...reading, entries: reading.entries.filter((entry) => !lost.has(entry)) }, strays];
  };
}

interface Fit {
  readonly operation: ListOperation;
  /** Whether an object is a valid item, apart from a field that the path of its file would supply. */
  readonly fits: (value: object) => boolean;
}

function fitOf(operation: ListOperation, vocabulary: Vocabulary): Fit {
  const { fromPath, example, schema: schemaFor } = operation.resource;
  const schema = schemaFor(vocabulary);
  const fields = new Set(fieldsOf(schema));
  const given = fromPath === undefined ? {} : { [fromPath]: example[fromPath] };
  return {
    operation,
    fits(value) {
      // Names are compared first, because most faulty items have one faulty field.
      const names = Object.keys(value);
      return names.every((name) => fields.has(name)) && schema.safeParse({ ...given, ...value }).success;
    },
  };
}

export const strayFault = ({ entry: { source, path }, fits }: Stray, { resource }: ListOperation): Fault =>
  fault("wrong-resource", source, { path }, () => ({
    nouns: resource.nouns,
    fits: fits.resource.noun,
    severalFit: fits.resource.nouns,
    place: placeOf(fits),
  }));

const placeOf = ({ name, files }: ListOperation): string =>
  files === undefined ? `a file of ${name}, such as ${name}.yaml` : `a file of ${name}: ${files.join(", ")}`;
