// Checks the outputs of an API: their paths, the fields in them, and the collections of `each`.
import { defaultBase } from "../../src/answers/answers.ts";
import { assetsFolder } from "../../src/model/api.ts";
import { isObject } from "../../src/model/fields.ts";
import { fieldsInPath, filledPath, outputPath, patternOfPath } from "../../src/model/output-path.ts";
import { mediaTypeOf } from "../files/media-type.ts";
import { isRefusedName } from "../files/refused-names.ts";
import { describe, quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import { isReservedOperation } from "./names.ts";
import { namesAssets } from "./options/assets.ts";
import { checkUse } from "./options/deprecated.ts";
import { checkField, isKey, partsOfPath, useOf } from "./options/field-use.ts";
import type { At, CheckedEntry, Report } from "./options/group.ts";
import { publishedNames } from "./options/published.ts";

type Parts = Readonly<Record<string, unknown>>;

/** A part of a path. It has at most one field. */
const partForm = /^(?=.{1,100}$)(?!\.)[A-Za-z0-9._-]*(?:\{[^{}/]+\}[A-Za-z0-9._-]*)?$/;

/** `collections` are the names of all declared collections, including faulty ones. */
export function checkOutputs(
  report: Report,
  { base = defaultBase, outputs }: Parts,
  entries: readonly CheckedEntry[],
  collections: readonly string[],
  at: At,
): void {
  const paths = new Map<string, string>();
  for (const [name, value] of Object.entries(isObject(outputs) ? outputs : {})) {
    const output = isObject(value) ? value : {};
    const where = at(["outputs", name], "name");
    if (!checkPath(report, name, String(base), entries, where)) continue;
    const path = outputPath(String(base), name);
    const form = filledPath(path, () => "{}").toLowerCase();
    const other = paths.get(form);
    paths.set(form, name);
    if (other !== undefined) {
      const message = `The outputs ${quote(other)} and ${quote(name)} have the same path.`;
      report("duplicate-name", where, message, "Change one of them. Paths may ignore case.");
    }
    checkEach(report, name, output["each"], entries, collections, at);
    const notice = output["deprecated"];
    const use = isObject(notice) ? notice["use"] : undefined;
    const others = [...Object.keys(outputs as Parts), ...publishedNames(entries)];
    const option = at(["outputs", name, "deprecated", "use"]);
    checkUse(report, `the output ${quote(name)}`, use, name, others, option);
    if (output["type"] === undefined && mediaTypeOf(path) === undefined) {
      const message = `The ending of the output ${quote(name)} is not that of a known Content-Type.`;
      report("missing-option", where, message, 'Write it as type, such as type: "application/geo+json".');
    }
  }
}

const fieldInPath = partsOfPath(useOf("the path of an output", "a string or an integer in every item", isKey));

/** Returns whether the path has its form. */
function checkPath(
  report: Report,
  name: string,
  base: string,
  entries: readonly CheckedEntry[],
  where: ReturnType<At>,
): boolean {
  const parts = name.replace(/^\//, "").split("/");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (!parts.every((part) => partForm.test(part))) {
    const hint =
      "It is parts with slashes between them, such as feeds/cities.xml: 1 to 100 letters, digits, dots, hyphens and underscores, with at most one {field}, and no dot at the start.";
    report("invalid-name", where, `${quote(name)} is not a valid path of an output.`, hint);
    return false;
  }
  const refuse = (text: string, hint: string) => report("invalid-name", where, text, hint);
  const folder = freeFolder(entries);
  if (fieldsInPath(first).length > 0) {
    const message = `The path of the output ${quote(name)} has a {field} in its first part.`;
    report("invalid-name", where, message, `Write a folder before it, such as ${folder}/{id}.json.`);
  }
  if (isRefusedName(filledPath(last, () => "x"))) {
    refuse(`Hosts run or read a file with the name of the output ${quote(name)}.`, "Give the output another name.");
  }
  const isOutside = name.startsWith("/");
  const path = outputPath(base, name);
  if (isOutside && `${name}/`.toLowerCase().startsWith(`${base}/`)) {
    const below = name.slice(base.length + 1);
    const [start = ""] = below.split("/");
    const isFree = start !== "" && fieldsInPath(start).length === 0 && ownerOf(start, entries) === undefined;
    const hint = isFree
      ? `Write ${quote(below)}.`
      : `Write a path without ${base}/ that is in a folder of its own, such as ${quote(`${folder}/${below}`)}.`;
    refuse(`The path of the output ${quote(name)} is below ${base}.`, hint);
  } else if (isOutside && new RegExp(`^${patternOfPath(path)}$`, "i").test(`${base}.json`)) {
    refuse(`The output ${quote(name)} may have the path ${base}.json, which is a file of the API.`, "Change its path.");
  }
  const owner = isOutside ? undefined : ownerOf(first, entries);
  if (owner !== undefined)
    refuse(`The path of the output ${quote(name)} is one of ${owner}.`, "Change its first part.");
  return true;
}

/** Whose the paths below BASE with a first part are; undefined if outputs can have them. */
function ownerOf(first: string, entries: readonly CheckedEntry[]): string | undefined {
  const name = first.replace(/\.json$/i, "").toLowerCase();
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry.which;
  if (isReservedOperation(name)) return "the API's documents";
  return first.toLowerCase() === assetsFolder && namesAssets(entries) ? "the files beside the data" : undefined;
}

/** A first part that outputs can have. */
const freeFolder = (entries: readonly CheckedEntry[]): string =>
  ["feeds", "other", "more"].find((folder) => ownerOf(folder, entries) === undefined) ?? "feeds-2";

function checkEach(
  report: Report,
  name: string,
  each: unknown,
  entries: readonly CheckedEntry[],
  collections: readonly string[],
  at: At,
): void {
  const fields = fieldsInPath(name);
  const where = at(["outputs", name], "name");
  if (each === undefined) {
    if (fields.length === 0) return;
    const message = `The output ${quote(name)} has {${fields[0]}} in its path, but no each.`;
    report("missing-option", where, message, "Write each, the name of the collection with the field.");
    return;
  }
  // Another type is reported with the options.
  if (typeof each !== "string") return;
  const option = at(["outputs", name, "each"]);
  if (!collections.includes(each)) {
    const message = `The output ${quote(name)} is made for each item of ${describe(each, "")}, which is not a collection.`;
    const hint = nearest(each, collections) ?? `The collections are: ${listed(collections)}.`;
    report("no-such-name", option, message, hint);
    return;
  }
  if (fields.length === 0) {
    const message = `The output ${quote(name)} is made for each item of ${each}, but its path has no {field}.`;
    report("wrong-option", option, message, "Write the field with the key into the path, such as {id}.");
  }
  const entry = entries.find((candidate) => candidate.kind === "collection" && candidate.name === each);
  if (entry === undefined) return;
  if (entry.options.published === false) {
    const message = `The output ${quote(name)} is made for each item of ${each}, which is not published.`;
    report("wrong-option", option, message, "Name a collection that is published.");
  }
  for (const field of fields) checkField(report, entry, field, where, fieldInPath);
}
