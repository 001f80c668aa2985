// How a collection is answered: the options `published`, `cache`, `defining` and `deprecated`.
import * as z from "zod";
import type { ApiDeclaration, CollectionDeclaration } from "../../../src/declare/declare.ts";
import { ownField } from "../../../src/model/fields.ts";
import { checkUse, deprecatedOption } from "./deprecated.ts";
import { anyUse, checkField } from "./field-use.ts";
import { cache, optionalFlag, text } from "./forms.ts";
import type { CheckedEntry, CollectionGroup } from "./group.ts";

/** The default of Cache-Control. */
export const usualCache = "public, max-age=60";

const optionsOfAnswers = [
  "order",
  "orders",
  "filters",
  "together",
  "paged",
  "item",
  "brief",
  "cache",
  "defining",
  "deprecated",
] as const satisfies readonly (keyof CollectionDeclaration)[];

export const published = {
  form: {
    published: optionalFlag,
    cache,
    defining: z.array(text).optional(),
    deprecated: deprecatedOption,
  },

  check(report, entry, { entries }) {
    const { name, which, options, at } = entry;
    for (const [index, field] of (options.defining ?? []).entries())
      checkField(report, entry, field, at(["defining", String(index)]), anyUse("defining"));
    const where = at(["deprecated", "use"]);
    checkUse(report, which, options.deprecated?.use, name, publishedNames(entries), where);
    // A collection without answers only feeds others.
    if (options.published !== false) return;
    for (const option of optionsOfAnswers) {
      if (options[option] === undefined) continue;
      const message = `${which} is not published, but has the option ${option}, which is about answers.`;
      report("wrong-option", at([option], "name"), message, "Remove one.");
    }
  },

  complete({ declaration: { cache = usualCache, defining = [], deprecated } }) {
    return { cache, defining, ...(deprecated && { deprecated }) };
  },
} satisfies CollectionGroup;

/** The names that consumers know: those of documents, and of collections that are published. */
export const publishedNames = (entries: readonly CheckedEntry[]): readonly string[] =>
  entries.filter(({ options }) => options.published !== false).map(({ name }) => name);

export const isPublished = (collections: ApiDeclaration["collections"], name: string): boolean =>
  ownField(collections, name)?.declaration.published !== false;
