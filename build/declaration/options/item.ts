// The pages of lists and the paths of single items: the options `paged`, `item` and `brief`.
import * as z from "zod";
import type { CollectionDeclaration } from "../../../src/declare/declare.ts";
import type { Aliases } from "../../../src/model/aliases.ts";
import { elementsOf, kindsOf } from "../../../src/model/kinds.ts";
import { listed } from "../../text/words.ts";
import { anyUse, areOf, checkField, haveSlugs, partsOfPath, slugNeeds, useOf } from "./field-use.ts";
import { optionalFlag, text, texts } from "./forms.ts";
import type { CheckedEntry, CollectionGroup, Report } from "./group.ts";
import { orderedFields } from "./orders.ts";

const aliases = z.strictObject({
  field: text,
  slug: z.literal(true).optional(),
  repeated: z.literal("warn").optional(),
});

export const item = {
  form: {
    paged: optionalFlag,
    item: z.union([z.boolean(), z.strictObject({ aliases: z.union([text, aliases]) })]).optional(),
    brief: texts.optional(),
  },

  check(report, entry) {
    const { item, brief } = entry.options;
    if (typeof item === "object") checkAliases(report, entry, item.aliases);
    if (brief !== undefined) checkBrief(report, entry, brief);
  },

  complete({ declaration: { schema, paged = true, item = false, brief } }) {
    return {
      paged,
      item: item === false ? undefined : { aliases: item === true ? undefined : aliasesIn(item.aliases) },
      brief: brief && Object.keys(schema.shape).filter((field) => brief.includes(field)),
    };
  },
} satisfies CollectionGroup;

type DeclaredAliases = Extract<CollectionDeclaration["item"], object>["aliases"];

const aliasField = partsOfPath(
  useOf("item.aliases", "a string, an integer, or a list of them, but not a reference", (schema) => {
    const values = elementsOf(schema) ?? schema;
    return areOf(values, "text", "integer", "null") && kindsOf(values).every(({ kind }) => kind !== "reference");
  }),
);
const slugField = useOf("item.aliases", slugNeeds, (schema) => haveSlugs(elementsOf(schema) ?? schema));

function checkAliases(report: Report, entry: CheckedEntry, declared: DeclaredAliases): void {
  const { which, options, at } = entry;
  const path = ["item", "aliases"];
  const isField = typeof declared === "string";
  if (Array.isArray(options.key) && options.key.length > 1)
    report("wrong-option", at(path), `${which} has aliases, but its key has several fields.`, "Write item: true.");
  else if (isField) checkField(report, entry, declared, at(path), aliasField);
  else checkField(report, entry, declared.field, at([...path, "field"]), declared.slug ? slugField : aliasField);
}

/** A list needs the fields by which readers sort and find items. */
function checkBrief(report: Report, entry: CheckedEntry, brief: readonly string[]): void {
  const { which, options, at } = entry;
  const { key = [], item = false } = options;
  for (const [index, field] of brief.entries())
    checkField(report, entry, field, at(["brief", String(index)]), anyUse("brief"));
  const needed = new Set([...orderedFields(entry), ...[key].flat()]);
  const missing = [...needed].filter((field) => !brief.includes(field));
  if (missing.length > 0) {
    const message = `The brief of ${which} lacks ${listed(missing)}, by which its lists are sorted.`;
    report("wrong-option", at(["brief"]), message, "Add it to brief: clients need it to continue a list.");
  }
  if (item === false) {
    const message = `${which} has brief lists, but its single items have no paths.`;
    report("wrong-option", at(["brief"], "name"), message, "Add item: true, or remove brief.");
  }
}

function aliasesIn(declared: DeclaredAliases): Aliases {
  const { field, slug, repeated } =
    typeof declared === "string" ? { field: declared, slug: undefined, repeated: undefined } : declared;
  return { field, isSlug: slug === true, mayRepeat: repeated === "warn" };
}
