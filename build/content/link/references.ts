// References must lead to items that exist. Content may write another field than the key, as in
// `reference("groups", { by: "number" })`. Such a reference is replaced by the key before the item is checked, so the
// collection to which it refers is read first. Other references are checked once all items are read.
import { withArticle } from "../../../src/model/api.ts";
import { eachAt, fieldOf, ownField, setField } from "../../../src/model/fields.ts";
import type { Filter } from "../../../src/model/filter.ts";
import { integerForm, isFolderName, keyPart } from "../../../src/model/key.ts";
import { kindsOf, schemasAt } from "../../../src/model/kinds.ts";
import type { ListOperation, Reference } from "../../../src/model/operation.ts";
import { typesOf } from "../../explain/explain.ts";
import { dotted } from "../../explain/faults.ts";
import { wrong } from "../../explain/words.ts";
import type { Draft, Log, Path, Sentences, Spot } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { didYouMean } from "../../text/slips.ts";
import { groupBy } from "../../values/group-by.ts";
import { once } from "../../values/once.ts";
import { copyOf } from "../formats/data.ts";
import type { At } from "../formats/value.ts";
import type { ItemNames } from "../names.ts";
import { maxKeyLength } from "./paths.ts";

/** Whether content writes a reference as another field than the key. */
export const isByField = (reference: Reference): reference is Reference & { readonly by: string } =>
  reference.by !== undefined;

/** An item in which keys replace references by other fields, and the objects of answers the paths of files. */
export interface Linked {
  readonly value: unknown;
  /** The paths of the references and files that are not replaced, because they, or what they name, are wrong. */
  readonly unresolved: readonly Path[];
}

/** A reference that led nowhere when it was read. */
interface Pending {
  readonly value: string;
  /** If a union has references to several collections, the value must be a key of one of them. */
  readonly targets: readonly ItemNames[];
  readonly at: Spot;
  /** Whether it may lead nowhere. */
  readonly isOpen: boolean;
  readonly filter: Filter | undefined;
  /** Whether the item has the form of its schema, so that no other fault is reported for a value that is no key. */
  readonly isRight: boolean;
}

const none: readonly never[] = [];

/** The references of the items of a collection. */
export class References {
  readonly #references: readonly Reference[];
  readonly #byField: readonly (Reference & { readonly by: string })[];
  readonly #keysOf: (operation: string) => ItemNames;
  readonly #fields: () => readonly ReferenceField[];
  readonly #pending: Pending[] = [];
  /** The references by other fields that are texts. */
  readonly #byText: () => ReadonlySet<Reference>;

  /** `keysOf` must not be called before all collections are open. */
  constructor({ references, filters }: ListOperation, keysOf: (operation: string) => ItemNames) {
    this.#references = references;
    this.#byField = references.filter(isByField);
    this.#keysOf = keysOf;
    this.#fields = once(() => fieldsOf(references, filters, keysOf));
    this.#byText = once(() => new Set(this.#byField.filter(({ to, by }) => isOnlyText(keysOf(to).operation, by))));
  }

  /** Whether a text leads to an item. True for a field without references. */
  leads(field: string, text: string): boolean {
    const references = this.#references.filter((reference) => reference.field === field);
    return (
      references.length === 0 ||
      references.some(({ to, by }) => {
        const keys = this.#keysOf(to);
        return by === undefined ? keys.has(text) : keys.keyBy(by, text) !== undefined;
      })
    );
  }

  /** Replaces references by other fields with keys. */
  resolve(item: unknown, at: At, report: Log["report"]): Linked {
    if (this.#byField.length === 0) return { value: item, unresolved: none };
    const unresolved: Path[] = [];
    const value = copyOf(item);
    for (const reference of this.#byField) {
      const { steps, to, by } = reference;
      const keys = this.#keysOf(to);
      eachAt(value, steps, (owner, field, path) => {
        const written = ownField(owner, field);
        if (typeof written !== "string" && typeof written !== "number") return;
        if (typeof written === "number" && this.#byText().has(reference)) {
          unresolved.push(path);
          report(numberForText(keys, by, written, path, at.spot(path)));
          return;
        }
        const key = keys.keyBy(by, String(written));
        if (key !== undefined) {
          setField(owner, field, keys.operation.keyForm === integerForm ? Number(key) : key);
          return;
        }
        unresolved.push(path);
        if (keys.mayHold(String(written))) return;
        const text = () => noSuchItem(keys.operation, by, String(written), keys.closestBy(by, written));
        report({ code: "no-such-item", at: at.spot(path), text });
      });
    }
    return { value, unresolved };
  }

  /**
   * Notes the references of an item that lead nowhere yet. `areResolved`: whether all references by other fields are keys now;
   * `isRight`: whether the item has the form of its schema.
   */
  note(item: unknown, place: At, { areResolved, isRight }: { areResolved: boolean; isRight: boolean }): void {
    for (const { field, steps, targets, form, isByField, isOpen, filter } of this.#fields()) {
      if (isByField && !areResolved) continue;
      // Most references are a field of the item itself, and lead to an item that has been read.
      const text = steps.length === 1 ? fieldOf(item, field) : undefined;
      if (typeof text === "string" && targets[0] !== undefined && targets[0].has(text)) continue;
      const part = steps.at(-1) === "{}" ? "key" : "value";
      eachAt(item, steps, (owner, key, path) => {
        const value = keyPart(part === "key" ? key : ownField(owner, key), form);
        if (value === undefined || targets.some((keys) => keys.has(value))) return;
        this.#pending.push({ value, targets, at: place.spot(path, part), isOpen, filter, isRight });
      });
    }
  }

  /** Reports the references that lead nowhere, once all items are known. */
  reportUnknown(report: Log["report"]): void {
    for (const { value, targets, at, isOpen, filter, isRight } of this.#pending) {
      const [keys] = targets;
      if (keys === undefined || !targets.every((target) => isUnknown(value, target, isRight))) continue;
      const leftOut = isOpen && !isFolderName(value) ? filter : undefined;
      const text = () => noSuchItem(keys.operation, keys.operation.key, value, keys.closestKey(value), leftOut);
      // Paths may ignore case, so a key in another case would be the same value of a filter.
      const isSlip = targets.some((target) => target.holderOf(value) !== undefined);
      report({ code: isOpen && !isSlip ? "missing-item" : "no-such-item", at, text });
    }
  }
}

/** Whether a field has texts and no numbers. */
const isOnlyText = ({ schema }: ListOperation, field: string): boolean => {
  const types = schemasAt(schema({}), [field]).flatMap(kindsOf).flatMap(typesOf);
  return !types.includes("number") && !types.includes("any");
};

/** The fault of a number that refers to an item by a text: the number 001 would lead to the item with the text 1. */
const numberForText = (keys: ItemNames, by: string, value: number, path: Path, at: Spot): Draft =>
  wrong("wrong-type", at, {
    name: dotted(path),
    expected: `the ${by} of ${withArticle(keys.operation.noun)}, a string`,
    value,
    accepts: (other) => keys.keyBy(by, String(other)) !== undefined,
  });

/** Whether a reference certainly leads to no item. False for a malformed key that the check of the schema reports. */
const isUnknown = (value: string, keys: ItemNames, isRight: boolean): boolean =>
  !keys.mayHave(value) && (isRight || value.length > maxKeyLength || keys.isWellFormed(value));

/** A field with references, and the names in the collections to which they may lead. */
interface ReferenceField {
  readonly field: string;
  readonly steps: readonly string[];
  readonly targets: readonly ItemNames[];
  /** The form of the keys. */
  readonly form: string;
  readonly isByField: boolean;
  readonly isOpen: boolean;
  /** The filter by the field. */
  readonly filter: Filter | undefined;
}

function fieldsOf(
  references: readonly Reference[],
  filters: readonly Filter[],
  keysOf: (operation: string) => ItemNames,
): readonly ReferenceField[] {
  return [...groupBy(references, ({ field }) => field)].map(([field, ofField]) => {
    const targets = ofField.map(({ to }) => keysOf(to));
    return {
      field,
      steps: ofField[0].steps,
      targets,
      form: targets[0]?.operation.keyForm ?? "",
      isByField: ofField.some(isByField),
      isOpen: ofField.some(({ missing }) => missing !== undefined),
      filter: filters.find((filter) => filter.field === field.replace(/(?:\[\]|\{\})$/, "")),
    };
  });
}

/**
 * The words for a reference to no item. `field`: the field of the item referred to that has the value. `leftOut`: the filter
 * that cannot have the value.
 */
function noSuchItem(
  { noun }: ListOperation,
  field: string,
  value: string,
  meant: string | undefined,
  leftOut?: Filter,
): Sentences {
  const effect =
    leftOut === undefined ? "" : ` It cannot be a part of a path, so it is no value of the filter ${leftOut.param}.`;
  return {
    text: `There is no ${noun} with the ${field} ${quote(value)}.${effect}`,
    hint: didYouMean(meant) ?? "Add it, or name another.",
  };
}
