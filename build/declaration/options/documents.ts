// The options of a document.
import * as z from "zod";
import { ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import { definitionOf } from "../../../src/model/kinds.ts";
import type { DocumentOperation } from "../../../src/model/operation.ts";
import { describedBy, exampleFrom, schemaFor, writtenAs, writtenOf } from "../complete-schema.ts";
import { guarded, withoutPromise } from "../program.ts";
import { checkUse, deprecatedOption } from "./deprecated.ts";
import { cache, callable, oneLine, optionalFlag, schema } from "./forms.ts";
import type { DocumentGroup } from "./group.ts";
import { publishedNames, usualCache } from "./published.ts";

export const documents = {
  form: {
    purpose: oneLine,
    schema,
    required: optionalFlag,
    transform: callable.optional(),
    written: schema.optional(),
    cache,
    deprecated: deprecatedOption,
  },

  check(report, { name, which, options, at }, { entries }) {
    checkUse(report, which, options.deprecated?.use, name, publishedNames(entries), at(["deprecated", "use"]));
  },

  complete(declared, { name, keyOf, program }): DocumentOperation {
    const { purpose, deprecated, schema, required = false, cache = usualCache, transform } = declared.declaration;
    const supplied = literalsIn(schema);
    const withoutSupplied = <Value>(fields: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
      Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(supplied, field)));
    const content = z.core.clone(schema, { ...schema._zod.def, shape: withoutSupplied(schema.shape) });
    const form = writtenAs(content, keyOf);
    return {
      kind: "document",
      name,
      purpose,
      ...(deprecated && { deprecated }),
      ...describedBy(schema, name, purpose),
      required,
      cache,
      content: form.schema,
      schema: schemaFor(schema, keyOf),
      transform:
        transform &&
        guarded(
          (raw: Item) => withoutPromise(transform(raw), "transform returned a promise, not a document."),
          (error) => program.failureOf(error, declared, ["transform"]),
        ),
      placeOf: (option) => program.placeOf(declared, option),
      documentOf: (content) => {
        const all = { ...content, ...supplied };
        const fields = [...new Set([...Object.keys(schema.shape), ...Object.keys(content)])];
        return Object.fromEntries(
          fields.map((field) => [field, ownField(all, field)] as const).filter(([, value]) => value !== undefined),
        );
      },
      example: withoutSupplied(exampleFrom(schema, keyOf)),
      written: writtenOf(declared.declaration, form, keyOf),
    };
  },
} satisfies DocumentGroup;

/** The values of the fields that are literals. */
const literalsIn = ({ shape }: z.ZodObject): Item =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([field, part]) => {
      const def = definitionOf(part);
      return def.type === "literal" && def.values.length === 1 ? [[field, def.values[0]]] : [];
    }),
  );
