// api.yaml and the files beside it: the publisher's choices, with their defaults.
import * as z from "zod";
import type { Vocabulary } from "../../../src/declare/vocabulary.ts";
import type { Api } from "../../../src/model/api.ts";
import { fieldOf, hasFields, ownField } from "../../../src/model/fields.ts";
import { everyPageSize, pageSizes } from "../../../src/model/paging.ts";
import { has } from "../../explain/explain.ts";
import { type Draft, type Log, type Span, wholeBuild, wholeFile } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { closest, nearest } from "../../text/slips.ts";
import type { NonEmpty } from "../../values/non-empty.ts";
import type { Settings } from "../catalog.ts";
import type { Folder } from "../folder.ts";
import { conflictIn, frontLineIn } from "../formats/markdown.ts";
import { decode, placeOf, sourceOf } from "../formats/source.ts";
import { readOne } from "../formats/values.ts";
import { type PlaceIn, validator } from "../validate.ts";
import { readLogo } from "./appearance.ts";
import { deploymentsIn, usualDeployment } from "./deployments.ts";
import { pagedOperations, type SettingsContent, settingsSchema } from "./settings-form.ts";

interface ReadSettings {
  readonly settingsOf: (api: Api) => Settings;
  readonly vocabulary: Vocabulary;
}

/**
 * Returns the settings of each API and the vocabulary, even if the file has faults.
 */
export function readSettings(folders: NonEmpty<Folder>, log: Log): ReadSettings {
  // Settings have the same files for all APIs.
  const [folder] = folders;
  const apis = folders.map(({ api }) => api);
  const [file, ...others] = folder.files.filter(({ role }) => role.kind === "settings");
  const read = file && readOne(file, "object with settings", log);
  for (const other of others) log.report(secondFile(other.file, file?.file ?? ""));
  const at: PlaceIn = (path, part = "value") => (read === undefined ? wholeBuild : read.at.spot(path, part));
  const form = settingsSchema(apis);
  const written = read === undefined ? {} : read.data;
  const valid = written === undefined ? undefined : validator(form, "api.yaml")(written, at, log.report);
  const chosen = valid ?? validFields(form, written);
  const { vocabulary = {}, page_sizes, paging, ...plain } = chosen;
  checkDefault(plain.default_deployment, at, folder, log);
  // A faulty file may name the logo, or list words.
  const isReadable = read?.whole !== false && written !== undefined && !folder.lost.has("api");
  const isKnown = isReadable && valid !== undefined;
  const logo = isKnown ? readLogo(chosen.logo, at, folder, log) : undefined;
  const sizesOf = (name: string) => {
    const sizes =
      typeof page_sizes === "object" && !Array.isArray(page_sizes) ? ownField(page_sizes, name) : page_sizes;
    return sizes === undefined || sizes === "every" ? everyPageSize : pageSizes(sizes);
  };
  const pagingOf = (name: string) => (typeof paging === "object" ? ownField(paging, name) : paging) ?? "exact";
  const shared = {
    ...plain,
    url: plain.url === undefined ? undefined : new URL(plain.url).origin,
    mount: plain.mount ?? (plain.url === undefined ? "" : new URL(plain.url).pathname.replace(/\/$/, "")),
    introduction: readText("introduction", folder, log),
    changesText: readText("changes", folder, log),
    logo,
    vocabulary,
    defaultDeployment: plain.default_deployment ?? usualDeployment,
    frontPage: plain.front_page ?? true,
    cursorLifetime: secondsOf(plain.cursor_lifetime ?? "15m"),
    changes: secondsOf(plain.changes ?? "30d"),
    changesFields: plain.changes_fields ?? {},
    placeOf(setting?: string) {
      if (read === undefined) return undefined;
      if (setting === undefined) return wholeFile(read.at.source.file);
      return has(written, setting) ? placeOf(at([setting])) : undefined;
    },
  };
  const settingsOf = (api: Api): Settings => {
    const paged = pagedOperations([api]);
    return {
      ...shared,
      title: api.title ?? shared.title,
      description: api.description ?? shared.description,
      pageSizes: new Map(paged.map((name) => [name, sizesOf(name)])),
      paging: new Map(paged.map((name) => [name, pagingOf(name)])),
    };
  };
  if (isKnown || chosen.vocabulary !== undefined) return { settingsOf, vocabulary };
  const unknown = Object.keys(hasFields(written) ? written : {}).filter((key) => !has(form.shape, key));
  const isMisspelt = unknown.some((key) => closest(key, ["vocabulary"]) !== undefined);
  if (isReadable && !has(written, "vocabulary") && !isMisspelt) return { settingsOf, vocabulary };
  // A fault may hide the lists: no item is refused for it.
  const names = apis.flatMap((api) => api.vocabularies).map(({ name }) => name);
  return { settingsOf, vocabulary: Object.fromEntries(names.map((name) => [name, "unknown" as const])) };
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
  const first = problem ?? conflictIn(text) ?? (front && frontMatter(front));
  if (first === undefined) return text.trim() === "" ? undefined : text;
  const source = sourceOf(file.file, { format: "markdown" }, file.read);
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
  if (value === undefined || names.includes(value) || folder.lost.has("deployments")) return;
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
