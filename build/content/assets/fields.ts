// Fields that name a file beside the data. The path that the content has is replaced by what answers have, before the item
// is checked.
import prettyBytes from "pretty-bytes";
import { addressDigest, assetsFolder } from "../../../src/model/api.ts";
import { eachAt, fieldOf, isObject, ownField, setField } from "../../../src/model/fields.ts";
import { isPathPart } from "../../../src/model/key.ts";
import type { AssetField, ListOperation } from "../../../src/model/operation.ts";
import { dotted } from "../../explain/faults.ts";
import { wrong } from "../../explain/words.ts";
import { svgType } from "../../files/media-type.ts";
import { isRefusedName } from "../../files/refused-names.ts";
import type { Log, Path } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import type { Asset, NamedAsset } from "../catalog.ts";
import { copyOf } from "../formats/data.ts";
import type { At } from "../formats/value.ts";
import type { Linked } from "../link/references.ts";
import { type AssetFinder, outsideForm } from "./assets.ts";
import { isPicture } from "./measure.ts";

/** A file beside the data as answers have it. */
function answerOf(base: string, { isImage }: AssetField, asset: Asset) {
  const { content_type, bytes, ...size } = asset.facts;
  return { url: urlOf(base, asset), content_type, bytes, ...(isImage && size) };
}

const urlOf = (base: string, { path, digest }: Asset): string =>
  `${base}/${assetsFolder}/${path}?v=${addressDigest(digest())}`;

/** Media types that may run something on the origin of the API, and those of unknown files. */
const isHarmful = (type: string): boolean =>
  /^(?:text\/html|application\/octet-stream)$|\bxml$|script\b/.test(type) && type !== svgType;

const isOneOf = (types: readonly string[], type: string): boolean =>
  types.some((pattern) => pattern === type || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1))));

/** The files that the items of a collection name. */
export class AssetFields {
  readonly #fields: readonly AssetField[];
  readonly #base: string;
  readonly #assets: AssetFinder;
  /** By path below content/. */
  readonly named = new Map<string, Asset>();
  /** Where items name an SVG. */
  readonly svgs: NamedAsset[] = [];

  constructor({ assets: fields }: ListOperation, base: string, assets: AssetFinder) {
    this.#fields = fields;
    this.#base = base;
    this.#assets = assets;
  }

  /** Replaces paths by what answers have. Those that lead to no suitable file are reported, and stay unresolved. */
  resolve(linked: Linked, itemAt: At, report: Log["report"]): Linked {
    if (this.#fields.length === 0) return linked;
    const value = copyOf(linked.value);
    const unresolved: Path[] = [];
    for (const field of this.#fields) {
      eachAt(value, field.steps, (owner, key, path) => {
        const written = ownField(owner, key);
        // The check of the schema reports what is missing.
        if (written === null || written === undefined) return;
        const asset = this.#assetOf(field, written, path, itemAt, report);
        if (asset === undefined) {
          unresolved.push(path);
          return;
        }
        this.named.set(asset.file, asset);
        if (asset.facts.content_type === svgType)
          this.svgs.push({ asset, at: itemAt.spot(path), isMade: itemAt.isFromItem });
        setField(owner, key, answerOf(this.#base, field, asset));
      });
    }
    return { value, unresolved: [...linked.unresolved, ...unresolved] };
  }

  #assetOf(field: AssetField, written: unknown, path: Path, itemAt: At, report: Log["report"]): Asset | undefined {
    const at = itemAt.spot(path);
    // An item that is made from another one has what that one answers.
    const answered =
      isObject(written) && itemAt.isFromItem ? this.#assets.answered(String(fieldOf(written, "url"))) : undefined;
    if (typeof written !== "string" && answered === undefined) {
      const expected = field.isImage ? "the path of a picture below content/" : "the path of a file below content/";
      report(wrong("wrong-type", at, { name: dotted(path), expected, value: written }));
      return undefined;
    }
    const asset = answered ?? this.#assets.find(String(written), itemAt);
    if ("code" in asset) {
      report({ ...asset, at });
      return undefined;
    }
    const problem = this.#problemOf(field, asset);
    if (problem === undefined) {
      const isFirst = this.#assets.answer(urlOf(this.#base, asset), asset);
      if (isFirst && asset.hasPosition) {
        const text = `${quote(asset.file)} contains the position at which it was taken.`;
        report({
          code: "photo-position",
          at,
          text,
          hint: "Remove the position from its EXIF data, unless you want to publish it.",
        });
      }
      return asset;
    }
    const { text, hint } = problem;
    report({ code: "wrong-file", at, text: `${quote(asset.file)} ${text}.`, hint });
    return undefined;
  }

  /** Why a field cannot have a file, as a clause about the file. */
  #problemOf({ isImage, max, maxBytes, types }: AssetField, asset: Asset) {
    const { file, path, facts } = asset;
    const { content_type: type, bytes } = facts;
    if (!path.split("/").every(isPathPart)) {
      const text =
        "cannot be in a path: the parts of its name need a Latin letter or a digit, and at most 100 characters";
      return { text, hint: "Rename it: hosts treat other characters differently." };
    }
    if ([file.replace(outsideForm, ""), path].some((name) => name.split("/").some(isRefusedName)))
      return { text: "has a name that hosts run, read or hide", hint: "Rename it." };
    const alike = this.#assets.alike(asset);
    if (alike !== undefined) {
      const isFolder = alike.split("/").length < file.split("/").length;
      const what = isFolder ? `is in a folder whose name and ${quote(alike)}` : `and ${quote(alike)}`;
      return { text: `${what} are the same in paths, which may ignore case`, hint: "Rename one of them." };
    }
    if (isImage && !isPicture(type))
      return { text: `is ${type}, which is not a picture`, hint: "Pictures are PNG, JPEG, WebP, AVIF, GIF and SVG." };
    if (types !== undefined && !isOneOf(types, type))
      return { text: `is ${type}, and the field accepts ${types.join(", ")}`, hint: undefined };
    if (/\.x?html?$/i.test(file))
      return { text: "is HTML, which some hosts also answer at other paths", hint: "Write a page or an output." };
    if (isHarmful(type) && !types?.includes(type))
      return { text: `is ${type}, which may do harm on the origin of the API`, hint: `Name it in types: ["${type}"].` };
    if (bytes > maxBytes)
      return { text: `has ${prettyBytes(bytes)}, and the field accepts at most ${max}`, hint: undefined };
    return undefined;
  }
}
