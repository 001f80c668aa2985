// api.yaml and the files beside it: the publisher's choices, with their defaults.
import * as z from "zod";
import type { Vocabulary } from "../../../src/declare/vocabulary.ts";
import type { Api } from "../../../src/model/api.ts";
import { fieldOf, hasFields, ownField } from "../../../src/model/fields.ts";
import { dialectIn } from "../../../src/model/files.ts";
import { everyPageSize, type PageSizes, type PagingKind, pageSizes } from "../../../src/model/paging.ts";
import { has } from "../../explain/explain.ts";
import { type Draft, type Log, type Span, wholeBuild, wholeFile } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { closest, nearest } from "../../text/slips.ts";
import type { NonEmpty } from "../../values/non-empty.ts";
import type { Folder } from "../folder.ts";
import { frontLineIn } from "../formats/markdown.ts";
import { mergeConflictIn } from "../formats/merge-conflict.ts";
import { decode, placeOf, sourceOf } from "../formats/source.ts";
import { readOne } from "../formats/values.ts";
import { type PlaceIn, validator } from "../validate.ts";
import { readCard, readLogo } from "./appearance.ts";
import type { Settings } from "./chosen-settings.ts";
import { deploymentsIn, usualDeployment } from "./deployments.ts";
import { pagedOperations, type SettingsContent, settingsSchema } from "./settings-form.ts";

interface ReadSettings {
  readonly settingsOf: (api: Api) => Settings;
  readonly vocabulary: Vocabulary;
}

/** Returns the settings of each API and the vocabulary, even if the file has faults. */
export function readSettings(folders: NonEmpty<Folder>, log: Log): ReadSettings {
  // Settings have the same files for all APIs.
  const [folder] = folders;
  const apis = folders.map(({ api }) => api);
  const form = settingsSchema(apis);
  const file = readFile(form, folder, log);
  checkDefault(file.chosen.default_deployment, file.at, folder, log);
  const shared = {
    ...sharedSettings(file),
    // A faulty file may name the logo.
    logo: file.isReadable && file.isValid ? readLogo(file.chosen.logo, file.at, folder, log) : undefined,
    card: readCard(folder, log),
    introduction: readText("introduction", folder, log),
    changesText: readText("changes", folder, log),
  };
  return {
    settingsOf: (api) => settingsFor(api, shared, file.chosen),
    vocabulary: vocabularyIn(file, form, apis),
  };
}

/** The content of api.yaml. */
interface SettingsFile {
  /** Undefined if it is unreadable. */
  readonly written: unknown;
  /** The settings without faulty ones. */
  readonly chosen: SettingsContent;
  /** Whether `chosen` has all that are written. */
  readonly isValid: boolean;
  /** Whether the file is known, or known not to exist. */
  readonly isReadable: boolean;
  readonly at: PlaceIn;
  readonly placeOf: Settings["placeOf"];
}

function readFile(form: ReturnType<typeof settingsSchema>, { files, incomplete }: Folder, log: Log): SettingsFile {
  const [file, ...others] = files.filter(({ role }) => role.kind === "settings");
  const read = file && readOne(file, "object with settings", log);
  for (const other of others) log.report(secondFile(other.file, file?.file ?? ""));
  const at: PlaceIn = (path, part = "value") => (read === undefined ? wholeBuild : read.at.spot(path, part));
  const written = read === undefined ? {} : read.data;
  const valid =
    written === undefined ? undefined : validator(form, { name: "api.yaml", noun: "key" })(written, at, log.report);
  return {
    written,
    chosen: valid ?? validFields(form, written),
    isValid: valid !== undefined,
    isReadable: written !== undefined && !incomplete.has("api"),
    at,
    placeOf(setting) {
      if (read === undefined) return undefined;
      if (setting === undefined) return wholeFile(read.at.source.file);
      return has(written, setting) ? placeOf(at([setting])) : undefined;
    },
  };
}

type Shared = Omit<Settings, "pageSizes" | "paging">;

/** The settings that all APIs have, with their defaults, but for the texts and pictures, which are in files of their own. */
function sharedSettings({ chosen, placeOf }: SettingsFile) {
  const { url, vocabulary = {}, ...plain } = chosen;
  const address = url === undefined ? undefined : new URL(url);
  return {
    ...plain,
    url: address?.origin,
    mount: plain.mount ?? address?.pathname.replace(/\/$/, "") ?? "",
    vocabulary,
    origins: plain.origins ?? "any",
    defaultDeployment: plain.default_deployment ?? usualDeployment,
    frontPage: plain.front_page ?? true,
    cursorLifetime: secondsOf(plain.cursor_lifetime ?? "15m"),
    changesLifetime: secondsOf(plain.changes ?? "30d"),
    changesFields: plain.changes_fields ?? {},
    placeOf,
  };
}

/** The settings of an API, whose declaration may have its own title and description. */
function settingsFor(api: Api, shared: Shared, { page_sizes, paging }: SettingsContent): Settings {
  const paged = pagedOperations([api]);
  const sizesOf = (name: string): PageSizes => {
    const isOfLists = typeof page_sizes === "object" && !Array.isArray(page_sizes);
    const sizes = isOfLists ? ownField(page_sizes, name) : page_sizes;
    return sizes === undefined || sizes === "every" ? everyPageSize : pageSizes(sizes);
  };
  const pagingOf = (name: string): PagingKind =>
    (typeof paging === "object" ? ownField(paging, name) : paging) ?? "exact";
  return {
    ...shared,
    title: api.title ?? shared.title,
    description: api.description ?? shared.description,
    pageSizes: new Map(paged.map((name) => [name, sizesOf(name)])),
    paging: new Map(paged.map((name) => [name, pagingOf(name)])),
  };
}

/** The lists of words. Where a fault may hide them, each word is accepted, so that no item is refused for it. */
function vocabularyIn(
  { written, chosen, isValid, isReadable }: SettingsFile,
  form: z.ZodObject,
  apis: readonly Api[],
): Vocabulary {
  const { vocabulary } = chosen;
  if (vocabulary !== undefined || (isReadable && isValid)) return vocabulary ?? {};
  const unknown = Object.keys(hasFields(written) ? written : {}).filter((key) => !has(form.shape, key));
  const isMisspelt = unknown.some((key) => closest(key, ["vocabulary"]) !== undefined);
  if (isReadable && !has(written, "vocabulary") && !isMisspelt) return {};
  const names = apis.flatMap((api) => api.vocabularies).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, "unknown" as const]));
}

/** The valid fields of faulty settings, against which other content is checked. */
const validFields = (form: z.ZodObject, written: unknown): SettingsContent =>
  Object.fromEntries(
    Object.entries(form.shape).map(([name, field]) => [name, z.safeParse(field, fieldOf(written, name)).data]),
  );

/** The text of introduction.md or changes.md, beside api.yaml. */
function readText(kind: "introduction" | "changes", { files }: Folder, log: Log): string | undefined {
  const file = files.find(({ role }) => role.kind === kind);
  if (file === undefined) return undefined;
  const { text, problem } = decode(file.read());
  const front = frontLineIn(text);
  const first = problem ?? mergeConflictIn(text) ?? (front && frontMatter(front));
  if (first === undefined) return text.trim() === "" ? undefined : text;
  const source = sourceOf(file.file, dialectIn("markdown"), file.read);
  log.report({ ...first, at: { source, ...first.at } });
  return undefined;
}

const frontMatter = (at: Span): Draft<Span> => ({
  code: "syntax",
  at,
  text: "This text has no front matter: all of it is shown.",
  hint: "Remove the front matter. A rule at the start of a text is written as ***.",
});

const secondFile = (file: string, first: string): Draft => ({
  code: "unknown-file",
  at: wholeFile(file),
  text: `The settings are in ${first} already.`,
  hint: "Keep one of the two files.",
});

function checkDefault(value: string | undefined, at: PlaceIn, folder: Folder, log: Log): void {
  const names = deploymentsIn(folder);
  if (value === undefined || names.includes(value) || folder.incomplete.has("deployments")) return;
  log.report({
    code: "no-such-name",
    at: at(["default_deployment"]),
    text: `There is no deployment ${quote(value)}.`,
    hint: nearest(value, names) ?? "Add it to deployments/, or name another.",
  });
}

/** Converts a time such as `30m` to seconds. */
function secondsOf(time: NonNullable<SettingsContent["changes"]>): number {
  const [, amount = "0", unit = ""] = /^(\d+)(\w)$/.exec(String(time)) ?? [];
  return Number(amount) * ({ m: 60, h: 3_600, d: 86_400 }[unit] ?? 0);
}
