// A file's path determines its role: api.yaml, deployments/NAME.yaml, nodes.json, nodes/europe/lhr.ndjson.
import { fileFormats } from "../../src/declare/declare.ts";
import type { Api } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import { dataEndings, dialectOf } from "../../src/model/files.ts";
import { typeOfEnding } from "../files/media-type.ts";
import type { Sentences } from "../messages.ts";
import { closest, nearest } from "../text/slips.ts";
import { listed, withAnd } from "../text/words.ts";
import {
  type FileMatch,
  globsOf,
  isHidden,
  matchIn,
  type PathsOutside,
  rulesOf,
  stem,
  topOf,
  withOption,
} from "./globs.ts";

export type Role =
  | { readonly kind: "settings" | "logo" | "card" | "introduction" | "changes" | "forms" }
  | { readonly kind: "deployment"; readonly name: string }
  | { readonly kind: "items"; readonly operation: string; readonly match: FileMatch | undefined }
  /** A glob after `!` excludes the file. */
  | { readonly kind: "excluded" };

/** The role of a file that is not read, and why. */
export interface NoRole extends Sentences {
  readonly kind: "none";
  readonly code: "unknown-file" | "ambiguous-file" | "unread-file";
  /** The places to which the file probably belongs, whose content is therefore incomplete. */
  readonly meant: readonly string[];
}

type Collections = Pick<Api, "collections">;

/** The files that may hold the logo. */
export const logoFiles = ["logo.svg", "logo.png"] as const;

/** The pictures and texts of the publisher, and the forms of editors. */
const publisherFiles: Readonly<Record<string, Role>> = {
  "logo.svg": { kind: "logo" },
  "logo.png": { kind: "logo" },
  "card.png": { kind: "card" },
  "introduction.md": { kind: "introduction" },
  "changes.md": { kind: "changes" },
  "decap.yml": { kind: "forms" },
};

/** Whether a file may be content, by its name. */
export const isContent = (file: string, { collections }: Collections): boolean =>
  dialectOf(file) !== undefined || Object.hasOwn(publisherFiles, file) || isRead(file, collections);

/** The rule by which a glob of the declaration matches a file. */
const rulesFor = (file: string, collections: Api["collections"]): readonly FileMatch[] =>
  collections.map((list) => matchIn(rulesOf(list) ?? [], file)).filter((match) => typeof match === "object");

/** Whether a glob matches a file, and its format is known. */
const isRead = (file: string, collections: Api["collections"]): boolean =>
  rulesFor(file, collections).some(({ rule }) => dialectOf(file, rule.dialect) !== undefined);

/** What systems and editors leave or hide, and what is for people, unless it is content by a glob of the declaration. */
function isLeftOver(file: string, collections: Api["collections"]): boolean {
  if (isHidden(file)) return rulesFor(file, collections).length === 0;
  const name = file.replace(/^.*\//s, "");
  // A glob that matches everything in a folder does not mean the copies of editors.
  if (/^(?:Thumbs\.db|desktop\.ini|.*~)$/s.test(name)) return !isRead(file, collections);
  return /^(?:README|LICENSE)(?:\..*)?$/s.test(name) && rulesFor(file, collections).length === 0;
}

const severalOfOne =
  "To make several collections of one file, read it in one, and make the others of its items with from.";

/** What a file is for an API: what its name says, else what the globs of a collection say, else what it may be. */
export function roleOf(file: string, { collections }: Collections, outside?: PathsOutside): Role | NoRole {
  // Outside of the content folder, only globs decide.
  const name = topName(file);
  const fixed = outside === undefined ? fixedRole(file, name, collections) : undefined;
  if (fixed !== undefined) return fixed;
  const owners: Owner[] = [];
  let isExcluded = false;
  for (const list of collections) {
    const match = matchOf(list, file, name, outside);
    if (match === "excluded") isExcluded = true;
    else if (match !== undefined) owners.push({ list, match: match === "implied" ? undefined : match });
  }
  if (outside !== undefined) isExcluded = owners.length === 0;
  return ownedRole(file, owners, isExcluded) ?? unknownRole(file, collections, owners[0]);
}

/** The first part of a path, without the ending of a file. */
function topName(file: string): string {
  const end = file.indexOf("/");
  return end === -1 ? stem(file) : file.slice(0, end);
}

/** The role that a file has by its path alone. `name`: the file's `topName`. */
function fixedRole(file: string, name: string, collections: Api["collections"]): Role | NoRole | undefined {
  const named = ownField(publisherFiles, file);
  if (named !== undefined) return named;
  if (isLeftOver(file, collections)) return { kind: "excluded" };
  const format = dialectOf(file)?.format;
  const isData = format !== undefined && !format.hasCells && !format.hasBody;
  if (name === "api" && !file.includes("/") && isData) return { kind: "settings" };
  return name === "deployments" ? deployment(file.split("/").slice(1), isData) : undefined;
}

/** A collection that has a file, and how. Without rules, the file has the name of the collection. */
interface Owner {
  readonly list: Api["collections"][number];
  readonly match: FileMatch | undefined;
}

/** The role of a file that a collection has. `isExcluded`: whether a file that none has is left out. */
function ownedRole(file: string, owners: readonly Owner[], isExcluded: boolean): Role | NoRole | undefined {
  const [owner, other] = owners;
  if (owner !== undefined && other !== undefined) {
    const names = owners.map(({ list }) => list.name);
    const message = `This file belongs to several collections: ${names.join(", ")}.`;
    const hint = `Change the option files of one of them, or move the file. ${severalOfOne}`;
    return { kind: "none", code: "ambiguous-file", text: message, hint, meant: names };
  }
  if (owner !== undefined && dialectOf(file, owner.match?.rule.dialect) !== undefined)
    return { kind: "items", operation: owner.list.name, match: owner.match };
  return isExcluded ? { kind: "excluded" } : undefined;
}

/** Why a file is not read. `owner`: the collection that has it, if its format is unknown. */
function unknownRole(file: string, collections: Api["collections"], owner: Owner | undefined): NoRole {
  const format = dialectOf(file)?.format;
  if (format === undefined) return unknownFormat(file, collections, owner);
  const name = topName(file);
  const source = collections.find((list) => list.name === name)?.source;
  if (source !== undefined && source.kind !== "files") {
    const how = source.kind === "load" ? `loads ${name}` : `makes ${name} from ${listed(source.collections)}`;
    return unknownFile(`The declaration ${how}, so no file holds its items.`);
  }
  const meant = meantBy(file, { collections });
  const globs = collections
    .map((list) => globsOf(list) ?? [])
    .filter((all) => all.some((glob) => topOf(glob) === name));
  if (globs.length > 0)
    return unknownFile("No collection has files with this path.", `Its files are ${globs.flat().join(", ")}.`, meant);
  const places = [
    ...collections.filter(hasFiles).flatMap((list) => globsOf(list) ?? [list.name]),
    "deployments",
    "api",
  ];
  // Markdown is probably a note.
  const general = format.hasBody ? elsewhere : `Content is at ${places.join(", ")}.`;
  const hint = name === "api" ? "The settings are the file api.yaml." : (nearest(name, places) ?? general);
  return unknownFile(`No collection is called ${JSON.stringify(name)}.`, hint, meant);
}

function unknownFormat(file: string, collections: Api["collections"], owner: Owner | undefined): NoRole {
  const message = `Its name ends with none of .${dataEndings.join(", .")}, so it is not content.`;
  const isMeant = dialectOf(file.toLowerCase()) !== undefined;
  if (isMeant) return unknownFile(message, "Write the ending in lowercase.", meantBy(file, { collections }));
  if (owner === undefined || (owner.match === undefined && isForPeople(file))) return unread;
  const formats = `The formats are ${withAnd(fileFormats)}.`;
  // An item may name the file.
  if (owner.match === undefined)
    return unknownFile(
      message,
      `${formats} Convert it, or name it in ignore in api.yaml if it holds no ${owner.list.nouns}.`,
    );
  return unknownFile(message, `${formats} ${withOption('format: "…"', { file, rule: owner.match.rule })}`);
}

/** How a file belongs to a collection. `implied`: the collection has no rules, and `name`, the file's `topName`. */
function matchOf(
  list: Api["collections"][number],
  file: string,
  name: string,
  outside: PathsOutside | undefined,
): FileMatch | "excluded" | "implied" | undefined {
  if (!hasFiles(list)) return undefined;
  const rules = rulesOf(list);
  if (rules !== undefined) return matchIn(rules, file, outside);
  return list.name === name ? "implied" : undefined;
}

/** Whether files hold the items of a collection: not if the declaration loads them or makes them from others. */
const hasFiles = ({ source }: Api["collections"][number]): boolean => source.kind === "files";

/** Whether a file is a picture, a sound, a film, a font or a document: none of them holds data, and items may name them. */
const isForPeople = (file: string): boolean => forPeople.test(typeOfEnding(file) ?? "");

const forPeople =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|postscript|rtf|epub\+zip|msword|vnd\..*(?:wordprocessing|powerpoint|presentation|opendocument\.text))/;

export const elsewhere = "Move it out of the content folder, or start its name with a dot.";

const unread: NoRole = {
  kind: "none",
  code: "unread-file",
  text: "No collection reads this file.",
  hint: "Name it in ignore in api.yaml, or move it out of the content folder.",
  meant: [],
};

const unknownFile = (text: string, hint = elsewhere, meant: readonly string[] = []): NoRole => ({
  kind: "none",
  code: "unknown-file",
  text,
  hint,
  meant,
});

/** The places whose name equals or resembles the first part of a path: collections, `deployments` and `api`. */
export function meantBy(file: string, { collections }: Collections): readonly string[] {
  const tops = collections
    .filter(hasFiles)
    .map((operation) => ({ name: operation.name, folders: (globsOf(operation) ?? [operation.name]).map(topOf) }));
  const names = tops.flatMap(({ folders }) => folders.filter((top) => top !== undefined));
  const top = closest(stem(file.split("/")[0] ?? ""), [...names, "deployments", "api"]);
  if (top === "deployments" || top === "api") return [top];
  // A glob such as **/*.md may match any file.
  return tops.filter(({ folders }) => folders.includes(top) || folders.includes(undefined)).map(({ name }) => name);
}

function deployment([file = "", ...deeper]: readonly string[], isData: boolean): Role | NoRole {
  const name = stem(file);
  if (isData && deeper.length === 0 && /^[a-z0-9_-]+$/.test(name)) return { kind: "deployment", name };
  return unknownFile(
    "It is not a deployment, so it is not content.",
    "A deployment is a YAML or JSON file directly in the folder deployments/, with a name of lowercase letters, digits, underscores and hyphens.",
  );
}
