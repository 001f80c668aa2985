// The names in a collection: the items by key, by alias, and by other fields by which references find them, and what is
// reported when two items want one name. Paths may ignore case, so keys and aliases must differ in more than case;
// references must be exact. Faulty items have names as well, so that their faults are not reported again for every
// reference to them.
import { ownField } from "../../src/model/fields.ts";
import { slugOf } from "../../src/model/filter.ts";
import { type Item, valueOfFile } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { wrong } from "../explain/words.ts";
import type { Draft, Log, Spot } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { closest } from "../text/slips.ts";
import { compare } from "../values/compare.ts";
import type { At } from "./formats/value.ts";
import { folderClause, maxKeyLength, textsIn } from "./link/paths.ts";
import { hashOf, hashTable } from "./table/hash-table.ts";
import type { ItemTable } from "./table/table.ts";

/** An item in the table, which claims its names. */
export interface NamedItem {
  readonly index: number;
  readonly key: string | undefined;
  readonly item: Item;
  /** Whether it has the form of the schema. */
  readonly isRight: boolean;
  readonly at: At;
}

/** An item with a key or an alias, and the place of that name. */
export interface NameHolder {
  readonly item: number;
  readonly value: string;
  readonly at: () => Spot;
}

export interface NamesOptions {
  readonly log: Log;
  /** Whether others refer to the items. */
  readonly isReferredTo: boolean;
  /** The other fields by which references find items. */
  readonly referredFields: readonly string[];
  /** False if some files of the collection are unknown. */
  readonly isComplete: boolean;
}

/** At most this number of items is listed, because editors show all at once. */
const maxChoices = 5_000;

/** The items to which a reference may lead, for editors, even if the content has faults. */
export interface Choices {
  /**
   * The JSON of the items with well-formed keys, each key once, in order of code units; empty if there are too many. Fields of
   * faulty items may be missing or wrong.
   */
  readonly items: readonly Uint8Array[];
  /** Whether there may be more items, so that an unknown reference is not necessarily a fault. */
  readonly isOpen: boolean;
}

export class ItemNames {
  readonly operation: ListOperation;
  readonly #log: Log;
  readonly #table: ItemTable;
  readonly #forms: readonly RegExp[];
  readonly #keys = hashTable();
  readonly #aliases = new Map<string, NameHolder>();
  /** The aliases that no item has, because several names are the same, in lowercase. */
  readonly #droppedAliases = new Map<string, NameHolder>();
  /** By a field, the first item with each value of it. */
  readonly #itemsByField: ReadonlyMap<string, Map<string, number>>;
  readonly #isReferredTo: boolean;
  /** The keys of items that are not in `#keys`, because another item has the key or the key is malformed. */
  readonly #unusable = new Set<string>();
  /** Values that may be the keys of items without one. */
  readonly #possibleNames = new Set<string>();
  /** The keys whose folder may have the name of another key's file; see `valueOfFile`. */
  readonly #likeFiles: { readonly key: string; readonly other: string; readonly at: Spot }[] = [];
  #isComplete: boolean;
  #sortedKeys: readonly string[] | undefined;

  constructor(operation: ListOperation, table: ItemTable, options: NamesOptions) {
    const { log, isReferredTo, referredFields, isComplete } = options;
    this.operation = operation;
    this.#log = log;
    this.#table = table;
    this.#forms = [...operation.scope.map(({ form }) => form), operation.keyForm].map((form) => new RegExp(form));
    this.#itemsByField = new Map(referredFields.map((field) => [field, new Map()]));
    this.#isReferredTo = isReferredTo;
    this.#isComplete = isComplete;
  }

  /** Whether no item is missing. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Items may be missing, so that an unknown key may exist. */
  markIncomplete(): void {
    this.#isComplete = false;
  }

  /** Whether each part of a key has its form. Long parts are not tested, because a regular expression could take too long. */
  isWellFormed(key: string): boolean {
    return key
      .split("/")
      .every((part, index) => part.length <= maxKeyLength && this.#forms[index]?.test(part) === true);
  }

  /** Gives an item its names. Returns whether another item has its key. */
  claim(named: NamedItem): boolean {
    const { key, item, isRight } = named;
    let isTaken = false;
    if (key === undefined) for (const value of Object.values(item)) this.notePossibleName(value);
    // A malformed key is reported by the check of the schema, and must change anyway.
    else if (isRight || this.isWellFormed(key) || this.isWellFormed(key.toLowerCase()))
      isTaken = this.#claimKey(named, key);
    else this.#addUnusable(key);
    this.#claimAliases(named);
    for (const [field, items] of this.#itemsByField) this.#claimField(named, field, items);
    return isTaken;
  }

  /** Returns whether another item has the key. */
  #claimKey({ index, at: itemAt }: NamedItem, key: string): boolean {
    const { scope, key: field, noun } = this.operation;
    const at = () => itemAt.spot([field], "use");
    const { first, alias } = this.#addKey(key, index);
    if (alias !== undefined) this.#log.report(repeatedAlias(noun, alias, at()));
    const name = scope.length === 0 ? field : "key";
    if (first !== undefined) this.#log.report(taken(noun, `${name} ${quote(key)}`, at(), first));
    // A composite key is not a value of a filter.
    const other = scope.length === 0 ? valueOfFile(key) : undefined;
    if (other !== undefined) this.#likeFiles.push({ key, other, at: itemAt.spot([field]) });
    return first !== undefined;
  }

  #claimAliases({ index, key, item, at }: NamedItem): void {
    const { report } = this.#log;
    const { noun, item: single } = this.operation;
    const aliases = single?.aliases;
    if (aliases === undefined) return;
    const { field, isSlug, mayRepeat } = aliases;
    for (const { value: text, path } of textsIn(ownField(item, field), [field])) {
      const value = isSlug ? slugOf(text) : text;
      if (value === "") continue;
      const alias = { item: index, value, at: () => at.spot(path, "use") };
      const first = this.#addAlias(alias, key);
      if (first === undefined) continue;
      if (first.item === index) report(aliasInOtherCase(noun, alias, first.value));
      else
        report(
          mayRepeat ? repeatedAlias(noun, alias, first.at()) : taken(noun, `alias ${quote(value)}`, alias.at(), first),
        );
    }
  }

  /** Notes the value of a field by which others refer to the item. `items`: the first item with each value. */
  #claimField({ index, key, item, isRight, at: itemAt }: NamedItem, field: string, items: Map<string, number>): void {
    const written = ownField(item, field);
    const isText = typeof written === "string" || Number.isSafeInteger(written);
    if (key === undefined || !this.isWellFormed(key) || !isText) {
      // The value may be in a misspelt field.
      if (!isRight) for (const other of Object.values(item)) this.notePossibleName(other);
      return;
    }
    const value = String(written);
    const first = items.get(value);
    if (first === undefined) items.set(value, index);
    const firstKey = first === undefined ? key : this.#table.keyOf(first);
    if (firstKey === key) return;
    const text = `The ${field} ${quote(value)} is taken by the ${this.operation.noun} ${quote(firstKey)}, and others refer to it by this field.`;
    const at = itemAt.spot([field], "use");
    this.#log.report({ code: "not-unique", at, text, hint: "Change one of them." });
  }

  /** Reports the keys that cannot have a folder, once all keys are known. */
  reportLikeFiles(): void {
    for (const { key, other, at } of this.#likeFiles) {
      if (this.holderOf(other) === undefined) continue;
      const expected = `${folderClause}, because ${quote(other)} is a key as well`;
      this.#log.report(wrong("wrong-value", at, { name: this.operation.key, expected, value: key }));
    }
  }

  /**
   * Gives a key to an item. Returns the item that already has it, in any case, and the alias that gives way to it: a key is a
   * name of its item, also if another item claims it as an alias that may be repeated.
   */
  #addKey(
    key: string,
    item: number,
  ): { readonly first?: NameHolder | undefined; readonly alias?: NameHolder | undefined } {
    const mayRepeat = this.operation.item?.aliases?.mayRepeat === true;
    const alias = mayRepeat ? this.#aliases.get(key.toLowerCase()) : undefined;
    if (alias !== undefined) this.#dropAlias(key, alias);
    const lowercase = key.toLowerCase();
    const hash = hashOf(lowercase);
    const isSame = (other: number) => this.#lowercaseOf(other) === lowercase;
    const first = this.#aliases.get(lowercase) ?? this.#holderOf(this.#keys.add(hash, item, isSame));
    if (first !== undefined && !this.has(key)) this.#addUnusable(key);
    return { alias, first };
  }

  /**
   * Gives an alias to an item with a key. Returns the first item that claimed the name, if it is in conflict with the alias:
   * another item, or the same one with another alias that is the same in paths. An alias that may be repeated belongs to none
   * of the items then.
   */
  #addAlias(alias: NameHolder, key: string | undefined): NameHolder | undefined {
    const { item, value } = alias;
    const { isSlug = false, mayRepeat = false } = this.operation.item?.aliases ?? {};
    const lowercase = value.toLowerCase();
    const first = this.holderOf(lowercase) ?? this.#droppedAliases.get(lowercase);
    if (first === undefined) this.#aliases.set(lowercase, alias);
    if (first === undefined || value === key) return undefined;
    const isOther = first.item !== item;
    if (!isOther && first.value === value) return undefined;
    // Nobody can write a slug in another case, and a key in another case is the same name.
    const isSame = !isOther && (isSlug || first.value === key);
    if (isSame || (isOther && mayRepeat)) this.#dropAlias(value, first);
    return isSame ? undefined : first;
  }

  /** Takes an alias from all items. `first`: the first item that claimed it. */
  #dropAlias(alias: string, first: NameHolder): void {
    const lowercase = alias.toLowerCase();
    this.#aliases.delete(lowercase);
    this.#droppedAliases.set(lowercase, first);
  }

  /** Whether the item that claims an alias has it. */
  isAlias(value: string): boolean {
    return !this.#droppedAliases.has(value.toLowerCase());
  }

  /** Notes a key that must change, so that references to it are not reported. */
  #addUnusable(key: string): void {
    if (this.#isReferredTo) this.#unusable.add(key);
  }

  /**
   * Notes a value of a faulty item. It may be the key, or the value of another field by which references find the item: the
   * field may be misspelt, or a number may be meant as text.
   */
  notePossibleName(value: unknown): void {
    if (this.#isReferredTo) this.#possibleNames.add(String(value));
  }

  /** Whether an item has exactly this key. */
  has(key: string): boolean {
    const item = this.#find(key.toLowerCase());
    return (item !== undefined && this.#table.keyOf(item) === key) || this.#unusable.has(key);
  }

  /** Whether an item may have the key once faults are corrected. */
  mayHave(key: string): boolean {
    return this.has(key) || this.mayHold(key);
  }

  /** The item that has a name as its key or as an alias, in any case. */
  holderOf(name: string): NameHolder | undefined {
    const lowercase = name.toLowerCase();
    return this.#aliases.get(lowercase) ?? this.#holderOf(this.#find(lowercase));
  }

  /** The key of the item with a value of a field. */
  keyBy(field: string, value: string): string | undefined {
    const item = this.#itemsByField.get(field)?.get(value);
    return item === undefined ? undefined : this.#table.keyOf(item);
  }

  /** Whether an item may have a value, which none has, in any field once faults are corrected. */
  mayHold(value: string): boolean {
    return !this.#isComplete || this.#possibleNames.has(value);
  }

  /** The key that was probably meant. Among equally similar keys it is the first in order, whatever the order of files. */
  closestKey(text: string): string | undefined {
    this.#sortedKeys ??= this.#allKeys().sort();
    return closest(text, this.#sortedKeys);
  }

  /** The value of a field that was probably meant: that of the item whose key is written, or a similar one. */
  closestBy(field: string, written: string | number): string | undefined {
    const items = this.#itemsByField.get(field) ?? new Map<string, number>();
    for (const [value, item] of items) if (this.#table.keyOf(item) === written) return value;
    return closest(String(written), [...items.keys()].sort());
  }

  /** Called once all items are known. */
  choices(): Choices {
    const indices = new Map<string, number>();
    for (let index = 0; index < this.#table.count && indices.size <= maxChoices; index++) {
      const key = this.#table.keyOf(index);
      if (key !== "" && !indices.has(key) && this.isWellFormed(key)) indices.set(key, index);
    }
    const chosen = indices.size > maxChoices ? [] : [...indices].sort(([a], [b]) => compare(a, b));
    return {
      // Copies, so that the buffer with all items can be freed.
      items: chosen.map(([, index]) => this.#table.jsonOf(index).slice()),
      isOpen: !this.#isComplete || this.#possibleNames.size > 0,
    };
  }

  #lowercaseOf(item: number): string {
    return this.#table.keyOf(item).toLowerCase();
  }

  #find(lowercase: string): number | undefined {
    return this.#keys.find(hashOf(lowercase), (item) => this.#lowercaseOf(item) === lowercase);
  }

  #allKeys(): string[] {
    const keys = new Set<string>();
    for (let item = 0; item < this.#table.count; item++) keys.add(this.#table.keyOf(item));
    keys.delete("");
    return [...keys];
  }

  #holderOf(item: number | undefined): NameHolder | undefined {
    if (item === undefined) return undefined;
    const at = () => this.#table.atOf(item).spot([this.operation.key], "use");
    return { item, value: this.#table.keyOf(item), at };
  }
}

/** Another item has a name: its `key "a"`, or an alias. */
const taken = (noun: string, name: string, at: Spot, first: NameHolder): Draft => ({
  code: "not-unique",
  at,
  text: (_, placeOf) => ({
    text: `The ${name} is taken by another ${noun}, at ${placeOf(first.at())}.`,
    hint: "Change one of them; case makes no difference.",
  }),
});

/** `other`: the place of the item whose key or alias is the same in paths. */
const repeatedAlias = (noun: string, { value, at }: NameHolder, other: Spot): Draft => ({
  code: "repeated-alias",
  at: at(),
  text: (_, placeOf) => ({
    text: `The alias ${quote(value)} is left out, because another ${noun} has or claims this name, at ${placeOf(other)}.`,
  }),
});

/** An alias that differs only in case from another alias of its item. */
const aliasInOtherCase = (noun: string, { value, at }: NameHolder, first: string): Draft => ({
  code: "not-unique",
  at: at(),
  text: `The aliases ${quote(first)} and ${quote(value)} of one ${noun} are the same in paths, which may ignore case.`,
  hint: "Leave one out.",
});
