// Fields of an item that are facts of a file beside the data. The content names the file in a field that answers do not have,
// and need not write the facts. They are filled in before the item is checked.
import { isObject, ownField } from "../../../src/model/fields.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import type { Log, Path, Spot } from "../../messages.ts";
import { describe, quote } from "../../text/quote.ts";
import type { Asset } from "../catalog.ts";
import type { Joined } from "../link/references.ts";
import { folderOf, type Origin, spotOf } from "../make/origin.ts";
import type { AssetFinder, AssetProblem } from "./assets.ts";
import { isPicture } from "./measure.ts";

/** An item with the facts, and where it is from. */
interface Filled extends Joined {
  readonly origin: Origin;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the function that fills in the facts of the files that items name. Those of unsuitable files are lost. */
export function factFiller({ facts }: ListOperation, assets: AssetFinder) {
  return ({ value, lost }: Joined, origin: Origin, report: Log["report"]): Filled => {
    // There may be millions of items.
    if (facts === undefined || !isObject(value) || !Object.hasOwn(value, facts.field)) return { value, lost, origin };
    const { field, supplied, isImage } = facts;
    const { [field]: path, ...written } = value;
    const missing = supplied.filter((name) => isMissing(written, name, origin));
    const lostFacts = (names: readonly string[]): readonly Path[] => [...lost, ...names.map((name) => [name])];
    // The check of the schema reports a path that is no text.
    if (typeof path !== "string") return { value, lost: lostFacts(missing), origin };
    const asset = suitable(assets.find(path, folderOf(origin)), isImage);
    if ("code" in asset) {
      report({ ...asset, at: spotOf(origin, value, [field]) });
      return { value: written, lost: lostFacts(missing), origin };
    }
    const filled: Record<string, unknown> = { ...written };
    for (const name of missing) if (name in asset.facts) filled[name] = asset.facts[name];
    const contradicting = supplied.filter((name) => name in asset.facts && filled[name] !== asset.facts[name]);
    for (const name of contradicting) {
      const at = spotOf(origin, value, [name]);
      report(contradiction({ name, value: filled[name], expected: asset.facts[name], asset, field, at }));
    }
    return {
      value: filled,
      lost: lostFacts(contradicting),
      origin: { ...origin, facts: { fields: missing, of: field } },
    };
  };
}

/** Whether the content leaves a field out. An empty cell of CSV does. */
const isMissing = (written: Fields, name: string, { source }: Origin): boolean =>
  !Object.hasOwn(written, name) ||
  (source.dialect.format === "csv" && [null, ""].some((no) => no === ownField(written, name)));

/** A picture, if one is needed. */
function suitable(asset: Asset | AssetProblem, isImage: boolean): Asset | AssetProblem {
  if ("code" in asset || !isImage || isPicture(asset.facts.content_type)) return asset;
  const text = `${quote(asset.file)} is ${asset.facts.content_type}, which is not a picture.`;
  return { code: "wrong-file", text, hint: "Pictures are PNG, JPEG, WebP, AVIF, GIF and SVG." };
}

interface Contradiction {
  readonly name: string;
  readonly value: unknown;
  readonly expected: unknown;
  readonly asset: Asset;
  /** The field that names the file. */
  readonly field: string;
  readonly at: Spot;
}

const contradiction = ({ name, value, expected, asset, field, at }: Contradiction): Parameters<Log["report"]>[0] => ({
  code: "wrong-value",
  at,
  text: (written) => ({
    text: `${name} must be ${JSON.stringify(expected)}, the ${name} of ${quote(asset.file)}, but is ${describe(value, written)}.`,
    hint: `Leave ${name} out, or correct ${field}.`,
  }),
});
