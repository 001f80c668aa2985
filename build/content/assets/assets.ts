// The files beside the data: found by the paths that items name, measured, and known by a digest of their bytes.
import { latinOf } from "../../../src/model/filter.ts";
import { isPathPart } from "../../../src/model/key.ts";
import { hasCode } from "../../files/machine-error.ts";
import { svgType } from "../../files/media-type.ts";
import { sha256, sha256Of } from "../../files/sha256.ts";
import { quote } from "../../text/quote.ts";
import { didYouMean, nearest } from "../../text/slips.ts";
import { once } from "../../values/once.ts";
import type { Asset } from "../catalog.ts";
import type { Discovery, FoundFile, UnreadableReason } from "../files.ts";
import type { StoredFile } from "../formats/source.ts";
import type { At } from "../formats/value.ts";
import { isHidden } from "../globs.ts";
import { hasPosition } from "./exif.ts";
import { factsOf, headLengths, noSize } from "./measure.ts";
import { harmOf } from "./svg.ts";

/** Why a path leads to no file beside the data: a sentence and a hint. */
export interface AssetProblem {
  readonly code: "no-such-file" | "wrong-file";
  readonly text: string;
  readonly hint?: string | undefined;
}

type Measured = Omit<Asset, keyof StoredFile | "file" | "path"> | AssetProblem;

/** By the name of a file, what was measured of it in a state, so that it is read again only when it has changed. */
export type Measurements = Map<string, { readonly state: string; readonly measured: Measured }>;

export class AssetFinder {
  readonly #files: ReadonlyMap<string, FoundFile>;
  readonly #folders: Discovery["folders"];
  readonly #inOtherCase: () => ReadonlyMap<string, string>;
  readonly #unreadable: Discovery["unreadable"];
  readonly #measurements: Measurements;
  readonly #known = new Map<string, Asset | AssetProblem>();

  /** By the address in answers. */
  readonly #answered = new Map<string, Asset>();
  /** The files in answers, and their folders, by the lowercase of their published paths. */
  readonly #names = new Map<string, string>();

  constructor({ files, unreadable, folders }: Discovery, measurements: Measurements) {
    // Hidden files are data if a glob matches them, and are not published.
    this.#files = new Map(files.filter(({ file }) => !isHidden(file)).map((found) => [found.file, found]));
    this.#folders = folders;
    this.#inOtherCase = once(() => new Map([...this.#files.keys()].map((file) => [file.toLowerCase(), file])));
    this.#unreadable = unreadable;
    this.#measurements = measurements;
  }

  /** Whether an item or a function has named a file. */
  isNamed(file: string): boolean {
    return this.#known.has(file);
  }

  /** Notes that answers have a file at an address. Returns whether it is the first answer with it. */
  answer(url: string, asset: Asset): boolean {
    const isFirst = !this.#answered.has(url);
    this.#answered.set(url, asset);
    const names = namesIn(asset);
    for (const [index, path] of namesOf(asset.path).entries())
      this.#names.set(path.toLowerCase(), names[index] ?? path);
    return isFirst;
  }

  /** The file that answers have at an address. */
  answered(url: string): Asset | undefined {
    return this.#answered.get(url);
  }

  /** Another file in answers, or a folder of one, whose path differs from that of the file or of its folder at most in case. */
  alike(asset: Pick<Asset, "file" | "path">): string | undefined {
    const names = namesIn(asset);
    const firsts = namesOf(asset.path).map((part) => this.#names.get(part.toLowerCase()));
    return firsts.find((first, index) => first !== undefined && first !== names[index]);
  }

  /**
   * `written`: a path relative to the folder of the file that names it, or after a slash to content/ or to the folder outside of
   * it that has that file.
   */
  find(written: string, { folder, source: { rule } }: Pick<At, "folder" | "source">): Asset | AssetProblem {
    const outside = this.#folders?.get(rule?.folder?.path ?? "");
    const root = outside === undefined ? "content" : outside.folder.name;
    const path = normalized(written.startsWith("/") ? written : folder + written);
    if (path === undefined) return { code: "no-such-file", text: `The path ${quote(written)} leads out of ${root}/.` };
    const name = outside === undefined ? path : `${root}/${path}`;
    const known =
      this.#known.get(name) ?? this.#stored(name, written, outside ? outside.find(path) : this.#files.get(path));
    this.#known.set(name, known);
    return known;
  }

  /** The files outside of the content folder that were named, by their paths from the folder of the declaration. */
  get outside(): readonly string[] {
    return [...this.#known.keys()].filter((name) => outsideForm.test(name));
  }

  #stored(name: string, written: string, found: FoundFile | UnreadableReason | undefined): Asset | AssetProblem {
    if (typeof found !== "object") return this.#missing(name, written, found);
    try {
      const stored = found.stored();
      const measured = this.#measured(name, stored);
      return "facts" in measured ? { ...stored, file: name, path: publishedPath(name), ...measured } : measured;
    } catch (error) {
      if (hasCode(error, "EACCES", "EPERM", "ENOENT")) return unreadable(written);
      throw error;
    }
  }

  #measured(name: string, stored: StoredFile): Measured {
    const { state } = stored;
    const known = this.#measurements.get(name);
    if (known?.state === state) return known.measured;
    const measured = measure(name, stored);
    this.#measurements.set(name, { state, measured });
    return measured;
  }

  #missing(name: string, written: string, unread = this.#unreadable.get(name)): AssetProblem {
    const code = "no-such-file";
    if (unread === "link") return { code, text: `${quote(written)} is a link, and links are not content.` };
    if (unread !== undefined) return unreadable(written);
    if (written === "")
      return { code, text: "The name of the file is empty.", hint: "Write a name, or null if the field accepts it." };
    const places = outsideForm.test(name) ? quote(name) : `${quote(name)} below content/`;
    const text = `There is no file ${name === written ? places : `${quote(written)}, which is ${places}`}.`;
    const inOtherCase = didYouMean(this.#inOtherCase().get(name.toLowerCase()));
    const hint = hintOf(name.replace(outsideForm, ""), written);
    return { code, text, hint: hint ?? inOtherCase ?? nearest(name, [...this.#files.keys()]) };
  }
}

/** Why a path cannot be a file of the content. */
function hintOf(name: string, written: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) return "An address is a field of its own, such as z.url().";
  return isHidden(name) ? "Files and folders whose names start with a dot are ignored." : undefined;
}

/** The folders of a file, from the outermost, and the file: `a`, `a/b` and `a/b/c.png`. */
const namesOf = (file: string): readonly string[] =>
  file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

/** The same of a file beside the data. Outside of the content folder, folders have their published names. */
const namesIn = ({ file, path }: Pick<Asset, "file" | "path">): readonly string[] =>
  outsideForm.test(file) ? [...namesOf(path).slice(0, -1), file] : namesOf(file);

/** The start of the path of a file outside of the content folder. */
export const outsideForm = /^(?:\.{1,2}\/)+/;

/**
 * The path of a file without characters that hosts treat differently: `Bilder/Zürich 1.jpg` is `Bilder/Zurich-1.jpg`. Other
 * files keep theirs, `../packages/a.jpg` as `packages/a.jpg`.
 */
const publishedPath = (file: string): string => file.replace(outsideForm, "").split("/").map(publishedName).join("/");

const publishedName = (name: string): string =>
  isPathPart(name)
    ? name
    : latinOf(name)
        .replace(/[^A-Za-z0-9._]+/g, "-")
        .replace(/^-|-$|-(?=[.])/g, "");

/** In Unicode's form NFC, without empty parts, `.` and `..`; undefined if the path leads out of its root. */
function normalized(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.normalize("NFC").split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "" && part !== "." && part !== "..") parts.push(part);
  }
  return parts.join("/");
}

const unreadable = (written: string): AssetProblem => ({
  code: "no-such-file",
  text: `${quote(written)} cannot be read.`,
});

function measure(file: string, { size, head: headOf, parts }: StoredFile): Measured {
  const [usual, longest] = headLengths;
  const first = headOf(usual);
  // Most files are shorter, so that they are read once.
  const known = size <= usual ? sha256(first) : undefined;
  let facts = factsOf(file, size, first);
  if (typeof facts === "string" && size > usual) facts = factsOf(file, size, headOf(longest));
  if (typeof facts === "string") {
    const hint = facts === noSize ? "Give it a viewBox, or a width and a height." : "Replace it, or rename it.";
    return { code: "wrong-file", text: `${quote(file)} ${facts}.`, hint };
  }
  const isSvg = facts.content_type === svgType;
  return {
    facts,
    digest: once(() => known ?? sha256Of(parts())),
    harm: once(() => (isSvg ? harmOf(parts()) : undefined)),
    hasPosition: facts.content_type === "image/jpeg" && hasPosition(first),
  };
}
