// The files of the outputs that an API declares. Each is rendered once when the build is planned, to know its length and
// whether it exists, and again when it is written: the texts of all items are never in memory together.

import type { PageData } from "../../src/declare/html.ts";
import { type Api, type ApiOutput, listNamed } from "../../src/model/api.ts";
import { Failure } from "../../src/model/failure.ts";
import { ownField } from "../../src/model/fields.ts";
import { type Item, isPathPart, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { filledPath } from "../../src/model/output-path.ts";
import type { Place } from "../../src/model/place.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { eachItem, type Items, itemAt } from "../content/table/items.ts";
import type { OutputFile } from "../files/file.ts";
import type { Files } from "../files/files.ts";
import { MachineError } from "../files/machine-error.ts";
import { endingOfType, mediaTypeOf } from "../files/media-type.ts";
import { isRefusedName } from "../files/refused-names.ts";
import { inDeclaration, type Log } from "../messages.ts";
import { apiFolder, itemFolder } from "../routing/paths.ts";
import { pathOfOutput } from "../routing/resolve.ts";
import type { TableDocument } from "../routing/table.ts";
import { quote } from "../text/quote.ts";
import { once } from "../values/once.ts";
import { folderOf, type RouteFiles, sumOf } from "./cost.ts";

/** The files of an output: one, or with `each` one for each item, as far as they exist. `of` is its path. */
export interface OutputFiles extends RouteFiles {
  readonly output: ApiOutput;
  readonly route: TableDocument;
}

/** A file that exists. */
interface Rendered {
  readonly file: string;
  readonly length: number;
  /** The index of the item; 0 if there is only one file. */
  readonly index: number;
}

/** The outputs of a deployment, without a single file that does not exist. What fails is reported. */
export function outputFilesOf(
  { api, items }: Catalog,
  { operations }: Deployment,
  data: PageData,
  log: Log,
): readonly OutputFiles[] {
  return api.outputs.flatMap((output) => {
    const { each, path, contentType, cache } = output;
    const route = { path, file: fileOf(output, api), contentType, cacheControl: cache };
    const declared = { output, route };
    if (each === undefined) return singleFile(declared, data, log) ?? [];
    const all = operations.includes(each) ? items.get(each) : undefined;
    return all === undefined ? [] : filesOfItems(declared, listNamed(api, each), all, data, log);
  });
}

/** An output, and its entry in the routing table. */
type Declared = Pick<OutputFiles, "output" | "route">;

/**
 * The file of `/api/v1/classes/{id}/levels` is `api/v1/classes/item/{id}/levels.json`: keys may be words that other paths
 * below a list have, and the path may be the start of others, so that it is a folder, too. Other files have their path.
 */
function fileOf({ path, each, contentType }: ApiOutput, { base }: Pick<Api, "base">): string {
  const list = `${base}/${each}/`;
  if (each === undefined || !path.startsWith(list)) return path.slice(1);
  const file = `${apiFolder(base)}/${each}${itemFolder}${path.slice(list.length)}`;
  return mediaTypeOf(path) === undefined ? `${file}.${endingOfType(contentType)}` : file;
}

function singleFile(declared: Declared, data: PageData, log: Log): OutputFiles | undefined {
  const bytes = declared.output.render(data);
  if (bytes instanceof Failure) log.report({ code: "throws", at: bytes.place, text: bytes.text });
  if (bytes === undefined || bytes instanceof Failure) return undefined;
  return filesOf(declared, [{ file: declared.route.file, length: bytes.length, index: 0 }], () => bytes);
}

function filesOfItems(declared: Declared, list: ListOperation, items: Items, data: PageData, log: Log): OutputFiles {
  const { output, route } = declared;
  const { path, render } = output;
  const at = placeOf(output);
  const rendered: Rendered[] = [];
  let index = 0;
  for (const item of eachItem(items)) {
    // Further faults are only counted.
    if (log.isFull(at.file)) break;
    const withItem = (text: string) => text.replace(/\.?$/, ` (${nameOf(list, item)}).`);
    const bytes = render(data, item);
    const file = filledPath(route.file, (field) => String(ownField(item, field)));
    if (bytes instanceof Failure) log.report({ code: "throws", at: bytes.place, text: withItem(bytes.text) });
    else if (bytes !== undefined) {
      const wrong = wrongPart(path, file, item);
      if (wrong === undefined) rendered.push({ file, length: bytes.length, index });
      else log.report({ code: "wrong-value", at, text: withItem(wrong) });
    }
    index++;
  }
  return filesOf(declared, rendered, (at) => render(data, itemAt(items, at)));
}

const placeOf = ({ place }: ApiOutput): Place => place() ?? inDeclaration;

const nameOf = (list: ListOperation, item: Item): string => `${list.noun} ${quote(keyOf(list, item) ?? "")}`;

/** Why an item can have no file at its path. */
function wrongPart(path: string, file: string, item: Item): string | undefined {
  let wrong: string | undefined;
  filledPath(path, (field) => {
    const value = String(ownField(item, field));
    if (!isPathPart(value)) {
      wrong ??= `The ${field} ${quote(value)} cannot be in the path ${path}: a value is 1 to 100 of A-Z a-z 0-9 . _ -, and does not start with a dot.`;
    }
    return value;
  });
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (wrong === undefined && isRefusedName(name)) return `Hosts run or read a file with the name ${quote(name)}.`;
  return wrong;
}

function filesOf(
  declared: Declared,
  rendered: readonly Rendered[],
  render: (index: number) => ReturnType<ApiOutput["render"]>,
): OutputFiles {
  const fileOf = ({ file, length, index }: Rendered): OutputFile => ({
    file,
    length,
    parts: once(() => [sameAgain(declared.output, length, render(index))]),
  });
  const byFile = once(() => new Map(rendered.map((one) => [one.file, one])));
  return {
    ...sumOf(declared.output.path, rendered),
    ...declared,
    *all() {
      for (const one of rendered) yield fileOf(one);
    },
    find(file) {
      const found = byFile().get(file);
      return found && fileOf(found);
    },
  };
}

/** Throws MachineError if a file has another length than before. */
function sameAgain({ path }: ApiOutput, length: number, bytes: ReturnType<ApiOutput["render"]>): Uint8Array {
  if (bytes instanceof Uint8Array && bytes.length === length) return bytes;
  throw new MachineError(
    `The output ${path} was rendered twice, with different results.`,
    "Its render must depend on nothing but its parameters.",
  );
}

/** The entries of the routing table: a document for each output of one file, and one entry for all files of another. */
export const routesOf = (outputs: readonly OutputFiles[]) => ({
  documents: outputs.flatMap(({ output, route }) => (output.each === undefined ? route : [])),
  outputs: outputs.flatMap(({ output, route }) => (output.each === undefined ? [] : route)),
});

/**
 * Reports the files of outputs that have the path of another file, with or without .html, or of a folder, and files
 * below the path of a file. Case does not count, because file systems may ignore it. `others` are the paths of all
 * other files, as far as those of outputs can meet them. Only an output below the items of a list can meet the `answers`.
 */
export function checkAddresses(
  outputs: readonly OutputFiles[],
  others: Iterable<string>,
  answers: Pick<Files, "find">,
  log: Log,
): void {
  if (outputs.length === 0) return;
  const owners = new Map<string, OutputFiles | undefined>();
  const folders = new Set<string>();
  const add = (file: string, owner: OutputFiles | undefined) => {
    owners.set(file.toLowerCase(), owner);
    for (let folder = folderOf(file); folder !== ""; folder = folderOf(folder)) folders.add(folder.toLowerCase());
  };
  const refuse = ({ output }: OutputFiles, text: string, hint = "Change its path.") =>
    log.report({ code: "not-unique", at: placeOf(output), text, hint });
  for (const file of others) add(file, undefined);
  for (const files of outputs) {
    const at = placeOf(files.output);
    for (const { file } of files.all()) {
      if (log.isFull(at.file)) return;
      const folded = file.toLowerCase();
      if (owners.has(folded)) {
        const owner = owners.get(folded);
        const whose = owner === undefined ? "the API" : `the output ${owner.of}`;
        const text = `The output ${files.of} has a file at /${file}, where ${whose} has one already.`;
        refuse(files, text, "Change its path. Paths may ignore case.");
      } else add(file, files);
    }
  }
  for (const files of outputs) {
    const at = placeOf(files.output);
    for (const { file } of files.all()) {
      if (log.isFull(at.file)) return;
      const bare = /^(.*)\.html$/.exec(file.toLowerCase())?.[1];
      if (bare !== undefined && owners.has(bare)) {
        const text = `The output ${files.of} has a file at /${file}, and there is one without .html. Some hosts cannot tell them apart.`;
        refuse(files, text);
      }
      const met = metBelowItems(
        files,
        file,
        (taken) => owners.has(taken.toLowerCase()) || answers.find(taken) !== undefined,
      );
      if (met !== undefined) refuse(files, met, "Change its path, or the key of the item.");
      if (folders.has(file.toLowerCase()))
        refuse(files, `The output ${files.of} has a file at /${file}, which is the folder of other files.`);
    }
  }
  for (const [file, owner] of owners) {
    if (!folders.has(file) || owner !== undefined) continue;
    const below = outputs.find(({ folders: own }) =>
      [...own.keys()].some((folder) => `${folder.toLowerCase()}/`.startsWith(`${file}/`)),
    );
    if (below === undefined) continue;
    refuse(below, `The output ${below.of} has files below /${file}, which is a file of the API.`);
  }
}

/** What a file of an output below the items of a list meets: another file at its path, or one that is its folder. */
function metBelowItems(
  { of, route }: OutputFiles,
  file: string,
  isTaken: (file: string) => boolean,
): string | undefined {
  const address = pathOfOutput(route, file).slice(1);
  if (address === file) return undefined;
  if (isTaken(address))
    return `The output ${of} is answered at /${address}, which is the path of another file of the API.`;
  const folder = folderOf(file);
  return isTaken(folder) ? `The output ${of} has files below /${folder}, which is a file of the API.` : undefined;
}
