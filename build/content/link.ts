// Links items: references must lead to items that exist. Faulty items count as well, so that a fault in an item is not
// reported again for every reference to it.
import { withArticle } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { keyPart, type Resource } from "../../src/resource.ts";
import type { Wording } from "../diagnostics.ts";
import { quote } from "../text/quote.ts";
import { closest, didYouMean } from "../text/slips.ts";
import { type Fault, fault, type Spot } from "./fault.ts";
import { type Origin, spotOf } from "./origin.ts";
import type { Path } from "./source.ts";
import { aside } from "./wrong.ts";

/** The keys of a collection to which others refer. */
export interface Target {
  readonly operation: ListOperation;
  readonly keys: Set<string>;
  /** By the fields with which others refer to the items: the key of each value. */
  readonly keysBy: ReadonlyMap<string, Map<string, string>>;
  /** The fields with which others refer to the items, if a faulty item lacks one of them or its key. */
  readonly unsure: Set<string>;
  /** Possible keys of items whose key field is misspelt or contains a number. */
  readonly possible: Set<string>;
  /** False if a part of the content is unreadable, so that an unknown key may exist. */
  isWhole: boolean;
}

export interface Links {
  /** Notes the references of an item that lead nowhere yet. `isJoined`: whether those by other fields have become keys. */
  take(item: unknown, origin: Origin, isJoined: boolean): void;
  /** Once all items are known. */
  faults(): readonly Fault[];
}

/** A reference that led nowhere when it was read. */
interface Pending {
  readonly value: string;
  readonly targets: readonly Target[];
  readonly at: Spot;
}

/** `targetOf` is asked for once items are read. */
export function linksOf({ resource }: ListOperation, targetOf: (name: string) => Target): Links {
  const all = resource.references;
  const pending: Pending[] = [];
  // If a union has references to several collections, the value must be a key of one of them.
  const fieldOf = (field: string) => {
    const own = all.filter((each) => each.field === field);
    const targets = own.map(({ to }) => targetOf(to));
    const form = targets[0]?.operation.resource.keyForm ?? "";
    return { steps: own[0]?.steps ?? [], targets, form, isJoin: own.some(({ by }) => by !== undefined) };
  };
  let fields: readonly ReturnType<typeof fieldOf>[] | undefined;
  return {
    take(item, origin, isJoined) {
      fields ??= [...new Set(all.map(({ field }) => field))].map(fieldOf);
      for (const { steps, targets, form, isJoin } of fields) {
        if (isJoin && !isJoined) continue;
        eachAt(item, steps, [], (each, path) => {
          const value = keyPart(each, form);
          if (value === undefined || targets.some(({ keys }) => keys.has(value))) return;
          pending.push({ value, targets, at: spotOf(origin, item, path) });
        });
      }
    },
    faults() {
      const meantBy = guesser();
      return pending.flatMap(({ value, targets, at }) => {
        const [target] = targets;
        if (target === undefined || !targets.every((each) => isUnknown(value, each))) return [];
        return [unknownItem(target, value, at, meantBy)];
      });
    },
  };
}

/** Whether a reference certainly leads to no item. A value without the form of a key is reported as that instead. */
const isUnknown = (value: string, { operation, keys, possible, isWhole }: Target): boolean =>
  isWhole && !keys.has(value) && !possible.has(value) && isWellFormed(operation, value);

/** Whether each part of a key has the form that the schema asks for. */
export function isWellFormed({ resource: { scope, keyForm } }: ListOperation, key: string): boolean {
  const forms = [...scope.map(({ form }) => form), keyForm];
  return key.split("/").every((part, index) => new RegExp(forms[index] ?? "$^").test(part));
}

function unknownItem(target: Target, value: string, at: Spot, meantBy: ReturnType<typeof guesser>): Fault {
  const { resource } = target.operation;
  return fault("no-such-item", at, () => noSuchItem(resource, resource.key, value, didYouMean(meantBy(target, value))));
}

/** The words for a reference to no item. `field` is the field that the value should be of. */
export const noSuchItem = ({ noun }: Resource, field: string, value: string, hint: string | undefined): Wording => ({
  message: `There is no ${noun} with the ${field} ${quote(value)}.`,
  hint: hint ?? "Add it, or name another.",
  cause: {
    several: `references lead to ${withArticle(noun)} that does not exist`,
    value: quote(value),
    aside: aside(hint),
    hint: "Add what is missing, or name another.",
  },
});

/** Keeps suggestions, because many references often have the same fault. */
function guesser(): (target: Target, text: string) => string | undefined {
  const known = new Map<
    Target,
    { readonly sorted: readonly string[]; readonly guesses: Map<string, string | undefined> }
  >();
  return (target, text) => {
    // Of equally similar keys it is the first, wherever they are written.
    const own = known.get(target) ?? { sorted: [...target.keys].sort(), guesses: new Map() };
    known.set(target, own);
    const guess = own.guesses.has(text) ? own.guesses.get(text) : closest(text, own.sorted);
    own.guesses.set(text, guess);
    return guess;
  };
}

/** The values at the steps of a reference: `[]` is each element of a list, `.*` each value of a record. */
function eachAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: Path,
  visit: (value: unknown, path: Path) => void,
): void {
  if (step === undefined) visit(value, path);
  else for (const key of keysAt(value, step)) eachAt(Object(value)[key], rest, [...path, key], visit);
}

function keysAt(value: unknown, step: string): Path {
  if (Array.isArray(value)) {
    if (step === "[]") return [...value.keys()];
    const index = Number(/^\[(\d+)\]$/.exec(step)?.[1] ?? Number.NaN);
    return index < value.length ? [index] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const name = step.slice(1);
  return name === "*" ? Object.keys(value) : Object.hasOwn(value, name) ? [name] : [];
}
