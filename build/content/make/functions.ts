// Calls the functions of the declaration that make or read items: the `transform` of a collection, the function of `from`, and
// the functions of filters.
import type { FileFacts } from "../../../src/declare/assets.ts";
import type { RawItem } from "../../../src/declare/declare.ts";
import { Failure } from "../../../src/model/failure.ts";
import { hasFields } from "../../../src/model/fields.ts";
import { type Item, keyOf } from "../../../src/model/key.ts";
import type { DerivedValues, ListOperation, MakeFrom } from "../../../src/model/operation.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote, shown } from "../../text/quote.ts";
import type { AssetFinder } from "../assets/assets.ts";
import { copyOf, dataOf, type NotData } from "../formats/data.ts";
import { bodyField } from "../formats/markdown.ts";
import { At, type Value } from "../formats/value.ts";

interface TransformContext {
  readonly transform: NonNullable<ListOperation["transform"]>;
  readonly assets: AssetFinder;
  readonly report: Log["report"];
}

/**
 * The items that the transform makes of a raw item: none if it leaves it out, undefined if it fails, which is reported. `index`:
 * that of the raw item in its file.
 */
export function transformed(
  filled: Item,
  at: At,
  operation: ListOperation,
  index: number,
  { transform, assets, report }: TransformContext,
): readonly Value[] | undefined {
  const { path: file, dialect } = at.source;
  const { [bodyField]: text, ...front } = filled;
  const { hasBody } = dialect.format;
  const fields = hasBody ? front : filled;
  const body = hasBody && typeof text === "string" ? text : undefined;
  const name = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const what = `The transform of ${operation.name}`;
  const member = typeof at.step === "string" ? at.step : undefined;
  // A function gets a copy, so that it may change it.
  const copy: RawItem = Object(copyOf(fields));
  const facts = (written: string) => factsAt(assets, written, at);
  const returned = transform(copy, { file, name, index, body, member, facts });
  if (returned === undefined) return [];
  if (returned instanceof Failure) {
    report(failed(what, returned, at));
    return undefined;
  }
  const isList = Array.isArray(returned);
  const partOf = isList ? partsIn(copy) : () => undefined;
  const placeOfItem = (item: unknown, data: unknown): At => {
    const part = partOf(item);
    const isNamed = operation.source.kind !== "files" || (isList && part === undefined);
    const name = isNamed ? nameOf(operation, data) : undefined;
    return part === undefined ? new At(at.source, at.path, { raw: filled, data }, name) : at.inside(part, name);
  };
  return newItems([returned].flat(), what, placeOfItem, report);
}

/** What is known of a file beside the data. Throws an error for whoever reads the report of the transform. */
function factsAt(assets: AssetFinder, written: string, at: At): FileFacts {
  const asset = assets.find(String(written), at);
  if ("facts" in asset) return { ...asset.facts };
  throw new Error([asset.text, asset.hint].filter((sentence) => sentence !== undefined).join(" "));
}

/** Copies of what a function returned; undefined if one is not data, which is reported. */
export function newItems(
  returned: readonly unknown[],
  what: string,
  placeOfItem: (item: unknown, data: unknown) => At,
  report: Log["report"],
): readonly Value[] | undefined {
  const items: Value[] = [];
  for (const item of returned) {
    const copied = dataOf(item);
    if (!("data" in copied)) {
      report(notData(what, copied, placeOfItem(item, undefined)));
      return undefined;
    }
    const { data } = copied;
    items.push({ data, at: placeOfItem(item, data) });
  }
  return items;
}

/** The paths of the parts of a raw item, which a transform may return as items. */
function partsIn(raw: unknown): (item: unknown) => Path | undefined {
  const paths = new Map<unknown, Path>();
  const note = (value: unknown, path: Path): void => {
    if (!hasFields(value)) return;
    if (path.length > 0) paths.set(value, path);
    for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value))
      note(part, [...path, key]);
  };
  note(raw, []);
  return (item) => paths.get(item);
}

/** The items that `makeFrom` makes of an item of another collection; undefined if it fails, which is reported. */
export function madeFrom(
  makeFrom: MakeFrom,
  item: Item,
  at: At,
  parent: ListOperation,
  operation: ListOperation,
  report: Log["report"],
): readonly Value[] | undefined {
  const what = `The function of from in ${operation.name}`;
  const place = at.fromItem(parent.key);
  const returned = makeFrom(Object(copyOf(item)), parent.name);
  if (returned instanceof Failure) {
    report(failed(what, returned, place));
    return undefined;
  }
  return newItems(returned, what, (_, data) => namedPlace(operation, data, place), report);
}

/** Returns the values of the filters whose functions succeed. Labels are only tried: menus need them once all items are known. */
export function deriver(operation: ListOperation): (item: Item, at: At, report: Log["report"]) => DerivedValues {
  const filters = operation.filters.flatMap(({ param, of, label }) => (of === undefined ? [] : [{ param, of, label }]));
  if (filters.length === 0) return () => nothing;
  return (item, at, report) => {
    const derived = new Map<string, readonly string[]>();
    for (const { param, of, label } of filters) {
      const values = of(Object(copyOf(item)));
      if (values instanceof Failure) {
        report(failed(`The function of the filter ${param}`, values, at));
        continue;
      }
      derived.set(param, values);
      const labels = label === undefined ? [] : values.map((value) => label(value, Object(copyOf(item))));
      const failure = labels.find((text) => text instanceof Failure);
      if (failure !== undefined) report(failed(`The label of the filter ${param}`, failure, at));
    }
    return derived;
  };
}

/** What is derived where no function succeeds. */
export const nothing: DerivedValues = new Map();

/** A function of the declaration threw. */
export const failed = (what: string, failure: Failure, at: At): Draft => ({
  code: "not-made",
  at: at.spot(),
  text: failedText(what, failure),
});

export function failedText(what: string, { place, text }: Failure): string {
  const { file, line, column } = place;
  const reason = shown(`${text.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
  return `${what} fails: ${reason}.`;
}

/** A function of the declaration returned a value that is not data, as a whole or in part. */
export const notData = (source: string, part: NotData, at: At): Draft => ({
  code: "not-made",
  at: at.nearest(part.path),
  text: notDataText(source, part, "an item"),
  hint:
    part.what === "NaN"
      ? "Number(…) of a text that is no number is NaN: correct the text, or return null for it."
      : undefined,
});

/** `whole` is the name of the value as a whole. */
export function notDataText(source: string, { path, what }: NotData, whole: string): string {
  const where = path.length === 0 ? whole : path.map(String).join(".");
  return `${source} returns what JSON does not have: ${shown(where)} is ${what}.`;
}

/** The place of an item, with its name if the place does not show which item it is. */
export const namedPlace = (operation: ListOperation, data: unknown, at: At): At =>
  operation.source.kind === "files" ? at : new At(at.source, at.path, at.made, nameOf(operation, data));

export const nameOf = (operation: ListOperation, data: unknown) => (): string | undefined => {
  const key = keyOf(operation, data);
  return key && `${operation.noun} ${quote(key)}`;
};
