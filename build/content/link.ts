// Links items: references must lead to items that exist. Faulty items count as well, so that a fault in an item is not
// reported again for every reference to it. Content may write a reference as another field of the item referred to,
// `reference("groups", { by: "number" })`: it becomes the key before the item is checked, so such targets are read first.
import { fieldOf } from "../../src/model/fields.ts";
import { keyPart } from "../../src/model/key.ts";
import type { ListOperation, Reference } from "../../src/model/operation.ts";
import type { Draft, Log, Part, Path, Sentences, Spot } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { closest, didYouMean } from "../text/slips.ts";
import { copyOf } from "./data.ts";
import { type Origin, spotOf } from "./origin.ts";

/** The keys of a collection to which others refer. */
export interface KeyTarget {
  readonly operation: ListOperation;
  readonly keys: Set<string>;
  /** By the fields with which others refer to the items: the key of each value. */
  readonly keysBy: ReadonlyMap<string, Map<string, string>>;
  /** Possible keys of items whose key field is misspelt or contains a number. */
  readonly possible: Set<string>;
  /** False if a part of the content is unreadable, so that an unknown key may exist. */
  isWhole: boolean;
}

export interface Links {
  /** Notes the references of an item that lead nowhere yet. `isJoined`: whether those by other fields have become keys. */
  take(item: unknown, origin: Origin, isJoined: boolean): void;
  /** Once all items are known. */
  finish(): void;
}

/** `targetOf` is asked for once items are read. */
export function linksOf({ references }: ListOperation, log: Log, targetOf: (name: string) => KeyTarget): Links {
  /** The references that led nowhere when they were read. */
  const pending: { readonly value: string; readonly targets: readonly KeyTarget[]; readonly at: Spot }[] = [];
  const referencesOf = (field: string) => {
    // If a union has references to several collections, the value must be a key of one of them.
    const own = references.filter((each) => each.field === field);
    const targets = own.map(({ to }) => targetOf(to));
    const form = targets[0]?.operation.keyForm ?? "";
    const steps = own[0]?.steps ?? [];
    return { field, steps, isTop: steps.length === 1, targets, form, isJoin: own.some(isJoin) };
  };
  let fields: readonly ReturnType<typeof referencesOf>[] | undefined;
  return {
    take(item, origin, isJoined) {
      fields ??= [...new Set(references.map(({ field }) => field))].map(referencesOf);
      for (const { field, steps, isTop, targets, form, isJoin } of fields) {
        if (isJoin && !isJoined) continue;
        // Most references are a field of the item, and lead to an item that is known already.
        const text = isTop ? fieldOf(item, field) : undefined;
        if (typeof text === "string" && targets[0]?.keys.has(text)) continue;
        eachAt(item, steps, (owner, key, path, part) => {
          const value = keyPart(part === "key" ? key : owner[key], form);
          if (value === undefined || targets.some(({ keys }) => keys.has(value))) return;
          pending.push({ value, targets, at: spotOf(origin, item, path, part) });
        });
      }
    },
    finish() {
      const known = new Map<KeyTarget, readonly string[]>();
      for (const { value, targets, at } of pending) {
        const [target] = targets;
        if (target === undefined || !targets.every((each) => isUnknown(value, each))) continue;
        const text = () => {
          // Of equally similar keys it is the first, wherever they are written.
          const keys = known.get(target) ?? [...target.keys].sort();
          known.set(target, keys);
          return noSuchItem(target.operation, target.operation.key, value, closest(value, keys));
        };
        log.report({ code: "no-such-item", at, text });
      }
    },
  };
}

/** Whether a reference certainly leads to no item. A value without the form of a key is reported as that instead. */
const isUnknown = (value: string, { operation, keys, possible, isWhole }: KeyTarget): boolean =>
  isWhole && !keys.has(value) && !possible.has(value) && (value.length > longestKey || isWellFormed(operation, value));

/** A key is the name of a file. */
export const longestKey = 200;

/** Whether each part of a key has the form that the schema asks for, whose expression may be too much for a longer one. */
export function isWellFormed({ scope, keyForm }: ListOperation, key = ""): boolean {
  const forms = [...scope.map(({ form }) => form), keyForm];
  return key
    .split("/")
    .every((part, index) => part.length <= longestKey && new RegExp(forms[index] ?? "$^").test(part));
}

/** Whether content writes a reference as another field than the key. */
export const isJoin = (each: Reference): each is Reference & { readonly by: string } => each.by !== undefined;

export interface Joined {
  readonly value: unknown;
  readonly drafts: readonly Draft[];
  /** The places of the values that have no key in their place, known to be wrong or not. */
  readonly lost: readonly Spot[];
}

const none: readonly never[] = [];

/** Returns the function that replaces the references of an item by keys. */
export function joinerOf(
  { references }: ListOperation,
  targetOf: (name: string) => KeyTarget,
): (item: unknown, origin: Origin) => Joined {
  const joins = references.filter(isJoin);
  if (joins.length === 0) return (value) => ({ value, drafts: none, lost: none });
  return (item, origin) => {
    const drafts: Draft[] = [];
    const lost: Spot[] = [];
    const value = copyOf(item);
    for (const { steps, to, by } of joins) {
      const target = targetOf(to);
      const keys = target.keysBy.get(by) ?? new Map<string, string>();
      eachAt(value, steps, (owner, field, path) => {
        const written = owner[field];
        if (typeof written !== "string" && typeof written !== "number") return;
        const key = keys.get(String(written));
        if (key !== undefined) {
          owner[field] = key;
          return;
        }
        const at = spotOf(origin, item, path);
        lost.push(at);
        if (!target.isWhole) return;
        const text = () => {
          // The key itself is written, or a value that resembles a known one.
          const [own] = [...keys].find(([, each]) => each === written) ?? [];
          const meant = own ?? closest(String(written), [...keys.keys()].sort());
          return noSuchItem(target.operation, by, String(written), meant);
        };
        drafts.push({ code: "no-such-item", at, text });
      });
    }
    return { value, drafts, lost };
  };
}

export const isSameSpot = (one: Draft["at"], other: Draft["at"]): boolean =>
  "path" in one && "path" in other && JSON.stringify(one.path) === JSON.stringify(other.path);

/** The words for a reference to no item. `field` is the field that the value should be of. */
function noSuchItem({ noun }: ListOperation, field: string, value: string, meant: string | undefined): Sentences {
  return {
    text: `There is no ${noun} with the ${field} ${quote(value)}.`,
    hint: didYouMean(meant) ?? "Add it, or name another.",
  };
}

type Owner = Record<string | number, unknown>;

/**
 * Visits the values at the steps of a reference: `.name` is a field, `[]` each element of a list, `[0]` the first one, and
 * `.*` each value of a record.
 */
function eachAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  visit: (owner: Owner, key: string | number, path: Path, part: Part) => void,
  before: Path = [],
): void {
  if (!isOwner(value) || step === undefined) return;
  for (const key of keysAt(value, step)) {
    const path = [...before, key];
    if (rest.length === 0) visit(value, key, path, step === "{}" ? "key" : "value");
    else eachAt(value[key], rest, visit, path);
  }
}

const isOwner = (value: unknown): value is Owner => typeof value === "object" && value !== null;

function keysAt(owner: Owner, step: string): Path {
  if (Array.isArray(owner)) {
    if (step === "[]") return [...owner.keys()];
    const index = step.startsWith("[") ? Number(step.slice(1, -1)) : owner.length;
    return index < owner.length ? [index] : [];
  }
  const name = step.slice(1);
  if (step === ".*" || step === "{}") return Object.keys(owner);
  return step.startsWith(".") && Object.hasOwn(owner, name) ? [name] : [];
}
