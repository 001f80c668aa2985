// A content folder: its files with their roles for each API, without those that `ignore` names.
import type { Api, Apis } from "../../src/model/api.ts";
import { fieldOf } from "../../src/model/fields.ts";
import { type Draft, type Log, openLog, type Sentences, wholeFile } from "../messages.ts";
import { escaped, shown } from "../text/quote.ts";
import { listed, plural } from "../text/words.ts";
import { compare } from "../values/compare.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { type Discovery, type FoundFile, isOutside, type UnreadableReason } from "./files.ts";
import { tooLarge } from "./formats/source.ts";
import { valuesIn } from "./formats/values.ts";
import { type FileMatch, outsideFolders } from "./globs.ts";
import { type Ignore, ignoredBy, reportEmptied, reportIdle } from "./ignore.ts";
import { elsewhere, meantBy, type NoRole, type Role, roleOf } from "./roles.ts";

/** A content folder with the roles that its files have for an API. */
export interface Folder {
  /** The API whose content it holds. */
  readonly api: Api;
  /** In the order of their paths. The first of two files with the same role counts. */
  readonly files: readonly ContentFile[];
  /** Files that are no content, unless an item names them. */
  readonly others: readonly OtherFile[];
  /** The collections, `deployments` and `api`, of which a file is probably unreadable or misplaced. */
  readonly incomplete: ReadonlySet<string>;
}

/** Whether there is no content, so that another folder may be meant. Collections that are loaded need no files. */
export const isEmpty = ({ api, files }: Pick<Folder, "api" | "files">): boolean =>
  files.length === 0 && !api.collections.some(({ source }) => source.kind === "load");

export interface ContentFile extends FoundFile {
  readonly role: Role;
  /** The rule by which its collection has it, if there is one. */
  readonly match?: FileMatch | undefined;
}

interface OtherFile {
  readonly file: string;
  readonly role: NoRole;
}

/** A folder for each API. */
export function openFolders({ files, unreadable, folders }: Discovery, apis: Apis, log: Log): NonEmpty<Folder> {
  const classified = [...files]
    .sort((a, b) => compare(a.file, b.file))
    .map((found): Classified => ({ found, roles: apis.map((api) => roleOf(found.file, api, found.outside)) }));
  const ignore = ignoreIn(classified.find(({ roles }) => roles[0]?.kind === "settings")?.found);
  const isNamed = ignoredBy(ignore.globs);
  const isIgnored = (file: string): boolean => !isOutside(file) && isNamed(file);
  const all = [...files.map(({ file }) => file), ...unreadable.keys()];
  reportIdle(
    ignore,
    all.filter((file) => !isOutside(file)),
    log,
  );
  const unreadableFiles = [...unreadable.keys()].filter((file) => !isIgnored(file));
  const isRead = (path: string): boolean => {
    const open = folders?.get(path);
    return open !== undefined && open.problem === undefined && !unreadableFiles.some(isOutside);
  };
  for (const [file, reason] of unreadable) {
    if (!isIgnored(file)) log.report({ at: wholeFile(escaped(file)), ...unreadableWords[reason] });
  }
  const kept = classified.filter(({ found, roles }) => roles[0]?.kind === "settings" || !isIgnored(found.file));
  return mapNonEmpty(apis, (api, index) => {
    const emptied = emptiedIn(classified, kept, index);
    reportEmptied(ignore, emptied, log);
    const incomplete = new Set([...unreadableFiles.flatMap((file) => meantBy(file, api)), ...emptied]);
    for (const list of api.collections)
      if (outsideFolders([list]).some((one) => !isRead(one.folder.path))) incomplete.add(list.name);
    return folderOf(api, index, kept, incomplete);
  });
}

interface Classified {
  readonly found: FoundFile;
  /** Its role for each API. */
  readonly roles: readonly (Role | NoRole)[];
}

/** The collections of an API, and `deployments`, that have files, but none of those that are kept. */
function emptiedIn(all: readonly Classified[], kept: readonly Classified[], api: number): readonly string[] {
  const namesIn = (files: readonly Classified[]) =>
    new Set(files.map(({ roles }) => nameFor(roles[api])).filter((name) => name !== undefined));
  const left = namesIn(kept);
  return [...namesIn(all)].filter((name) => !left.has(name));
}

/** The collection that has a file, or `deployments`. */
function nameFor(role: Role | NoRole | undefined): string | undefined {
  if (role?.kind === "items") return role.operation;
  return role?.kind === "deployment" ? "deployments" : undefined;
}

/** The folder for the API with an index. `incomplete`: see `Folder`. */
function folderOf(api: Api, index: number, classified: readonly Classified[], incomplete: Set<string>): Folder {
  const files: ContentFile[] = [];
  const others: OtherFile[] = [];
  for (const { found, roles } of classified) {
    const role = roles[index];
    if (role === undefined || role.kind === "excluded") continue;
    if (role.kind !== "none") {
      files.push({ ...found, role, match: role.kind === "items" ? role.match : undefined });
      continue;
    }
    // A file of another API is not misplaced.
    if (role.code !== "ambiguous-file" && roles.some(({ kind }) => kind !== "none")) continue;
    for (const place of role.meant) incomplete.add(place);
    others.push({ file: found.file, role });
  }
  return { api, files, others, incomplete };
}

/** Reports the files that are no content of any API and that no item names. */
export function reportOthers(folders: readonly Folder[], isNamed: (file: string) => boolean, log: Log): void {
  const roles = new Map<string, NoRole>();
  for (const { file, role } of folders.flatMap(({ others }) => others)) {
    // The APIs may differ in what the file probably is.
    const known = roles.get(file);
    if (known === undefined || known.meant.length < role.meant.length) roles.set(file, role);
  }
  const unread: string[] = [];
  for (const [file, { code, text, hint }] of roles) {
    if (isNamed(file)) continue;
    if (code === "unread-file") unread.push(file);
    else log.report({ code, at: wholeFile(file), text: shown(text, 300), hint });
  }
  // An item with a fault may be the one that names them.
  if (!log.hasErrors()) reportUnread(unread, log);
}

/** There may be thousands of pictures that no item names yet, so one warning names the first of them. */
function reportUnread([first, ...others]: readonly string[], log: Log): void {
  if (first === undefined) return;
  const isOne = others.length === 0;
  const more = isOne ? "" : ` and ${plural(others.length, "other")}: ${listed(others.map(escaped))}`;
  const them = isOne ? "it" : "them";
  log.report({
    code: "unread-file",
    at: wholeFile(first),
    text: `No collection reads this file${more}.`,
    hint: `Name ${them} in ignore in api.yaml, or move ${them} out of the content folder.`,
  });
}

/** What api.yaml names in `ignore`, as far as it can be read. Its faults are reported with the other settings. */
function ignoreIn(settings: FoundFile | undefined): Ignore {
  const [value] = settings === undefined ? [] : valuesIn(settings, openLog());
  const written = fieldOf(value?.data, "ignore");
  if (value === undefined || !Array.isArray(written)) return { globs: [] };
  const globs = written.flatMap((glob: unknown, index) =>
    typeof glob === "string" && glob !== "" ? [{ glob, at: value.at.spot(["ignore", index]) }] : [],
  );
  return { globs, at: value.at.spot(["ignore"]) };
}

const unreadableWords: Readonly<Record<UnreadableReason, Sentences & Pick<Draft, "code">>> = {
  link: {
    code: "no-file",
    text: "This is a link, and links are not content.",
    hint: "Put the file or the folder itself here.",
  },
  special: {
    code: "no-file",
    text: "This is neither a file nor a folder, so it is not content.",
    hint: elsewhere,
  },
  "bad-name": {
    code: "no-file",
    text: "This name holds a control character, a line break or something that is not UTF-8.",
    hint: "Rename it.",
  },
  "same-name": {
    code: "not-unique",
    text: "Two files have this name: only the Unicode form of their letters differs.",
    hint: "Rename one of them.",
  },
  "too-large": { code: "too-large", text: tooLarge.text, hint: tooLarge.hint },
  unreadable: { code: "unreadable", text: "This file cannot be read.", hint: "Change its permissions." },
};
