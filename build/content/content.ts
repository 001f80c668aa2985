// content/** to Catalog: decode, parse, validate, link. All that is wrong is found in one run.
import { type ListOperation, listOperations, orderKey, referenced } from "../../src/operations.ts";
import { type Item, keyForm } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Checked } from "../diagnostics.ts";
import type { Catalog, Deployment, Settings } from "./catalog.ts";
import { classify, type Role } from "./classify.ts";
import { decode } from "./decode.ts";
import { deploymentOf, deploymentSchema } from "./deployment.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { compare, type Fault, fault, locate, type WithFaults } from "./fault.ts";
import { checkReference, checkUnique, fillFromPath, type Keys, keysOf } from "./link.ts";
import { parse } from "./parse.ts";
import { pageSizesOf, salvageSettings, settingsSchema } from "./settings.ts";
import type { Entry, Source } from "./source.ts";
import { validate } from "./validate.ts";

/** With diagnostics the catalog is partial: it serves for nothing but to have found them all. */
export function compileContent({ files, obstacles }: Discovery): Checked<Catalog> {
  const found = obstacles.map(({ file, code }) => aboutFile(file, code));
  const [read, readFaults] = collect(files.map(readFile));
  const [{ settings, vocabulary }, settingsFaults] = readSettings(read);
  const [deployments, deploymentFaults] = readDeployments(read, vocabulary);
  const [items, itemFaults] = readItems(read, vocabulary);
  const faults = [...found, ...readFaults, ...settingsFaults, ...deploymentFaults, ...itemFaults];
  return [{ items, deployments, settings }, locate(faults)];
}

interface ReadFile {
  readonly file: string;
  readonly role: Role;
  readonly entries: readonly Entry[];
  /** False where a part of the file could not be read, so that nothing follows from what is missing. */
  readonly whole: boolean;
}

function readFile(found: FoundFile): WithFaults<ReadFile | undefined> {
  const { file } = found;
  const role = classify(file);
  if (role.kind === "unknown")
    return [undefined, [fault("unknown-file", emptySource(file), start, () => role.details)]];
  const [source, decodeFaults] = decode(found);
  if (source === undefined) return [{ file, role, entries: [], whole: false }, decodeFaults];
  const [parsed, faults] = parse(source);
  return [{ file, role, ...parsed }, faults];
}

function readSettings(files: readonly ReadFile[]): WithFaults<{ settings: Settings; vocabulary: Vocabulary }> {
  const [first, ...others] = files.filter(({ role }) => role.kind === "settings");
  const faults: Fault[] = others.map(({ file }) => {
    const reason = `The settings are in ${first?.file} already`;
    return fault("unknown-file", emptySource(file), start, () => ({ reason, hint: "Keep one of the two files." }));
  });
  const [entry, entryFaults] = onlyEntry(first, "set of settings");
  const [checked, valueFaults] = entry === undefined ? [{}, []] : validate(entry, settingsSchema, "set of settings");
  const content = checked ?? salvageSettings(entry?.value);
  const [defaultDeployment, defaultFaults] = chooseDefault(content.default_deployment, entry, files);
  const settings = { title: content.title, defaultDeployment, pageSizes: pageSizesOf(content.page_sizes) };
  const vocabulary: Vocabulary = content.vocabulary ?? {};
  return [{ settings, vocabulary }, [...faults, ...entryFaults, ...valueFaults, ...defaultFaults]];
}

/** The seed's examples are of three deployments; the one of all operations is this program's default. */
const usualDeployment = "edge";

function chooseDefault(
  value: string | undefined,
  entry: Entry | undefined,
  files: readonly ReadFile[],
): WithFaults<string> {
  const known = files.flatMap(({ role }) => (role.kind === "deployment" ? [role.name] : []));
  if (value === undefined || entry === undefined) return [usualDeployment, []];
  if (known.includes(value)) return [value, []];
  const at = { path: [...entry.path, "default_deployment"] };
  return [usualDeployment, [fault("no-such-deployment", entry.source, at, () => ({ value, known }))]];
}

function readDeployments(
  files: readonly ReadFile[],
  vocabulary: Vocabulary,
): WithFaults<ReadonlyMap<string, Deployment>> {
  const schema = deploymentSchema(vocabulary);
  const firsts = new Map<string, string>();
  const deployments = new Map<string, Deployment>();
  const faults: Fault[] = [];
  for (const file of files) {
    if (file.role.kind !== "deployment") continue;
    const { name } = file.role;
    const first = firsts.get(name);
    if (first !== undefined) {
      const details = { noun: "deployment", key: "name", value: name, first: { file: first, line: 1, column: 1 } };
      faults.push(fault("not-unique", emptySource(file.file), start, () => details));
    }
    firsts.set(name, first ?? file.file);
    const [entry, entryFaults] = onlyEntry(file, "deployment");
    const [content, contentFaults] = entry === undefined ? [undefined, []] : validate(entry, schema, "deployment");
    faults.push(...entryFaults, ...contentFaults);
    if (content !== undefined) deployments.set(name, deploymentOf(name, content));
  }
  return [deployments, faults];
}

/** The entry of a file that must hold a single one; undefined where there is none, which its reading has reported. */
function onlyEntry(file: ReadFile | undefined, what: string): WithFaults<Entry | undefined> {
  const [entry, second] = file?.entries ?? [];
  if (file === undefined || (entry === undefined && !file.whole)) return [undefined, []];
  if (entry !== undefined && second === undefined && entry.path.length === 0) return [entry, []];
  const source = entry?.source ?? emptySource(file.file);
  if (second === undefined && source.format === "ndjson") return [entry, []];
  return [undefined, [fault("not-one", source, start, () => ({ what, count: file.entries.length }))]];
}

function readItems(
  files: readonly ReadFile[],
  vocabulary: Vocabulary,
): WithFaults<ReadonlyMap<string, readonly Item[]>> {
  const claims = new Map(listOperations.map((operation) => [operation.name, claimsOf(operation, files)]));
  const faults: Fault[] = [];
  const items = new Map<string, readonly Item[]>();
  for (const operation of listOperations) {
    const { resource } = operation;
    const { entries: given } = claims.get(operation.name) ?? claimsOf(operation, files);
    let entries = given;
    for (const { field } of resource.references) {
      const target = referenced(resource, field);
      const { keys } = claims.get(target.name) ?? claimsOf(target, files);
      if (field === resource.fromPath) {
        const [filled, fillFaults] = fillFromPath(entries, field, keys);
        entries = filled;
        faults.push(...fillFaults);
      }
      const form = new RegExp(keyForm(target.resource));
      faults.push(...checkReference(entries, field, target, keys, (value) => form.test(value)));
    }
    faults.push(...checkUnique(operation, entries));
    const schema = resource.schema(vocabulary);
    const [valid, itemFaults] = collect(
      entries.map((entry) => validate(entry, schema, resource.noun, resource.fromPath)),
    );
    faults.push(...itemFaults);
    items.set(operation.name, sorted(operation, valid));
  }
  return [items, faults];
}

function claimsOf(operation: ListOperation, files: readonly ReadFile[]): { entries: readonly Entry[]; keys: Keys } {
  const own = files.filter(({ role }) => role.kind === "items" && role.operation === operation.name);
  const entries = own.flatMap((file) => file.entries);
  return {
    entries,
    keys: keysOf(
      operation,
      entries,
      own.every(({ whole }) => whole),
    ),
  };
}

const sorted = (operation: ListOperation, items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, key: orderKey(operation, item) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ item }) => item);

/** The values that are there, and all faults. */
function collect<T>(results: readonly WithFaults<T | undefined>[]): WithFaults<readonly T[]> {
  return [results.flatMap(([value]) => (value === undefined ? [] : [value])), results.flatMap(([, faults]) => faults)];
}

const start = { start: 0, end: 0 };

/** Stands for a file whose text is not needed to point at it. */
const emptySource = (file: string): Source => ({ file, format: "json", text: "" });

function aboutFile(file: string, code: Discovery["obstacles"][number]["code"]): Fault {
  if (code !== "unknown-file") return fault(code, emptySource(file), start, () => ({}));
  return fault(code, emptySource(file), start, () => ({ reason: "This is neither a file nor a folder" }));
}
