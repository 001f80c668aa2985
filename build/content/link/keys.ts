// The names in a collection: the items by key, by alias, and by other fields by which references find them. Paths may ignore
// case, so keys and aliases must differ in more than case; references must be exact. Faulty items have names as well, so
// that their faults are not reported again for every reference to them.
import type { ListOperation } from "../../../src/model/operation.ts";
import type { Spot } from "../../messages.ts";
import { closest } from "../../text/slips.ts";
import { compare } from "../../values/compare.ts";
import type { ItemTable } from "../table/table.ts";
import { maxKeyLength } from "./paths.ts";

/** An item with a key or an alias, and the place of that name. */
export interface NameHolder {
  readonly item: number;
  readonly value: string;
  readonly at: () => Spot;
}

export interface KeyOptions {
  /** Whether others refer to the items. */
  readonly isReferredTo: boolean;
  /** The other fields by which references find items. */
  readonly joinedBy: readonly string[];
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

export class KeyIndex {
  readonly operation: ListOperation;
  readonly joinedBy: readonly string[];
  readonly #table: ItemTable;
  readonly #forms: readonly RegExp[];
  readonly #keys = hashTable();
  readonly #aliases = new Map<string, NameHolder>();
  /** The aliases that no item has, because several names are the same, in lowercase. */
  readonly #lostAliases = new Map<string, NameHolder>();
  /** By a field, the first item with each value of it. */
  readonly #joined: ReadonlyMap<string, Map<string, number>>;
  readonly #isReferredTo: boolean;
  /** The keys of items that are not in `#keys`, because another item has the key or the key is malformed. */
  readonly #unusable = new Set<string>();
  /** Values that may be the keys of items without one. */
  readonly #guesses = new Set<string>();
  #isComplete: boolean;
  #sortedKeys: readonly string[] | undefined;

  constructor(operation: ListOperation, table: ItemTable, { isReferredTo, joinedBy, isComplete }: KeyOptions) {
    this.operation = operation;
    this.joinedBy = joinedBy;
    this.#table = table;
    this.#forms = [...operation.scope.map(({ form }) => form), operation.keyForm].map((form) => new RegExp(form));
    this.#joined = new Map(joinedBy.map((field) => [field, new Map()]));
    this.#isReferredTo = isReferredTo;
    this.#isComplete = isComplete;
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

  /**
   * Gives a key to an item. Returns the item that already has it, in any case, and the alias that gives way to it: a key is a
   * name of its item, also if another item claims it as an alias that may be repeated.
   */
  claimKey(
    key: string,
    item: number,
  ): { readonly first?: NameHolder | undefined; readonly alias?: NameHolder | undefined } {
    const mayRepeat = this.operation.item?.aliases?.mayRepeat === true;
    const alias = mayRepeat ? this.#aliases.get(key.toLowerCase()) : undefined;
    if (alias !== undefined) this.#loseAlias(key, alias);
    return { alias, first: this.#addKey(key, item) };
  }

  #addKey(key: string, item: number): NameHolder | undefined {
    const lowercase = key.toLowerCase();
    const hash = hashOf(lowercase);
    const isSame = (other: number) => this.#lowercaseOf(other) === lowercase;
    const first = this.#aliases.get(lowercase) ?? this.#holderIfAny(this.#keys.add(hash, item, isSame));
    if (first !== undefined && !this.has(key)) this.addUnusable(key);
    return first;
  }

  /**
   * Gives an alias to an item with a key. Returns the first item that claimed the name, if it is in conflict with the alias:
   * another item, or the same one with another alias that is the same in paths. An alias that may be repeated belongs to none
   * of the items then.
   */
  claimAlias(alias: NameHolder, key: string | undefined): NameHolder | undefined {
    const { item, value } = alias;
    const { isSlug = false, mayRepeat = false } = this.operation.item?.aliases ?? {};
    const lowercase = value.toLowerCase();
    const first = this.holderOf(lowercase) ?? this.#lostAliases.get(lowercase);
    if (first === undefined) this.#aliases.set(lowercase, alias);
    if (first === undefined || value === key) return undefined;
    const isOther = first.item !== item;
    if (!isOther && first.value === value) return undefined;
    // Nobody can write a slug in another case, and a key in another case is the same name.
    const isSame = !isOther && (isSlug || first.value === key);
    if (isSame || (isOther && mayRepeat)) this.#loseAlias(value, first);
    return isSame ? undefined : first;
  }

  /** Takes an alias from all items. `first`: the first item that claimed it. */
  #loseAlias(alias: string, first: NameHolder): void {
    const lowercase = alias.toLowerCase();
    this.#aliases.delete(lowercase);
    this.#lostAliases.set(lowercase, first);
  }

  /** Whether the item that claims an alias has it. */
  isAlias(value: string): boolean {
    return !this.#lostAliases.has(value.toLowerCase());
  }

  /** Returns the item that already has the value. */
  addJoined(field: string, value: string, item: number): number | undefined {
    const items = this.#joined.get(field);
    const first = items?.get(value);
    if (first === undefined) items?.set(value, item);
    return first;
  }

  /** Notes a key that must change, so that references to it are not reported. */
  addUnusable(key: string): void {
    if (this.#isReferredTo) this.#unusable.add(key);
  }

  /**
   * Notes a value of a faulty item. It may be the key, or the value of another field by which references find the item: the
   * field may be misspelt, or a number may be meant as text.
   */
  guess(value: unknown): void {
    if (this.#isReferredTo) this.#guesses.add(String(value));
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
    return this.#aliases.get(lowercase) ?? this.#holderIfAny(this.#find(lowercase));
  }

  /** The key of the item with a value of a field. */
  keyBy(field: string, value: string): string | undefined {
    const item = this.#joined.get(field)?.get(value);
    return item === undefined ? undefined : this.#table.keyOf(item);
  }

  /** Whether an item may have a value, which none has, in any field once faults are corrected. */
  mayHold(value: string): boolean {
    return !this.#isComplete || this.#guesses.has(value);
  }

  /** The key that was probably meant. Among equally similar keys it is the first in order, whatever the order of files. */
  closestKey(text: string): string | undefined {
    this.#sortedKeys ??= this.#allKeys().sort();
    return closest(text, this.#sortedKeys);
  }

  /** The value of a field that was probably meant: that of the item whose key is written, or a similar one. */
  closestBy(field: string, written: string | number): string | undefined {
    const items = this.#joined.get(field) ?? new Map<string, number>();
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
      isOpen: !this.#isComplete || this.#guesses.size > 0,
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

  #holderIfAny(item: number | undefined): NameHolder | undefined {
    return item === undefined ? undefined : this.#holderOf(item);
  }

  #holderOf(item: number): NameHolder {
    const at = () => this.#table.atOf(item).spot([this.operation.key], "use");
    return { item, value: this.#table.keyOf(item), at };
  }
}

interface HashTable {
  /** `isSame`: whether an item has the text of the hash. */
  find(hash: number, isSame: (item: number) => boolean): number | undefined;
  /** Returns the item that has the text already. */
  add(hash: number, item: number, isSame: (item: number) => boolean): number | undefined;
}

/**
 * Items by their texts. One array has a 32-bit hash of each text, and texts are compared only if their hashes are equal. A Map
 * of a million strings takes three times as long to build, which adds a tenth to the time of reading a million items.
 */
function hashTable(): HashTable {
  let size = 1 << 10;
  let count = 0;
  /** The hash of a text and its item plus 1, which is 0 if the place is free. */
  let places = new Uint32Array(2 * size);

  /** The place of a text, or the free place for it. */
  function placeOf(hash: number, isSame: (item: number) => boolean): number {
    let place = hash & (size - 1);
    for (let item = places[2 * place + 1]; item !== 0; item = places[2 * place + 1]) {
      if (places[2 * place] === hash && isSame((item ?? 0) - 1)) break;
      place = (place + 1) & (size - 1);
    }
    return 2 * place;
  }

  function grow(): void {
    const before = places;
    size *= 2;
    places = new Uint32Array(2 * size);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue;
      const hash = before[at] ?? 0;
      const place = placeOf(hash, () => false);
      places[place] = hash;
      places[place + 1] = before[at + 1] ?? 0;
    }
  }

  return {
    find(hash, isSame) {
      const item = places[placeOf(hash, isSame) + 1] ?? 0;
      return item === 0 ? undefined : item - 1;
    },
    add(hash, item, isSame) {
      const place = placeOf(hash, isSame);
      const first = places[place + 1] ?? 0;
      if (first !== 0) return first - 1;
      places[place] = hash;
      places[place + 1] = item + 1;
      if (2 * ++count > size) grow();
      return undefined;
    },
  };
}

/** FNV-1a of the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
