// A file's path determines its role: api.yaml, deployments/NAME.yaml, nodes.json, nodes/europe/lhr.ndjson.
import type { Api } from "../../src/api.ts";
import { closest, nearest } from "../text/slips.ts";
import { dataExtensions, formatOf } from "./formats/formats.ts";
import { fieldsOfPath, stem, topOf } from "./globs.ts";
import type { FormatName } from "./source.ts";

export type Role =
  | { readonly kind: "settings" }
  | { readonly kind: "logo" }
  | { readonly kind: "introduction" }
  | { readonly kind: "deployment"; readonly name: string }
  | { readonly kind: "items"; readonly operation: string };

export interface Unknown {
  readonly kind: "unknown";
  readonly reason: string;
  readonly hint?: string | undefined;
  /** The places to which the file probably belongs, whose content is therefore incomplete. */
  readonly meant: readonly string[];
}

/** A file of several collections. */
interface Ambiguous {
  readonly kind: "ambiguous";
  readonly operations: readonly string[];
}

type Lists = Pick<Api, "lists">;

/** The places in the content folder, as an author would write them. */
const placesOf = ({ lists }: Lists): readonly string[] => [
  ...lists.flatMap(({ name, files }) => files ?? [name]),
  "deployments",
  "api",
];

/** The files that may hold the logo. */
export const logoFiles = ["logo.svg", "logo.png"] as const;

export const isLogo = (file: string): boolean => logoFiles.some((each) => each === file);

export function classify(file: string, api: Lists): Role | Unknown | Ambiguous {
  if (isLogo(file)) return { kind: "logo" };
  if (file === "introduction.md") return { kind: "introduction" };
  const [top = "", ...below] = file.split("/");
  const format = formatOf(file);
  if (format === undefined) return wrongExtension(file, api);
  const name = below.length === 0 ? stem(top) : top;
  const isData = format !== "csv" && format !== "markdown";
  if (name === "api" && below.length === 0 && isData) return { kind: "settings" };
  if (name === "deployments") return deployment(below, isData);
  const owned = api.lists.filter((each) =>
    each.files === undefined ? each.name === name : fieldsOfPath(each.files, file) !== undefined,
  );
  const [operation, ...others] = owned.map((each) => each.name);
  if (operation !== undefined && others.length > 0) return { kind: "ambiguous", operations: [operation, ...others] };
  if (operation !== undefined) return { kind: "items", operation };
  const owners = api.lists.filter(({ files = [] }) => files.some((glob) => topOf(glob) === name));
  const globs = owners.flatMap(({ files = [] }) => files);
  const isDeclared = globs.length > 0;
  return {
    kind: "unknown",
    reason: isDeclared ? "No collection has files with this path" : `No collection is called ${JSON.stringify(name)}`,
    hint: isDeclared ? `The files there are ${globs.join(", ")}.` : hintFor(name, placesOf(api), format),
    meant: meantBy(file, api),
  };
}

/** Undefined for a file that is probably a note. */
function hintFor(name: string, places: readonly string[], format: FormatName): string | undefined {
  if (name === "api") return "The settings are the file api.yaml.";
  const others = format === "markdown" ? undefined : `Content is at ${places.join(", ")}.`;
  return nearest(name, places) ?? others;
}

/** The places whose name equals or resembles the first part of a path: collections, `deployments` and `api`. */
export function meantBy(file: string, { lists }: Lists): readonly string[] {
  const tops = lists.map(({ name, files = [name] }) => [name, files.map(topOf)] as const);
  const known = tops.flatMap(([, each]) => each.filter((top) => top !== undefined));
  const top = closest(stem(file.split("/")[0] ?? ""), [...known, "deployments", "api"]);
  // A glob such as **/*.md may match any file.
  const owners = tops.filter(([, each]) => each.includes(top) || each.includes(undefined)).map(([name]) => name);
  return top === "deployments" || top === "api" ? [top] : owners;
}

function wrongExtension(file: string, api: Lists): Unknown {
  const reason = `Its name ends with none of ${dataExtensions.map((extension) => `.${extension}`).join(", ")}`;
  if (formatOf(file.toLowerCase()) === undefined) return unknown(reason);
  return { ...unknown(reason, "Write the ending in lowercase."), meant: meantBy(file, api) };
}

function deployment([file = "", ...deeper]: readonly string[], isData: boolean): Role | Unknown {
  const name = stem(file);
  if (!isData) return unknown("It is neither YAML nor JSON, as a deployment is");
  if (name === "" || deeper.length > 0)
    return unknown("It does not lie directly in the folder deployments/, as a deployment does");
  if (/^[a-z0-9_-]+$/.test(name)) return { kind: "deployment", name };
  return unknown(
    "Its name is not made of lowercase letters, digits, underscores and hyphens, as a deployment's is",
    "Rename the file.",
  );
}

const unknown = (reason: string, hint?: string): Unknown => ({
  kind: "unknown",
  reason: `${reason}, so it is not content`,
  hint,
  meant: [],
});
