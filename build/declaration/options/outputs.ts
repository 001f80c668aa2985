// The files that an API makes from its data: the option `outputs`.
import * as z from "zod";
import type { PageData } from "../../../src/declare/html.ts";
import type { OutputDeclaration } from "../../../src/declare/outputs.ts";
import { type ApiOutput, assetsFolder } from "../../../src/model/api.ts";
import { fieldOf, isObject } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import { fieldsInPath, filledPath, outputPath, patternOfPath } from "../../../src/model/output-path.ts";
import { minutes } from "../../files/document.ts";
import { encode } from "../../files/file.ts";
import { mediaTypeOf } from "../../files/media-type.ts";
import { isRefusedName } from "../../files/refused-names.ts";
import { describe, quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { isReservedOperation } from "../names.ts";
import { guarded, withoutPromise } from "../program.ts";
import { namesAssets } from "./assets.ts";
import { checkUse, deprecatedOption } from "./deprecated.ts";
import { checkField, isKey, partsOfPath, useOf } from "./field-use.ts";
import { cache, callable, matching, type Options, text } from "./forms.ts";
import type { ApiGroup, CheckedApi, CheckedEntry, OptionPlaces, Report } from "./group.ts";
import { publishedNames } from "./published.ts";

/** A part of a path. It has at most one field. */
const partForm = /^(?=.{1,100}$)(?!\.)[A-Za-z0-9._-]*(?:\{[^{}/]+\}[A-Za-z0-9._-]*)?$/;

const output: Options<OutputDeclaration> = z.strictObject({
  each: text.optional(),
  type: matching(
    /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*(?: *; *[\w-]+=(?:[\w.+-]+|"[ !#-[\]-~]*"))*$/i,
    "a value of the header Content-Type, such as application/geo+json",
  ).optional(),
  cache,
  deprecated: deprecatedOption,
  render: callable,
});

export const outputs = {
  form: { outputs: z.record(text, output).optional() },

  check(report, api) {
    const { base, options, entries, at } = api;
    const declared = isObject(options["outputs"]) ? options["outputs"] : {};
    const paths = new Map<string, string>();
    for (const [name, output] of Object.entries(declared)) {
      const where = at(["outputs", name], "name");
      if (!checkPath(report, name, fieldOf(output, "each"), api, where)) continue;
      const path = outputPath(base, name);
      const form = filledPath(path, () => "{}").toLowerCase();
      const other = paths.get(form);
      paths.set(form, name);
      if (other !== undefined) {
        const message = `The outputs ${quote(other)} and ${quote(name)} have the same path.`;
        report("duplicate-name", where, message, "Change one of them. Paths may ignore case.");
      }
      checkEach(report, name, fieldOf(output, "each"), api);
      const use = fieldOf(fieldOf(output, "deprecated"), "use");
      const others = [...Object.keys(declared), ...publishedNames(entries)];
      const option = at(["outputs", name, "deprecated", "use"]);
      checkUse(report, `the output ${quote(name)}`, use, name, others, option);
      if (fieldOf(output, "type") === undefined && mediaTypeOf(path) === undefined) {
        const message = `The ending of the output ${quote(name)} is not that of a known Content-Type.`;
        report("missing-option", where, message, 'Write it as type, such as type: "application/geo+json".');
      }
    }
  },

  complete(declared, { base, program }) {
    return {
      outputs: Object.entries(declared.outputs).map(([name, output]): ApiOutput => {
        const { each, type, cache = minutes, deprecated } = output;
        const path = outputPath(base, name);
        const option = ["outputs", name, "render"];
        const subject = `The output ${path} cannot be rendered`;
        return {
          path,
          each,
          contentType: type ?? mediaTypeOf(path) ?? "",
          cache,
          ...(deprecated && { deprecated }),
          render: guarded(contentOf(output), (error) => program.failureOf(error, declared, option, subject)),
          place: () => program.placeOf(declared, "outputs", name),
        };
      }),
    };
  },
} satisfies ApiGroup;

const fieldInPath = partsOfPath(useOf("the path of an output", "a string or an integer in every item", isKey));

/** Returns whether the path has its form. */
function checkPath(
  report: Report,
  name: string,
  each: unknown,
  { base, entries }: CheckedApi,
  where: ReturnType<OptionPlaces>,
): boolean {
  const parts = name.replace(/^\//, "").split("/");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  const refuse = (text: string, hint: string) => report("invalid-name", where, text, hint);
  if (!parts.every((part) => partForm.test(part))) {
    const hint =
      "It is parts with slashes between them, such as feeds/cities.xml: 1 to 100 letters, digits, dots, hyphens and underscores, with at most one {field}, and no dot at the start.";
    refuse(`${quote(name)} is not a valid path of an output.`, hint);
    return false;
  }
  const folder = freeFolder(entries);
  if (fieldsInPath(first).length > 0) {
    const message = `The path of the output ${quote(name)} has a {field} in its first part.`;
    refuse(message, `Write a folder before it, such as ${folder}/{id}.json.`);
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
    const hint =
      isFree || listAbove(below, entries) !== undefined
        ? `Write ${quote(below)}.`
        : `Write a path without ${base}/ that is in a folder of its own, such as ${quote(`${folder}/${below}`)}.`;
    refuse(`The path of the output ${quote(name)} is below ${base}.`, hint);
  } else if (isOutside && new RegExp(`^${patternOfPath(path)}$`, "i").test(`${base}.json`)) {
    refuse(`The output ${quote(name)} may have the path ${base}.json, which is a file of the API.`, "Change its path.");
  }
  const list = isOutside ? undefined : listAbove(name, entries);
  const owner = isOutside || list !== undefined ? undefined : ownerOf(first, entries);
  if (owner !== undefined)
    refuse(`The path of the output ${quote(name)} is one of ${owner}.`, hintBelow(first, entries));
  if (list !== undefined && each !== undefined && each !== list.name) {
    const message = `The output ${quote(name)} is below the items of ${list.name}, but made for each item of another collection.`;
    report("wrong-option", where, message, `Write each: ${quote(list.name)}, or change its first part.`);
  }
  return true;
}

/** The collection below whose items a path below BASE is: its name, the fields of its key, and parts without fields. */
function listAbove(name: string, entries: readonly CheckedEntry[]): CheckedEntry | undefined {
  const [first, ...parts] = name.split("/");
  const list = entries.find((entry) => entry.kind === "collection" && entry.name === first);
  // A faulty key is reported as such.
  if (list?.options.key === undefined) return list;
  const fields = keyParts(list);
  const others = parts.slice(fields.length);
  const isBelow = fields.every((part, index) => parts[index] === part) && others.length > 0;
  return isBelow && others.every((part) => fieldsInPath(part).length === 0) ? list : undefined;
}

/** `{product}` and `{name}` */
const keyParts = ({ options: { key = [] } }: CheckedEntry): readonly string[] =>
  [key].flat().map((field) => `{${field}}`);

function hintBelow(first: string, entries: readonly CheckedEntry[]): string {
  const list = entries.find((entry) => entry.kind === "collection" && entry.name === first);
  if (list === undefined) return "Change its first part.";
  const path = [first, ...keyParts(list), "more.json"].join("/");
  return `Change its first part, or write the key and parts without fields behind it, such as ${quote(path)}.`;
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
  { entries, collections: declared, at }: CheckedApi,
): void {
  const collections = Object.keys(declared);
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

const contentOf =
  (output: OutputDeclaration) =>
  (data: PageData, item?: Item): Uint8Array | undefined => {
    // The item and the data are those that the types of the declaration know.
    const result = withoutPromise(output.render((output.each === undefined ? data : item) as never, data), noContent);
    if (result === undefined || result instanceof Uint8Array) return result;
    if (typeof result !== "string") throw new TypeError(noContent);
    return encode(result);
  };

const noContent = "render returned neither a string nor bytes.";
