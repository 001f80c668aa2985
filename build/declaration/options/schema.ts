// What the items of a collection are: the options `purpose`, `noun`, `schema`, `written` and `key`.
import * as z from "zod";
import { tonesIn } from "../../../src/model/meanings.ts";
import { describedBy, exampleFrom, keyWithForms, writtenAs, writtenOf } from "../complete-schema.ts";
import { checkField, isKey, partsOfPath, useOf } from "./field-use.ts";
import { oneLine, schema, text, texts } from "./forms.ts";
import type { CollectionGroup } from "./group.ts";

const keyField = partsOfPath(useOf("its key", "a string or an integer in every item", isKey));

export const itemSchema = {
  form: {
    purpose: oneLine,
    noun: z.strictObject({ one: oneLine, many: oneLine }).optional(),
    schema,
    written: schema.optional(),
    key: z.union([text, texts]),
  },

  check(report, entry) {
    const { key = [] } = entry.options;
    for (const [index, field] of [key].flat().entries())
      checkField(report, entry, field, entry.at(Array.isArray(key) ? ["key", String(index)] : ["key"]), keyField);
  },

  complete({ declaration }, { name, keyOf }) {
    const { purpose, noun, schema, key } = declaration;
    const form = writtenAs(schema, keyOf);
    return {
      purpose,
      noun: noun?.one ?? `item of ${name}`,
      nouns: noun?.many ?? `items of ${name}`,
      ...describedBy(schema, name, purpose, noun?.one),
      ...keyWithForms(schema, key, keyOf),
      schema: form.schema,
      example: exampleFrom(schema, keyOf),
      written: writtenOf(declaration, form, keyOf),
      references: form.references,
      assets: form.assets,
      tones: tonesIn(schema),
    };
  },
} satisfies CollectionGroup;
