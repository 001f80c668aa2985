// The globs by which a declaration assigns files to collections. A `{field}` matches a part of a path, which supplies the
// value of the field.
import picomatch from "picomatch";
import { type FileGlobs, type FileRule, fieldForm, fieldsInGlobs, type SourceFolder } from "../../src/model/files.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { onceFor } from "../values/once.ts";

type Sourced = Pick<ListOperation, "source">;

/** The rules for a collection's files; undefined if it has none. */
export const rulesOf = ({ source }: Sourced): readonly FileRule[] | undefined =>
  source.kind === "files" ? source.rules : undefined;

/** The globs of a collection's files in the content folder; undefined if it has no globs. */
export const globsOf = (operation: Sourced): readonly string[] | undefined =>
  rulesOf(operation)?.flatMap(({ match, folder }) => (folder === undefined ? match : []));

/** The fields whose values the paths of a collection's files, or the names of members in them, supply. */
export function impliedFields(operation: Sourced): readonly string[] {
  const fields = rulesOf(operation)?.flatMap(({ match, dialect: { memberName } }) =>
    memberName === undefined ? fieldsInGlobs(match) : [...fieldsInGlobs(match), memberName],
  );
  return [...new Set(fields)];
}

/** The rule for a file, and the texts of the fields that its path supplies. */
export interface FileMatch<Rule = FileRule> {
  readonly rule: Rule;
  readonly fields: Readonly<Record<string, string>>;
}

/** The paths of a file in folders outside of the content folder, by the paths of these folders. */
export type PathsOutside = ReadonlyMap<string, string>;

/** The first rule that a file matches. `excluded`: no rule matches, but one excepts the file. */
export function matchIn<Rule extends FileGlobs>(
  rules: readonly Rule[],
  file: string,
  outside?: PathsOutside,
): FileMatch<Rule> | "excluded" | undefined {
  let isExcluded = false;
  for (const rule of rules) {
    const path = pathFor(rule, file, outside);
    if (path === undefined) continue;
    if (fieldsOfPath(rule.except, path) !== undefined) {
      isExcluded = true;
      continue;
    }
    const fields = fieldsOfPath(rule.match, path);
    if (fields !== undefined) return { rule, fields };
  }
  return isExcluded ? "excluded" : undefined;
}

/** The path of a file to which the globs of a rule apply. `outside`: of a file that is not in the content folder. */
export const pathFor = ({ folder }: Pick<FileGlobs, "folder">, file: string, outside?: PathsOutside) =>
  folder === undefined ? (outside === undefined ? file : undefined) : outside?.get(folder.path);

/** A folder outside of the content folder, and what some rules match there. */
export interface OutsideFolder {
  readonly folder: SourceFolder;
  readonly matches: (file: string) => boolean;
  /** Whether a folder may have such files, by its path there. */
  readonly mayHold: (folder: string) => boolean;
  /** See `dotNamesIn`. */
  readonly isDotName: (name: string) => boolean;
}

/** The folders outside of the content folder that have files of some collections. */
export function outsideFolders(collections: readonly Sourced[]): readonly OutsideFolder[] {
  const all = collections.flatMap((list) => rulesOf(list) ?? []);
  const folders = new Map(all.flatMap(({ folder }) => (folder === undefined ? [] : [[folder.path, folder]])));
  return [...folders.values()].map((folder) => {
    const rules = all.filter((rule) => rule.folder?.path === folder.path);
    const holders = rules.map(holder);
    return {
      folder,
      matches: (file) => typeof matchIn(rules, file, new Map([[folder.path, file]])) === "object",
      mayHold: (inner) => holders.some((isHolder) => isHolder(inner)),
      isDotName: dotNames(rules.flatMap(({ match }) => match)),
    };
  });
}

/** Returns the function that tells whether a folder may have files that a rule matches. */
function holder({ match, except }: FileGlobs): (folder: string) => boolean {
  const excluded = except.filter((glob) => glob.endsWith("/**"));
  const starts = match.flatMap(openEnd).map((glob) => {
    const steps = glob.replace(fieldForm, "*").normalize("NFC").split("/");
    // A slash in brackets divides them.
    const open = steps.findIndex((step) => step.includes("**") || /[{([][^})\]]*$/.test(step));
    const isDeep = open !== -1;
    return { isDeep, matchers: steps.slice(0, isDeep ? open : -1).map((step) => picomatch(step)) };
  });
  return (folder) => {
    // The last name stands for any.
    if (fieldsOfPath(excluded, `${folder}/\ufffd`) !== undefined) return false;
    const parts = folder.split("/");
    return starts.some(
      ({ isDeep, matchers }) =>
        (isDeep || parts.length <= matchers.length) && parts.every((part, index) => matchers[index]?.(part) ?? true),
    );
  };
}

/** A file, and the rule by which its collection has it, if there is one. */
interface DataFile {
  readonly file: string;
  readonly rule: FileRule | undefined;
}

/** What to write into the declaration, so that a file is read as it is. */
export function withOption(option: string, { file, rule }: DataFile): string {
  const { match, isPlain } = rule ?? { match: [stem(file.split("/")[0] ?? "")], isPlain: true };
  const where = isPlain
    ? `write files: { match: ${JSON.stringify(match[0])}, ${option} } in the declaration`
    : `write ${option} in its entry of the option files`;
  return `To read it as it is, ${where}.`;
}

/** Whether a path has a name that starts with a dot. */
export const isHidden = (file: string): boolean => /(?:^|\/)\./.test(file);

/**
 * Whether a glob of a collection writes a name that starts with a dot. `**`, `*` and fields match no such name. Files and
 * folders with other such names are nobody's.
 */
export function dotNamesIn(collections: readonly Sourced[]): (name: string) => boolean {
  return dotNames(collections.flatMap((list) => globsOf(list) ?? []));
}

function dotNames(globs: readonly string[]): (name: string) => boolean {
  const parts = globs.flatMap((glob) => glob.replace(fieldForm, "*").split("/"));
  return picomatch(parts.filter((part) => part.includes(".")));
}

interface Form {
  readonly form: RegExp;
  readonly fields: readonly string[];
}

const formsOf = onceFor((globs: readonly string[]): readonly Form[] => globs.flatMap(openEnd).map(formOf));

/** The fields whose values the path of a file supplies, with their texts; undefined if no glob matches the path. */
export function fieldsOfPath(globs: readonly string[], file: string): Readonly<Record<string, string>> | undefined {
  for (const { form, fields } of formsOf(globs)) {
    const match = form.exec(file);
    if (match !== null)
      return Object.fromEntries(fields.map((field, index) => [field, match.groups?.[`f${index}`] ?? ""]));
  }
  return undefined;
}

/**
 * A glob that ends with a name or a field, such as `nodes/{region}`, matches files of that name with any extension, and all
 * files in a folder of that name.
 */
function openEnd(glob: string): readonly string[] {
  const last = glob.replace(fieldForm, "x").split("/").at(-1) ?? "";
  return /^[^.]*[^.*?)\]]$/.test(last) ? [`${glob}.*`, `${glob}/**`] : [glob];
}

/** A character for each field, which picomatch passes on. */
const firstMark = 0xe000;

function formOf(glob: string): Form {
  const fields = fieldsInGlobs([glob]);
  const marked = glob
    .normalize("NFC")
    .replace(fieldForm, (_, field: string) => String.fromCharCode(firstMark + fields.indexOf(field)));
  const seen = new Set<string>();
  const source = picomatch.makeRe(marked).source.replace(/\\?([\ue000-\uf8ff])/g, (_, mark: string) => {
    const name = `f${mark.charCodeAt(0) - firstMark}`;
    // A field that is repeated must be the same text.
    return seen.size === seen.add(name).size ? `\\k<${name}>` : `(?<${name}>[^/]+?)`;
  });
  return { form: new RegExp(source), fields };
}

/** The first part of a glob's paths, such as `nodes` in `nodes/*.csv`; undefined if it is not the same for all. */
export function topOf(glob: string): string | undefined {
  const [top = ""] = glob.split("/");
  return /[*?[{(!+@]/.test(top) ? undefined : stem(top);
}

/** A file's or folder's name up to its first dot. */
export const stem = (name: string): string => name.replace(/\..*$/s, "");
