// One collection while its items are read. A raw item becomes an item, which is checked, claims its names and is kept as
// JSON; others are made from it. No value outlives this: reports need an item's origin alone.
import * as z from "zod";
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import { withArticle } from "../../src/model/api.ts";
import { isObject } from "../../src/model/fields.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { quote } from "../text/quote.ts";
import { type Claims, claimsOf } from "./claims.ts";
import { type Fault, type FaultLog, fault, faultLog, type Spot } from "./fault.ts";
import type { Part, Path } from "./formats/format.ts";
import { formatOf } from "./formats/formats.ts";
import { headerOf, noHeader, withQuestion } from "./header.ts";
import { isSameSpot, isWellFormed, joinerOf, type KeyTarget, type Links, linksOf } from "./link.ts";
import { loadedSource } from "./load.ts";
import { deriver, type Made, madeFrom, maker } from "./make.ts";
import { type Origin, originList, spotOf } from "./origin.ts";
import { type ContentFile, readItems } from "./read.ts";
import type { Source } from "./source.ts";
import { type ItemStore, itemStore } from "./store.ts";
import { validatorOfMany } from "./validate.ts";

export interface CollectionReader extends KeyTarget {
  readonly store: ItemStore;
  readonly claims: Claims;
  readonly links: Links;
  readonly log: FaultLog;
  /** The collections whose items are made from these. */
  readonly derived: CollectionReader[];
  readonly originOf: (index: number) => Origin;
  /** Reads the files, or the items that were loaded. */
  read(loaded: readonly unknown[]): void;
  /** Takes what an item of another collection, the one with an index, makes for this one. */
  derive(item: Item | undefined, index: number, origin: Origin): void;
}

interface Context {
  readonly vocabulary: Vocabulary;
  readonly find: (name: string) => CollectionReader;
  readonly files: readonly ContentFile[];
  readonly isReferredTo: boolean;
  /** The fields by which others refer to the items. */
  readonly joinedBy: readonly string[];
  /** False if some files of the collection are unknown. */
  readonly isWhole: boolean;
}

export function openCollection(operation: ListOperation, context: Context): CollectionReader {
  const { vocabulary, find, files, isReferredTo, joinedBy, isWhole } = context;
  const { source: itemSource } = operation;
  const schema = operation.schema(vocabulary);
  const validate = validatorOfMany(schema, operation.noun);
  const make = maker(operation, schema, isKey);
  const derive = deriver(operation);
  const join = joinerOf(operation, find);
  const origins = originList(operation, (index) =>
    find(itemSource.kind === "from" ? itemSource.operation : "").originOf(index),
  );
  const room = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const store = itemStore(operation, isReferredTo, room);
  const log = faultLog();
  const own: CollectionReader = {
    operation,
    isWhole,
    keys: new Set(),
    keysBy: new Map(joinedBy.map((field) => [field, new Map()])),
    possible: new Set(),
    store,
    claims: claimsOf(operation, schema, log, origins.at, store.at),
    links: linksOf(operation, log, find),
    log,
    derived: [],
    originOf: origins.at,
    read(loaded) {
      for (const file of files) {
        const { whole, faults } = readItems(file, formatOf(file.file) === "csv" ? rowTaker() : takeRaw);
        report(faults);
        if (!whole) own.isWhole = false;
      }
      const { source, items, faults } = loadedSource(operation, loaded);
      reportMissing(faults);
      for (const [index, item] of items.entries()) if (item !== undefined) takeRaw(item, [index], source);
    },
    derive(item, index, origin) {
      // Nothing follows from a faulty item.
      if (item === undefined || itemSource.kind !== "from") own.isWhole = false;
      else {
        const [made, faults] = madeFrom(item, origin, operation, itemSource);
        reportMissing(faults);
        for (const each of made) take(each, index);
      }
    },
  };
  return own;

  function report(faults: readonly Fault[]): void {
    faults.forEach(log.add);
  }

  /** Each fault is in the place of an item. */
  function reportMissing(faults: readonly Fault[]): void {
    report(faults);
    if (faults.length > 0) own.isWhole = false;
  }

  /** A part of a path that is no key of the items to which a field refers says nothing about the field. */
  function isKey(field: string, text: string): boolean {
    const targets = operation.references.filter((each) => each.field === field);
    return (
      targets.length === 0 ||
      targets.some(({ to, by }) => (by === undefined ? find(to).keys : find(to).keysBy.get(by))?.has(text))
    );
  }

  function takeRaw(raw: unknown, path: Path, source: Source): void {
    const [made, faults] = make(raw, source, path);
    if (made === undefined) reportMissing(faults);
    else {
      report(faults);
      take(made, path[0]);
    }
  }

  /** Takes the rows of a CSV file; none of them if it has no header. */
  function rowTaker(): typeof takeRaw {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    let header: ReturnType<typeof headerOf> | undefined;
    return (row, path, source) => {
      const isFirst = header === undefined;
      header ??= headerOf(operation, fields, Object.keys(Object(row)), source);
      if (header === "missing") {
        if (isFirst) reportMissing([noHeader(source, withArticle(operation.noun), fields)]);
        return;
      }
      const { length } = log.faults;
      takeRaw(row, path, source);
      const found = log.faults[length];
      if (isFirst && header === "doubtful" && found !== undefined) log.faults[length] = withQuestion(found);
    };
  }

  /** `place`: the index of the item in its source, or of the item that it is made from. */
  function take({ value, origin }: Made, place: Path[number] | undefined): void {
    const joined = join(value, origin);
    report(joined.faults);
    const { file } = origin.source;
    const at = log.isFull(file) ? undefined : (path: Path, part?: Part): Spot => spotOf(origin, value, path, part);
    const [checked, faults] = validate(joined.value, at);
    if (checked === undefined && at === undefined) log.addRefused(file);
    // What is wrong with a value that should have become a key follows from that.
    const isJoined = joined.lost.length === 0;
    report(isJoined ? faults : faults.filter(({ at }) => !joined.lost.some((spot) => isSameSpot(spot, at))));
    const item = isJoined ? checked : undefined;
    const known: unknown = item ?? joined.value;
    if (isReferredTo) noteKey(known);
    if (!isObject(known)) return;
    const index = origins.add(origin, place);
    const [derived, derivedFaults] = item === undefined ? [undefined, []] : derive(item, origin);
    report(derivedFaults);
    store.add(known, derived ?? new Map());
    own.claims.take(index, known, origin, derived);
    noteJoins(known, item !== undefined, origin);
    own.links.take(known, origin, isJoined);
    for (const each of own.derived) each.derive(item, index, origin);
  }

  function noteKey(item: unknown): void {
    const key = keyOf(operation, item);
    if (key !== undefined) own.keys.add(key);
    else for (const each of isObject(item) ? Object.values(item) : [item]) own.possible.add(String(each));
  }

  /** Notes the values by which others refer to an item. */
  function noteJoins(item: Item, isRight: boolean, origin: Origin): void {
    for (const [field, keys] of own.keysBy) {
      const key = keyOf(operation, item);
      const written = item[field];
      const isText = typeof written === "string" || Number.isSafeInteger(written);
      if (key === undefined || !isWellFormed(operation, key) || !isText) {
        if (!isRight) own.isWhole = false;
        continue;
      }
      const value = String(written);
      const first = keys.get(value);
      if (first === undefined) keys.set(value, key);
      else if (first !== key) {
        const message = `The ${field} ${quote(value)} is that of the ${operation.noun} ${quote(first)} as well, and others refer by it.`;
        report([fault("not-unique", spotOf(origin, item, [field]), message, "Each needs its own.")]);
      }
    }
  }
}
