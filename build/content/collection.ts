// The loop over the values of a collection: items are made, linked and checked (item.ts), kept as bytes (table/), claim
// their names (names.ts), and other items are made from them.
import { isObject } from "../../src/model/fields.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Draft } from "../messages.ts";
import type { AssetFields } from "./assets/fields.ts";
import type { ContentFile } from "./folder.ts";
import type { At, Value } from "./formats/value.ts";
import { valuesIn } from "./formats/values.ts";
import { checkItem, type ItemContext, itemContext, linkItem, makeItems, type ReadContext } from "./item.ts";
import { type CheckPaths, pathChecker } from "./link/paths.ts";
import { References } from "./link/references.ts";
import { foreignForm } from "./make/foreign-form.ts";
import { deriver, madeFrom, nothing } from "./make/functions.ts";
import { itemsOfGroups } from "./make/groups.ts";
import { loadedValues } from "./make/load.ts";
import { ItemNames, type NamesOptions } from "./names.ts";
import type { Items } from "./table/items.ts";
import { ItemTable, itemIn } from "./table/table.ts";
import { WrittenNumbers } from "./written-numbers.ts";

interface CollectionOptions extends NamesOptions, ReadContext {
  readonly files: readonly ContentFile[];
  /** Another collection by its name, once all are open. */
  readonly find: (name: string) => CollectionReader;
}

/** The files that have the items of a collection. */
export interface SourceFiles {
  /** In order. */
  readonly files: readonly string[];
  /** The first that has a list or several items; undefined if each has one item. */
  readonly withList: string | undefined;
}

/** An item in the table, from which others may be made. Undefined if it is faulty, or its key may change. */
interface Parent {
  readonly item: Item | undefined;
  readonly collection: CollectionReader;
  readonly index: number;
  readonly at: At;
}

export class CollectionReader {
  readonly operation: ListOperation;
  readonly names: ItemNames;
  /** The collections whose items are made from these. */
  readonly children: CollectionReader[] = [];
  readonly #files: readonly ContentFile[];
  readonly #table: ItemTable;
  readonly #context: ItemContext;
  readonly #derive: ReturnType<typeof deriver>;
  readonly #checkPaths: CheckPaths;
  readonly #numbers: WrittenNumbers;
  /** The first file with a list or several values. */
  #withList: string | undefined;
  /** The number of collections, from which the items are made, that are not read. */
  #unread: number;

  constructor(operation: ListOperation, options: CollectionOptions) {
    const { files, find, isReferredTo } = options;
    this.operation = operation;
    this.#files = files;
    this.#table = new ItemTable(operation, {
      isReferredTo,
      room: files.reduce((sum, { size }) => sum + size, 0),
    });
    this.names = new ItemNames(operation, this.#table, options);
    const references = new References(operation, (name) => find(name).names);
    this.#context = itemContext(operation, references, options);
    const { schema } = this.#context;
    this.#derive = deriver(operation);
    this.#checkPaths = pathChecker(operation, schema);
    this.#numbers = new WrittenNumbers(operation, schema);
    this.#unread = operation.source.kind === "from" ? operation.source.collections.length : 0;
  }

  /** Reads the files, or the items that were loaded. */
  read(loaded: readonly unknown[]): void {
    const { log } = this.#context;
    for (const file of this.#files) this.#takeAll(valuesIn(file, log));
    this.#takeAll(loadedValues(this.operation, loaded, log.report));
    if (this.operation.source.kind !== "from") this.#endReading();
  }

  #endReading(): void {
    for (const child of this.children) child.#endSource(this);
  }

  /** All items of a collection, from which these are made, are read. */
  #endSource(source: CollectionReader): void {
    this.#unread--;
    if (this.#unread > 0) return;
    this.#takeGroups(source);
    this.#endReading();
  }

  /** None are made if an item is missing or faulty: it may belong to any group. */
  #takeGroups(of: CollectionReader): void {
    const { source } = this.operation;
    const table = of.#table;
    if (source.kind !== "from" || typeof source.make === "function" || !this.names.isComplete) return;
    const items = {
      operation: of.operation,
      order: table.order(),
      itemAt: (index: number) => itemIn(table.jsonOf(index)),
      atOf: (index: number) => table.atOf(index),
    };
    for (const made of itemsOfGroups(this.operation, source.make, items, this.#context.log.report)) {
      if (made === undefined) this.#markIncomplete();
      else this.#takeItem(made.value, { table, index: made.first });
    }
  }

  /** Takes the values of one file, or those that were loaded. */
  #takeAll(values: Iterable<Value>): void {
    let isForeign: boolean | undefined;
    let index = 0;
    for (const value of values) {
      if (value.at.path.length > 0) this.#withList ??= value.at.source.file;
      if (value.data !== undefined) isForeign ??= this.#isForeign(value);
      if (value.data === undefined || isForeign === true) this.#markIncomplete();
      else if (value.isHeader) this.#checkHeader(value);
      else this.#take(value, index);
      index++;
    }
  }

  /** Whether a file has not the form of the collection, as its first value shows, which is reported. */
  #isForeign(first: Value): boolean {
    const fault = foreignForm(first, this.#context);
    if (fault !== undefined) this.#context.log.report(fault);
    return fault !== undefined;
  }

  /** Reports the header of a file without rows as its rows would: unknown columns, and those that are missing. */
  #checkHeader(header: Value): void {
    const { isStrict, log } = this.#context;
    if (this.operation.transform !== undefined || !isStrict) return;
    const report = (draft: Draft): void => {
      if (draft.code === "unknown-field" || draft.code === "missing-field") log.report(draft);
    };
    const context = { ...this.#context, log: { ...log, report } };
    for (const { data, at } of makeItems(header, 0, context) ?? [])
      context.validate(data, (path, part) => at.spot(path, part), report);
  }

  /** `index`: that of the value in its file. */
  #take(value: Value, index: number): void {
    const items = makeItems(value, index, this.#context);
    if (items === undefined) this.#markIncomplete();
    for (const item of items ?? []) {
      if (value.at.source.dialect.format.hasCells) this.#numbers.noteRow(value, item.data);
      this.#takeItem(item);
    }
  }

  /** None are made from a faulty item. Groups are made once all items are read. */
  #takeFrom({ item, collection, index, at }: Parent): void {
    const { source } = this.operation;
    if (source.kind !== "from") return;
    const { make } = source;
    const { report } = this.#context.log;
    const from = collection.operation;
    const items = item && (typeof make === "function" ? madeFrom(make, item, at, from, this.operation, report) : []);
    if (items === undefined) this.#markIncomplete();
    for (const made of items ?? []) this.#takeItem(made, { table: collection.#table, index });
  }

  /** `parent`: the item from which it is made. */
  #takeItem(value: Value, parent?: { readonly table: ItemTable; readonly index: number }): void {
    const { references, log } = this.#context;
    const { data, at, json } = value;
    const linked = linkItem(value, this.#context);
    const item = checkItem(linked, at, this.#context);
    const fields = item ?? linked.value;
    if (!isObject(fields)) {
      this.names.notePossibleName(fields);
      for (const collection of this.children) collection.#markIncomplete();
      return;
    }
    const key = keyOf(this.operation, fields);
    const derived = item && this.#derive(item, at, log.report);
    const index = this.#table.add(fields, key, derived ?? nothing, {
      source: parent?.table ?? at.source,
      place: parent?.index ?? at.place,
      json: fields === data ? json : undefined,
    });
    const isRight = item !== undefined;
    const isTaken = this.names.claim({ index, key, item: fields, isRight, at });
    this.#checkPaths(fields, derived, at, log.report);
    references.note(fields, at, { areResolved: linked.unresolved.length === 0, isRight });
    for (const collection of this.children)
      collection.#takeFrom({ item: isTaken ? undefined : item, collection: this, index, at });
  }

  /** A part of the content is unreadable, or a function failed: items may be missing here, and so may those made from them. */
  #markIncomplete(): void {
    this.names.markIncomplete();
    for (const collection of this.children) collection.#markIncomplete();
  }

  /** Reports the faults that show once all items are read. */
  finish(): void {
    const { references, log } = this.#context;
    this.names.reportLikeFiles();
    references.reportUnknown(log.report);
    for (const file of this.#files) this.#numbers.noteFile(file);
    this.#numbers.report(log.report);
  }

  /** The files that have the items. */
  get itemFiles(): SourceFiles {
    return { files: this.#files.map(({ file }) => file), withList: this.#withList };
  }

  /** The files beside the data that the items name. */
  get assets(): Pick<AssetFields, "named" | "svgs"> {
    return this.#context.assetFields;
  }

  /** The items in the order of the operation, if nothing is wrong with them. Called once. */
  items(): Items {
    return this.#table.items((value) => this.names.isAlias(value));
  }
}
