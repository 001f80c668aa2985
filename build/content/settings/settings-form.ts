// The form of api.yaml, the publisher's choices. All have defaults, and the file is optional.
import * as z from "zod";
import { flag, label } from "../../../src/declare/forms.ts";
import { languageDescription, languagePattern } from "../../../src/declare/language.ts";
import { listable } from "../../../src/declare/vocabulary.ts";
import type { Api } from "../../../src/model/api.ts";
import { kindsOf } from "../../../src/model/kinds.ts";
import { maxLimit } from "../../../src/model/paging.ts";
import { hostNames } from "../../hosts/names.ts";
import { folderRule } from "../link/paths.ts";
import { logoFiles } from "../roles.ts";

const pageSize = z.int().min(1).max(maxLimit).describe(`an integer from 1 to ${maxLimit}`);

const sizes = [
  z.literal("every"),
  z.array(pageSize, "a list of page sizes").min(1, "a list of at least one page size"),
] as const;

const kinds = ["exact", "stable"] as const;

/** Their names, each once. */
export const pagedOperations = (apis: readonly Api[]): readonly string[] => [
  ...new Set(apis.flatMap(({ lists }) => lists.filter(({ paged }) => paged).map(({ name }) => name))),
];

/** A choice for all paged operations, or an object with choices for some of them. */
function forOperations<Choices extends readonly z.ZodType[]>(
  apis: readonly Api[],
  choices: Choices,
  description: string,
) {
  const paged = pagedOperations(apis);
  const one = z.union(choices, description);
  const byName = z.strictObject(Object.fromEntries(paged.map((name) => [name, one.optional()])), description);
  const all = paged.length === 0 ? description : `${description}, or one of these for each of ${paged.join(", ")}`;
  return z.union([...choices, byName], all).optional();
}

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .describe('a colour in quotes, such as "#0a5bc2"');

const vocabularySchema = (apis: readonly Api[]) => {
  const operations = apis.flatMap(({ lists }) => lists);
  const vocabularies = apis.flatMap((api) => api.vocabularies);
  const accepted = operations.flatMap(({ filters }) => filters.map(({ accepts }) => accepts));
  const listOf = (words: Api["vocabularies"][number]) => {
    const list = z.array(listable(words), "a list of words").min(1, "a list of at least one word");
    const isFilter = accepted.some((values) => values.kind === "words" && values.vocabulary === words.name);
    return (isFilter ? list.check(checkParts) : list).optional();
  };
  const lists = vocabularies.map((words) => [words.name, listOf(words)] as const);
  return z.strictObject(Object.fromEntries(lists), "an object with lists of words");
};

/** The words by which a filter lists items are parts of paths, which may ignore case, whether items have them or not. */
function checkParts({ value, issues }: z.core.ParsePayload<string[]>): void {
  for (const [index, word] of value.entries()) {
    const isRepeated = value.findIndex((other) => other.toLowerCase() === word.toLowerCase()) < index;
    const message = folderRule(word) ?? (isRepeated ? "another word: case makes no difference in paths" : undefined);
    if (message !== undefined) issues.push({ code: "custom", input: word, path: [index], message });
  }
}

/** The names of the fields of a list's items, each once. */
const fieldNames = (apis: readonly Api[], list: string): readonly string[] => [
  ...new Set(
    apis.flatMap(({ lists }) =>
      lists
        .filter(({ name }) => name === list)
        .flatMap(({ schema }) => kindsOf(schema({})))
        .flatMap((kind) => (kind.kind === "object" ? Object.keys(kind.fields) : [])),
    ),
  ),
];

function changesFieldsForm(apis: readonly Api[]) {
  const names = [...new Set(apis.flatMap(({ lists }) => lists.map(({ name }) => name)))];
  const formOf = (list: string) => {
    const description = `a list of fields of ${list}, or false`;
    return z.union([z.literal(false), z.array(z.enum(fieldNames(apis, list)))], description).optional();
  };
  const byName = z.strictObject(Object.fromEntries(names.map((name) => [name, formOf(name)])));
  return z.union([z.literal(false), byName], "false, or an object with a list of fields, or false, for collections");
}

const durationDescription = "a time such as 30m, 1h or 7d, or 0";

const duration = z
  .union([z.literal(0), z.string().regex(/^(?:0|[1-9]\d{0,4}[mhd])$/, durationDescription)])
  .describe(durationDescription);

const text = z
  .string()
  .regex(/^\P{Cs}*$/u, "a string of whole characters")
  .describe("a string");

const urlDescription = "an http or https address without a query, such as https://api.example.com";

const pathPattern = String.raw`(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*`;

const url = z
  .string()
  .regex(new RegExp(String.raw`^https?:\/\/[^\s/?#@\\]+${pathPattern}\/?$`))
  .refine((value) => URL.canParse(value), urlDescription)
  .describe(urlDescription);

const webAddress = z.url({ protocol: /^https?$/ }).describe("an http or https address");

const contact = z.strictObject(
  { name: label.optional(), url: webAddress.optional(), email: z.email().describe("an email address").optional() },
  "an object with a name, url or email",
);

const ownHeader =
  "a header of letters, digits and hyphens that neither browsers nor the program set, such as X-API-Key";

/**
 * The headers that browsers set (Fetch, section 2.2.2, forbidden request-headers), that this program and its clients send, or
 * for which there is another scheme. The names that start with `proxy-` or `sec-` are browsers' too.
 */
const takenHeaders: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language access-control-request-headers access-control-request-method
  authorization cache-control connection content-length content-type cookie cookie2 date dnt expect host if-match
  if-modified-since if-none-match if-range if-unmodified-since keep-alive origin pragma range referer set-cookie te trailer
  transfer-encoding upgrade user-agent via x-http-method x-http-method-override x-method-override`.split(/\s+/),
);

const cookieName = "the name of a cookie, of letters, digits and . _ -, such as session";

const schemes = "basic, bearer, { header: NAME } or { cookie: NAME }";

const access = z.strictObject(
  {
    /** How readers get access, for people. */
    description: label,
    scheme: z.union(
      [
        z.enum(["basic", "bearer"]),
        z.strictObject({
          header: z
            .string(ownHeader)
            .regex(/^(?!proxy-|sec-)[a-z][a-z0-9-]{0,63}$/i, ownHeader)
            .refine((name) => !takenHeaders.has(name.toLowerCase()), ownHeader),
        }),
        z.strictObject({ cookie: z.string(cookieName).regex(/^[\w.-]{1,64}$/, cookieName) }),
      ],
      schemes,
    ),
  },
  `an object with a description and a scheme: ${schemes}`,
);

const originsDescription =
  "any, none, or an origin in lowercase without a path or a slash at its end, such as https://one.example";

const origins = z
  .string(originsDescription)
  .refine((value) => value === "any" || value === "none" || isOrigin(value), originsDescription)
  .describe(originsDescription);

/** Whether browsers write an origin so in a request (RFC 6454, section 6.2). No sign in it is syntax of a host's. */
const isOrigin = (value: string): boolean =>
  /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d+)?$/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value;

/** The form of api.yaml, which the APIs share. */
export const settingsSchema = (apis: readonly Api[]) =>
  z.strictObject({
    title: label.optional(),
    description: text.optional(),
    /** The language of the publisher's texts, and of numbers and times in tables. */
    language: z.string().regex(languagePattern).describe(languageDescription).optional(),
    /** The address at which the publish root is published, such as https://api.example.com. */
    url: url.optional(),
    /** The path under which a host that only serves files has the publish root. Default: the path of `url`. */
    mount: z
      .string()
      .regex(new RegExp(`^(?!$)${pathPattern}$`))
      .describe("a path without a slash at its end, such as /my-api")
      .optional(),
    /** The license of the data. */
    license: z
      .strictObject({ name: label, url: webAddress }, "an object with the name and url of a license")
      .optional(),
    /** The contact for consumers. */
    contact: contact.optional(),
    /** Absent if everybody may read. */
    access: access.optional(),
    /** The origins whose scripts may read. */
    origins: origins.optional(),
    default_deployment: label.optional(),
    /** The hosts to build for without --host. */
    hosts: z.array(z.enum(hostNames), "a list of hosts").min(1, "a list of at least one host").optional(),
    page_sizes: forOperations(apis, sizes, `"every" or a list of page sizes from 1 to ${maxLimit}`),
    paging: forOperations(apis, [z.enum(kinds)], "exact or stable"),
    cursor_lifetime: duration.optional(),
    changes: duration.optional(),
    /** The fields whose values the list of changes tells, by collection. */
    changes_fields: changesFieldsForm(apis).optional(),
    /** Whether the reference documentation is also published at the root of the host. */
    front_page: flag.optional(),
    vocabulary: vocabularySchema(apis).optional(),
    /** Globs of files below the folder that are not content. */
    ignore: z.array(text, "a list of globs").min(1, "a list of at least one glob").optional(),
    logo: z.enum(logoFiles).optional(),
    /** The colours of links and buttons on light and on dark pages. */
    accent: colour.optional(),
    accent_dark: colour.optional(),
  });

export type SettingsContent = z.infer<ReturnType<typeof settingsSchema>>;
