// The way of an item from its file to the table of its collection: it is made from a raw item, its references become keys,
// its schema checks it, its names are claimed, and other items are made from it. A faulty item goes on as far as it can, so
// that all its faults are reported, except those that follow from others.
import * as z from "zod";
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import { isObject } from "../../src/model/fields.ts";
import type { FileRule } from "../../src/model/files.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import { hasOpenFields } from "../../src/model/kinds.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Draft, Log, Part, Path, Spot } from "../messages.ts";
import type { AssetFinder } from "./assets/assets.ts";
import { AssetFields } from "./assets/fields.ts";
import type { Items } from "./catalog.ts";
import type { ContentFile } from "./find/read.ts";
import { At, type Value } from "./formats/value.ts";
import { sourceIn, valuesIn } from "./formats/values.ts";
import { type CheckPaths, pathChecker } from "./link/paths.ts";
import { type Joined, References } from "./link/references.ts";
import { withCellTexts } from "./make/cell-texts.ts";
import { foreignObject, missingHeader } from "./make/header.ts";
import { loadedValues } from "./make/load.ts";
import { deriver, type Make, madeFrom, maker, nothing } from "./make/make.ts";
import { Names, type NamesOptions } from "./names.ts";
import { ItemTable } from "./table/table.ts";
import { type Validate, validatorOfMany } from "./validate.ts";
import { WrittenNumbers } from "./written-numbers.ts";

interface CollectionOptions extends NamesOptions {
  /** The prefix of every path. */
  readonly base: string;
  readonly vocabulary: Vocabulary;
  readonly assets: AssetFinder;
  readonly files: readonly ContentFile[];
  /** Another collection by its name, once all are open. */
  readonly find: (name: string) => CollectionReader;
}

export class CollectionReader {
  readonly operation: ListOperation;
  readonly names: Names;
  /** The collections whose items are made from these. */
  readonly derived: CollectionReader[] = [];
  readonly #log: Log;
  readonly #sources: readonly ContentFile[];
  readonly #table: ItemTable;
  readonly #schema: z.ZodType<Item>;
  /** The schema, if its fields are known. */
  readonly #shape: z.ZodObject | undefined;
  readonly #make: Make;
  readonly #validate: Validate<Item>;
  readonly #derive: ReturnType<typeof deriver>;
  readonly #checkPaths: CheckPaths;
  readonly #numbers: WrittenNumbers;
  readonly #references: References;
  readonly #assets: AssetFields;

  constructor(operation: ListOperation, options: CollectionOptions) {
    const { noun } = operation;
    const { base, vocabulary, assets, log, files, find, isReferredTo } = options;
    this.operation = operation;
    this.#table = new ItemTable(operation, {
      isReferredTo,
      room: files.reduce((sum, { size }) => sum + size, 0),
    });
    this.names = new Names(operation, this.#table, options);
    this.#log = log;
    this.#sources = files;
    this.#schema = operation.schema(vocabulary);
    this.#shape = this.#schema instanceof z.ZodObject ? this.#schema : undefined;
    this.#references = new References(operation, (name) => find(name).names);
    // A part of a path contradicts a reference only if it is a key of the items to which the field refers.
    this.#assets = new AssetFields(operation, base, assets);
    const isKey = (field: string, text: string) => this.#references.leads(field, text);
    this.#make = maker(operation, this.#schema, isKey, assets);
    this.#validate = validatorOfMany(this.#schema, noun);
    this.#derive = deriver(operation);
    this.#checkPaths = pathChecker(operation, this.#schema);
    this.#numbers = new WrittenNumbers(operation, this.#schema);
  }

  /** Reads the files, or the items that were loaded. */
  read(loaded: readonly unknown[]): void {
    for (const file of this.#sources) this.#readFile(file);
    for (const value of loadedValues(this.operation, loaded, this.#log.report)) {
      if (value.data === undefined) this.#markIncomplete();
      else this.#makeItem(value);
    }
  }

  #readFile(file: ContentFile): void {
    let isForeign: boolean | undefined;
    for (const value of this.#valuesIn(file)) {
      isForeign ??= this.#isForeign(value, file.match?.rule);
      if (isForeign) this.#markIncomplete();
      else this.#makeItem(value);
    }
  }

  *#valuesIn(file: ContentFile): Generator<Value, void> {
    const { whole, columns } = yield* valuesIn(file, this.#log);
    if (columns !== undefined) this.#checkHeader(columns, new At(sourceIn(file), [0]), file.match?.rule);
    if (!whole) this.#markIncomplete();
  }

  /** Whether a file has not the form of its collection, as its first value shows, which is reported. */
  #isForeign({ data: first, at: { source, path } }: Value, rule: FileRule | undefined): boolean {
    const { operation } = this;
    const { format, header } = source.dialect;
    const fields = Object.keys(this.#shape?.shape ?? {});
    const isOne = path.length === 0 && operation.transform === undefined && this.#isStrict();
    let fault: Draft | undefined;
    if (format === "csv" && header === undefined)
      fault = missingHeader(operation, fields, Object.keys(Object(first)), source, rule);
    else if (isOne) fault = foreignObject(first, fields, operation, source, rule);
    if (fault !== undefined) this.#log.report(fault);
    return fault !== undefined;
  }

  /** Whether fields that the schema does not have are faults. */
  #isStrict(): boolean {
    return this.#shape !== undefined && !hasOpenFields(this.#shape);
  }

  /** Reports the header of a file without rows as its rows would: unknown columns, and those that are missing. */
  #checkHeader(columns: readonly string[], at: At, rule: FileRule | undefined): void {
    const row = { data: Object.fromEntries(columns.map((name) => [name, ""])), at };
    if (this.#isForeign(row, rule)) {
      this.#markIncomplete();
      return;
    }
    if (this.operation.transform !== undefined || !this.#isStrict()) return;
    const report = (draft: Draft): void => {
      if (draft.code === "unknown-field" || draft.code === "missing-field") this.#log.report(draft);
    };
    for (const { data, at: itemAt } of this.#make(row, report) ?? [])
      this.#validate(data, (path, part) => itemAt.spot(path, part), report);
  }

  #makeItem(value: Value): void {
    const newItems = this.#make(value, this.#log.report);
    if (newItems === undefined) this.#markIncomplete();
    for (const newItem of newItems ?? []) {
      if (value.at.source.dialect.format === "csv") this.#numbers.noteRow(value, newItem.data);
      this.#take(newItem, value.at.step);
    }
  }

  /** Makes items from the item with an index in another table. None are made from a faulty item, whose key may change. */
  #makeFrom(item: Item | undefined, { operation, table, index, at }: Parent): void {
    const { source } = this.operation;
    const { report } = this.#log;
    const newItems =
      item === undefined || source.kind !== "from"
        ? undefined
        : madeFrom(item, at, operation, this.operation, source, report);
    if (newItems === undefined) this.#markIncomplete();
    for (const newItem of newItems ?? []) this.#take(newItem, index, table);
  }

  /** A part of the content is unreadable, or a function failed: items may be missing here, and so may those made from them. */
  #markIncomplete(): void {
    this.names.markIncomplete();
    for (const collection of this.derived) collection.#markIncomplete();
  }

  /** `place`: the index or the name of the item in its source, or the index of the item from which it is made in `table`. */
  #take({ data, json, at }: Value, place: Path[number] | undefined, table?: ItemTable): void {
    const { report } = this.#log;
    const joined = this.#assets.join(this.#references.join(data, at, report), at, report);
    const item = this.#check(joined, at);
    const fields: unknown = item ?? joined.value;
    if (!isObject(fields)) {
      this.names.guess(fields);
      for (const collection of this.derived) collection.#markIncomplete();
      return;
    }
    const key = keyOf(this.operation, fields);
    const derived = item === undefined ? undefined : this.#derive(item, at, report);
    const index = this.#table.add(fields, key, derived ?? nothing, {
      source: table ?? at.source,
      place,
      json: fields === data ? json : undefined,
    });
    const isTaken = this.names.claim({ index, key, item: fields, isRight: item !== undefined, at });
    this.#checkPaths(fields, derived, at, report);
    this.#references.note(fields, at, { isJoined: joined.lost.length === 0, isRight: item !== undefined });
    const parent = { operation: this.operation, table: this.#table, index, at };
    for (const collection of this.derived) collection.#makeFrom(isTaken ? undefined : item, parent);
  }

  /** Returns the item if it has the form of the schema and all its references by other fields became keys. */
  #check({ value, lost }: Joined, itemAt: At): Item | undefined {
    const { file, dialect } = itemAt.source;
    // The references that did not become keys are counted already.
    const isFull = this.#log.isFull(file) && lost.length === 0;
    const at = (path: Path, part?: Part): Spot => itemAt.spot(path, part);
    const report = withCellTexts(this.#log.report, dialect, this.#shape?.shape ?? noFields);
    // A value that did not become a key is reported as a reference. Refusing it would report it again.
    const item = this.#validate(value, at, isFull ? undefined : report, lost);
    if (item === undefined && isFull) this.#log.countRefused(file);
    return lost.length === 0 ? item : undefined;
  }

  /** The files beside the data that the items name. */
  assets(): Pick<AssetFields, "named" | "svgs"> {
    return this.#assets;
  }

  /** The items in the order of the operation, if nothing is wrong with them. Called once. */
  items(): Items {
    return this.#table.items((value) => this.names.isAlias(value));
  }

  /** Reports the faults that show once all items are read. */
  finish(): void {
    const { report } = this.#log;
    this.names.reportLikeFiles();
    this.#references.reportUnknown(report);
    for (const file of this.#sources) this.#numbers.noteFile(file);
    this.#numbers.report(report);
  }
}

const noFields = {};

/** An item from which others are made. */
interface Parent {
  readonly operation: ListOperation;
  readonly table: ItemTable;
  readonly index: number;
  readonly at: At;
}
