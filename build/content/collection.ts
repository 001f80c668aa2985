// One collection while its items are read. A raw item becomes an item, which is checked, claims its names and is kept as
// JSON; others are made from it. No value outlives this: reports need an item's origin alone.
import * as z from "zod";
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import { withArticle } from "../../src/model/api.ts";
import { isObject } from "../../src/model/fields.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Draft, Log, Path } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { type Claims, claimsOf } from "./claims.ts";
import { formatOf } from "./formats/formats.ts";
import { headerOf, noHeader, withQuestion } from "./header.ts";
import { isSameSpot, isWellFormed, joinerOf, type KeyTarget, type Links, linksOf } from "./link.ts";
import { loadedSource } from "./load.ts";
import { deriver, type Made, madeFrom, maker } from "./make.ts";
import { type Origin, originList, spotOf } from "./origin.ts";
import { type ContentFile, readItems } from "./read.ts";
import type { ContentSource } from "./source.ts";
import { type ItemStore, itemStore } from "./store.ts";
import { validatorOfMany } from "./validate.ts";

export interface CollectionReader extends KeyTarget {
  readonly store: ItemStore;
  readonly claims: Claims;
  readonly links: Links;
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
  readonly log: Log;
  readonly find: (name: string) => CollectionReader;
  readonly files: readonly ContentFile[];
  readonly isReferredTo: boolean;
  /** The fields by which others refer to the items. */
  readonly joinedBy: readonly string[];
  /** False if some files of the collection are unknown. */
  readonly isWhole: boolean;
}

export function openCollection(operation: ListOperation, context: Context): CollectionReader {
  const { vocabulary, log, find, files, isReferredTo, joinedBy, isWhole } = context;
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
  /** Reports what is wrong with the item that is read. */
  let report: Log["report"] = log.report;
  const own: CollectionReader = {
    operation,
    isWhole,
    keys: new Set(),
    keysBy: new Map(joinedBy.map((field) => [field, new Map()])),
    possible: new Set(),
    store,
    claims: claimsOf(operation, schema, { report: (draft) => report(draft) }, origins.at, store.at),
    links: linksOf(operation, log, find),
    derived: [],
    originOf: origins.at,
    read(loaded) {
      for (const file of files) {
        const { whole } = readItems(file, formatOf(file.file) === "csv" ? rowTaker() : takeRaw, log);
        if (!whole) own.isWhole = false;
      }
      const { source, items } = loadedSource(operation, loaded, report);
      for (const [index, item] of items.entries()) {
        if (item === undefined) own.isWhole = false;
        else takeRaw(item, [index], source);
      }
    },
    derive(item, index, origin) {
      // Nothing follows from a faulty item.
      if (item === undefined || itemSource.kind !== "from") own.isWhole = false;
      else {
        const made = madeFrom(item, origin, operation, itemSource, report);
        if (made === undefined) own.isWhole = false;
        else for (const each of made) take(each, index);
      }
    },
  };
  return own;

  /** A part of a path that is no key of the items to which a field refers says nothing about the field. */
  function isKey(field: string, text: string): boolean {
    const targets = operation.references.filter((each) => each.field === field);
    return (
      targets.length === 0 ||
      targets.some(({ to, by }) => (by === undefined ? find(to).keys : find(to).keysBy.get(by))?.has(text))
    );
  }

  function takeRaw(raw: unknown, path: Path, source: ContentSource): void {
    const made = make(raw, source, path, report);
    if (made === "failed") own.isWhole = false;
    else if (made !== "left out") take(made, path[0]);
  }

  /** Takes the rows of a CSV file; none of them if it has no header. */
  function rowTaker(): typeof takeRaw {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    let header: ReturnType<typeof headerOf> | undefined;
    return (row, path, source) => {
      const isFirst = header === undefined;
      header ??= headerOf(operation, fields, Object.keys(Object(row)), source);
      if (header === "missing") {
        if (isFirst) log.report(noHeader(source, withArticle(operation.noun), fields));
        own.isWhole = false;
        return;
      }
      if (isFirst && header === "doubtful") report = questioning();
      takeRaw(row, path, source);
      report = log.report;
    };
  }

  /** The first fault of a row may follow from a missing header. */
  function questioning(): Log["report"] {
    let isFirst = true;
    return (draft) => {
      log.report(isFirst ? withQuestion(draft) : draft);
      isFirst = false;
    };
  }

  /** `place`: the index of the item in its source, or of the item that it is made from. */
  function take({ value, origin }: Made, place: Path[number] | undefined): void {
    const joined = join(value, origin);
    joined.drafts.forEach(report);
    const { file } = origin.source;
    const isJoined = joined.lost.length === 0;
    // What is wrong with a value that should have become a key follows from that.
    const reportRefusal = (draft: Draft): void => {
      if (!joined.lost.some((spot) => isSameSpot(spot, draft.at))) report(draft);
    };
    const isFull = log.isFull(file);
    const checked = validate(
      joined.value,
      (path, part) => spotOf(origin, value, path, part),
      isFull ? undefined : reportRefusal,
    );
    if (checked === undefined && isFull) log.countRefused(file);
    const item = isJoined ? checked : undefined;
    const known: unknown = item ?? joined.value;
    if (isReferredTo) noteKey(known);
    if (!isObject(known)) return;
    const index = origins.add(origin, place);
    const derived = item === undefined ? undefined : derive(item, origin, report);
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
        const text = `The ${field} ${quote(value)} is that of the ${operation.noun} ${quote(first)} as well, and others refer by it.`;
        report({ code: "not-unique", at: spotOf(origin, item, [field]), text, hint: "Each needs its own." });
      }
    }
  }
}
