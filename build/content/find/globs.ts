// The globs by which a declaration assigns files to collections. A `{field}` matches a part of a path, which supplies the
// value of the field.
import picomatch from "picomatch";
import type { ListOperation } from "../../../src/model/operation.ts";

/** A name in braces; with commas or dots, braces are alternatives or ranges of a glob. */
const fieldForm = /\{([^{},/.]+)\}/g;

/** The names of the fields in some globs. */
const fieldsIn = (globs: readonly string[]): readonly string[] => [
  ...new Set(globs.flatMap((glob) => [...glob.matchAll(fieldForm)].map(([, field = ""]) => field))),
];

type Sourced = Pick<ListOperation, "source">;

/** The globs of a collection's files; undefined if it has no globs. */
export const globsOf = ({ source }: Sourced): readonly string[] | undefined =>
  source.kind === "files" ? source.globs : undefined;

/** The fields whose values the paths of a collection's files supply. */
export const pathFields = (operation: Sourced): readonly string[] => fieldsIn(globsOf(operation) ?? []);

interface Form {
  readonly form: RegExp;
  readonly fields: readonly string[];
}

const compiled = new WeakMap<readonly string[], readonly Form[]>();

/** The fields whose values the path of a file supplies, with their texts; undefined if no glob matches the path. */
export function fieldsOfPath(globs: readonly string[], file: string): Readonly<Record<string, string>> | undefined {
  const forms = compiled.get(globs) ?? globs.flatMap(openEnd).map(formOf);
  compiled.set(globs, forms);
  for (const { form, fields } of forms) {
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
  const fields = fieldsIn([glob]);
  const marked = glob.replace(fieldForm, (_, field: string) => String.fromCharCode(firstMark + fields.indexOf(field)));
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
