// api.yaml: the publisher's choices. All have defaults, and the file is optional.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import { country, flag, label } from "../../src/forms.ts";
import { everyPageSize, maxLimit, pageSizes } from "../../src/paging.ts";
import { listable, type Vocabulary } from "../../src/vocabulary.ts";
import { hostNames } from "../hosts/names.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { accentForm, logoForm, readAccent, readLogo } from "./appearance.ts";
import type { Settings } from "./catalog.ts";
import { isoCountries } from "./countries.ts";
import { decode, sourceOf, withoutMark } from "./decode.ts";
import { deploymentsIn, usualDeployment } from "./deployments.ts";
import { type Fault, fault, type WithFaults, wholeFile } from "./fault.ts";
import { type Folder, readOne } from "./read.ts";
import { type PlaceIn, validator } from "./validate.ts";

const pageSize = z.int().min(1).max(maxLimit).describe(`an integer from 1 to ${maxLimit}`);

const sizes = [
  z.literal("every"),
  z.array(pageSize, "a list of page sizes").min(1, "a list of at least one page size"),
] as const;

const kinds = ["exact", "stable"] as const;

const pagedOperations = ({ lists }: Api): readonly string[] =>
  lists.filter(({ paged }) => paged).map(({ name }) => name);

/** A choice for all paged operations, or an object with one for each of some. */
function forOperations<Choices extends readonly z.ZodType[]>(api: Api, choices: Choices, description: string) {
  const paged = pagedOperations(api);
  const one = z.union(choices, description);
  const each = z.strictObject(Object.fromEntries(paged.map((name) => [name, one.optional()])), description);
  const all = paged.length === 0 ? description : `${description}, or one of these for each of ${paged.join(", ")}`;
  return z.union([...choices, each], all).optional();
}

const vocabularySchema = ({ vocabularies }: Api) => {
  const listOf = (words: Api["vocabularies"][number]) =>
    z.array(listable(words), "a list of words").min(1, "a list of at least one word").optional();
  const lists = vocabularies.map((words) => [words.name, listOf(words)] as const);
  return z.strictObject(Object.fromEntries(lists), "an object with lists of words");
};

const durationDescription = "a time such as 30m, 1h or 7d, or 0";

const duration = z
  .union([z.literal(0), z.string().regex(/^(?:0|[1-9]\d{0,4}[mhd])$/, durationDescription)])
  .describe(durationDescription);

const text = z
  .string()
  .regex(/^\P{Cs}*$/u, "a text of whole characters")
  .describe("a text");

const urlDescription = "the http or https address of a host without a path, such as https://api.example.com";

/** An origin without a path, because the API's paths are absolute. */
const url = z
  .string()
  .regex(/^https?:\/\/[^\s/?#@\\]+\/?$/)
  .refine((value) => URL.canParse(value), urlDescription)
  .describe(urlDescription);

const webAddress = z.url({ protocol: /^https?$/ }).describe("an http or https address");

const contact = z.strictObject(
  { name: label.optional(), url: webAddress.optional(), email: z.email().describe("an email address").optional() },
  "an object with a name, url or email",
);

const countries = z.array(country).describe("a list of country codes");

/** A package, or a module of one: `@acme/edge`, `@acme/edge/client`. https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const client = z
  .string()
  .regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)
  .max(214)
  .describe("the name of an npm package, such as @acme/edge-client");

/** The form of api.yaml. */
export const settingsSchema = (api: Api) =>
  z.strictObject({
    title: label.optional(),
    description: text.optional(),
    url: url.optional(),
    license: z
      .strictObject({ name: label, url: webAddress }, "an object with the name and url of a license")
      .optional(),
    contact: contact.optional(),
    default_deployment: label.optional(),
    hosts: z.array(z.enum(hostNames), "a list of hosts").min(1, "a list of at least one host").optional(),
    page_sizes: forOperations(api, sizes, `"every" or a list of page sizes from 1 to ${maxLimit}`),
    paging: forOperations(api, [z.enum(kinds)], "exact or stable"),
    cursor_lifetime: duration.optional(),
    changes: duration.optional(),
    front_page: flag.optional(),
    vocabulary: vocabularySchema(api).optional(),
    additional_countries: countries.optional(),
    client: client.optional(),
    changelog: webAddress.optional(),
    attribution: label.optional(),
    logo: logoForm.optional(),
    accent: accentForm.optional(),
  });

export type SettingsContent = z.infer<ReturnType<typeof settingsSchema>>;

/**
 * Returns the settings and the vocabulary, even if the file has faults. Country codes are checked only here: consumers
 * accept any code, so that a new country breaks no program.
 */
export function readSettings(folder: Folder): WithFaults<{ settings: Settings; vocabulary: Vocabulary }> {
  const { api } = folder;
  const [file, ...others] = folder.files.filter(({ role }) => role.kind === "settings");
  const read = file && readOne(file, "object with settings");
  const at: PlaceIn = (path, part = "value") =>
    read === undefined ? wholeFile("api.yaml") : { source: read.source, path: [...read.path, ...path], part };
  const validate = validator(settingsSchema(api), { noun: "api.yaml" });
  const [valid, valueFaults] = read?.value === undefined ? [{}, []] : validate(read.value, at);
  const chosen = valid ?? salvage(api, read?.value);
  const { vocabulary = {}, page_sizes, paging } = chosen;
  const [accent, accentFaults] = readAccent(chosen.accent, at);
  const [logo, logoFaults] = readLogo(chosen.logo, at, folder);
  const [introduction, introductionFaults] = readIntroduction(folder);
  const paged = pagedOperations(api);
  const sizesOf = (name: string) => {
    const own =
      (typeof page_sizes === "object" && !Array.isArray(page_sizes) ? page_sizes[name] : page_sizes) ?? "every";
    return own === "every" ? everyPageSize : pageSizes(own);
  };
  const pagingOf = (name: string) => (typeof paging === "object" ? paging[name] : paging) ?? "exact";
  const settings = {
    title: chosen.title,
    description: chosen.description,
    url: chosen.url === undefined ? undefined : new URL(chosen.url).origin,
    license: chosen.license,
    contact: chosen.contact,
    changelog: chosen.changelog,
    attribution: chosen.attribution,
    introduction,
    logo,
    accent,
    vocabulary,
    defaultDeployment: chosen.default_deployment ?? usualDeployment,
    pageSizes: new Map(paged.map((name) => [name, sizesOf(name)])),
    paging: new Map(paged.map((name) => [name, pagingOf(name)])),
    frontPage: chosen.front_page ?? true,
    hosts: chosen.hosts,
    client: chosen.client,
    cursorLifetime: secondsOf(chosen.cursor_lifetime ?? "15m"),
    changes: secondsOf(chosen.changes ?? "30d"),
  };
  // What is unreadable may have named the logo.
  const isReadable = read === undefined || (read.whole && read.value !== undefined && valid !== undefined);
  const faults = [
    ...(read?.faults ?? []),
    ...others.map((other) => secondFile(other.file, file?.file ?? "")),
    ...valueFaults,
    ...checkDefault(chosen.default_deployment, at, folder),
    ...accentFaults,
    ...(isReadable ? logoFaults : []),
    ...introductionFaults,
  ];
  const known = [...isoCountries, ...(chosen.additional_countries ?? [])];
  return [{ settings, vocabulary: { ...vocabulary, country: known } }, faults];
}

/** The file introduction.md beside api.yaml. */
function readIntroduction({ files }: Folder): WithFaults<string | undefined> {
  const found = files.find(({ role }) => role.kind === "introduction");
  if (found === undefined) return [undefined, []];
  const bytes = withoutMark(found.bytes);
  const { text, problem } = decode(bytes);
  if (problem === undefined) return [text.trim() === "" ? undefined : text, []];
  const { code, span, message, hint } = problem;
  const source = sourceOf(found.file, "markdown", () => bytes);
  return [undefined, [fault(code, { source, ...span }, message, hint)]];
}

const secondFile = (file: string, first: string): Fault =>
  fault("unknown-file", wholeFile(file), `The settings are in ${first} already.`, "Keep one of the two files.");

function checkDefault(value: string | undefined, at: PlaceIn, folder: Folder): readonly Fault[] {
  const known = deploymentsIn(folder);
  if (value === undefined || known.includes(value) || folder.lost.has("deployments")) return [];
  const hint = nearest(value, known) ?? "Add it to deployments/, or name another.";
  return [fault("no-such-deployment", at(["default_deployment"]), `There is no deployment ${quote(value)}.`, hint)];
}

/** The valid parts of faulty settings, against which other content is checked. */
function salvage({ vocabularies }: Api, value: unknown): SettingsContent {
  const { default_deployment, vocabulary: lists, additional_countries } = Object(value);
  const words = vocabularies.flatMap(({ name }) => {
    const list: unknown = Object(lists)[name];
    const meant = Array.isArray(list) ? list.filter((word) => typeof word === "string") : [];
    return meant.length === 0 ? [] : [[name, meant]];
  });
  return {
    default_deployment: label.safeParse(default_deployment).data,
    additional_countries: countries.safeParse(additional_countries).data,
    vocabulary: Object.fromEntries(words),
  };
}

/** Converts a time such as `30m` to seconds. */
function secondsOf(time: NonNullable<SettingsContent["cursor_lifetime"]>): number {
  const [, amount = "0", unit = ""] = /^(\d+)(\w)$/.exec(String(time)) ?? [];
  return Number(amount) * ({ m: 60, h: 3_600, d: 86_400 }[unit] ?? 0);
}
