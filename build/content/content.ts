// content/** to Catalog: what is wrong is found in one run.
import { listOperations } from "../../src/operations.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import type { Checked } from "../diagnostics.ts";
import { allItems, type Catalog, type Items } from "./catalog.ts";
import { classify } from "./classify.ts";
import { readDeployments } from "./deployments.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { discover } from "./discover.ts";
import type { Fault } from "./fault.ts";
import { namesIn } from "./from-path.ts";
import { readItems } from "./items.ts";
import { locate } from "./locate.ts";
import { noPlainLines, type PlainLines, takePlainLines } from "./plain-lines.ts";
import { readContent } from "./read.ts";
import { readSettings } from "./settings.ts";
import { isSlow, linesOf } from "./slow-format.ts";

/**
 * `lines` holds the items of some files, by their names, as NDJSON; see slow-format.ts. With diagnostics the catalog is partial: it serves for nothing but to have found them all. Where anything is wrong,
 * everything goes the long way, from which all diagnostics come.
 */
export function compileContent(
  discovery: Discovery,
  lines: ReadonlyMap<string, Uint8Array> = new Map(),
): Checked<Catalog> {
  const files = discovery.files.map((found): FoundFile => {
    const own = lines.get(found.file);
    return own === undefined ? found : { file: found.file, bytes: own, format: "ndjson" };
  });
  const plain = takePlainLines(files, vocabularyOf(discovery));
  const [quick, doubts] = compile({ ...discovery, files: plain.rest }, plain);
  if (doubts.length === 0 && isLinked(quick.items, plain)) return [quick, []];
  const [catalog, faults] = compile(discovery, noPlainLines(discovery.files));
  return [catalog, locate(faults)];
}

function compile(discovery: Discovery, { rows }: PlainLines): [Catalog, readonly Fault[]] {
  const [content, readFaults] = readContent(discovery);
  const [{ settings, vocabulary }, settingsFaults] = readSettings(content);
  const [deployments, deploymentFaults] = readDeployments(content, vocabulary);
  const [items, itemFaults] = readItems(content, vocabulary);
  for (const [operation, own] of rows) for (const item of items.get(operation) ?? []) own.addItem(item);
  const faults = [...readFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  const sorted = faults.length > 0 ? [] : [...rows].map(([operation, own]) => [operation, own.sorted()] as const);
  return [{ items: new Map(sorted), deployments, settings }, faults];
}

function vocabularyOf({ files }: Discovery): Vocabulary {
  const own = files.filter(({ file }) => classify(file).kind === "settings");
  const [content] = readContent({ files: own, obstacles: [] });
  return readSettings(content)[0].vocabulary;
}

/** Whether the plain lines fit together with all else: no key stands twice, and what is referred to is there. */
function isLinked(items: ReadonlyMap<string, Items>, { rows, given }: PlainLines): boolean {
  const keysOf = new Map(
    listOperations.map(({ name, resource }) => {
      const isReferred = listOperations.some((each) => each.resource.references.some(({ to }) => to === name));
      return [name, new Set(isReferred ? allItems(items.get(name)).map((item) => item[resource.key]) : [])];
    }),
  );
  const isKnown = (operation: string, key: string) => keysOf.get(operation)?.has(key) === true;
  return listOperations.every(({ name, resource: { references, fromPath } }) => {
    const own = rows.get(name);
    if (own === undefined || own.mayRepeat()) return false;
    return references.every(({ field, to }) => {
      const saidByPath = (file: string) =>
        new Set(
          field === fromPath
            ? namesIn(file)
                .map((each) => each.name)
                .filter((each) => isKnown(to, each))
            : [],
        );
      const agrees = given
        .filter(({ operation }) => operation.name === name)
        .every(({ file, values }) => {
          const said = saidByPath(file);
          return said.size === 0 || (said.size === 1 && [...values].every((value) => said.has(value)));
        });
      return agrees && [...own.referred(field)].every((key) => isKnown(to, key));
    });
  });
}

export async function readCatalog(content: string, cache?: Cache): Promise<Checked<Catalog>> {
  const discovery = await discover(content);
  const lines = new Map<string, Uint8Array>();
  for (const found of cache === undefined ? [] : discovery.files.filter(isSlow)) {
    const known = cache?.recall(found.bytes);
    const own = known ?? linesOf(found);
    if (own === undefined) continue;
    lines.set(found.file, own);
    if (known === undefined) cache?.keep(found.bytes, own);
  }
  return compileContent(discovery, lines);
}
export const readingVersion = "yaml 2.9.1, 1";
