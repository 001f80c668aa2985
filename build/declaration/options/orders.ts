// The orders of the lists of a collection: the options `order` and `orders`.
import * as z from "zod";
import { ownField } from "../../../src/model/fields.ts";
import { kindsOf, type Schema } from "../../../src/model/kinds.ts";
import { type DeclaredOrder, type Order, type OrderField, orderName } from "../../../src/model/order.ts";
import { quote } from "../../text/quote.ts";
import type { KeySchemaOf } from "../complete-schema.ts";
import { checkName } from "../names.ts";
import { checkUse, deprecatedOption } from "./deprecated.ts";
import { areOf, areOfOne, checkField, useOf } from "./field-use.ts";
import { either, optionalFlag, text } from "./forms.ts";
import type { CheckedEntry, CollectionGroup, Report } from "./group.ts";

const rule = z.union([text, z.strictObject({ field: text, fold: optionalFlag, natural: optionalFlag })]);

const rules = z.array(rule).min(1);

/** Each order multiplies the pages of a collection. */
const maxOrders = 6;

export const orders = {
  form: {
    order: z.array(rule).optional(),
    orders: z
      .record(
        text,
        either(
          [rules, z.strictObject({ fields: rules, deprecated: deprecatedOption })],
          "a list of fields, or { fields } with such a list",
        ),
      )
      .optional(),
  },

  check(report, entry) {
    const { which, options, at } = entry;
    const names = Object.keys(options.orders ?? {});
    if (names.length > maxOrders) {
      const message = `${which} has ${names.length} orders, but a collection can have at most ${maxOrders}.`;
      report("too-many", at(["orders"], "name"), message, "Remove those that consumers need least.");
    }
    for (const { path, rules } of listsOfRules(options)) checkRules(report, entry, rules, path);
    checkNames(report, entry, names);
  },

  complete({ declaration: { schema, key, order = [], orders = {} } }, { keyOf }) {
    const ascending = (field: string): OrderField => ({
      field,
      type: typeIn(ownField(schema.shape, field), keyOf),
      descending: false,
    });
    const withKey = (rules: readonly DeclaredOrder[]): readonly OrderField[] => {
      const ordered = rules.map((rule): OrderField => {
        const { field: name, ...others } = typeof rule === "string" ? { field: rule } : rule;
        const field = fieldOfOrder(name, schema);
        return { ...ascending(field), descending: name !== field, ...others };
      });
      const missing = [key].flat().filter((field) => !ordered.some((rule) => rule.field === field));
      return [...ordered, ...missing.map(ascending)];
    };
    return {
      order: withKey(order),
      orders: Object.entries(orders).map(
        ([name, by]): Order => ({
          name,
          fields: withKey("fields" in by ? by.fields : by),
          ...("deprecated" in by && { deprecated: by.deprecated }),
        }),
      ),
    };
  },
} satisfies CollectionGroup;

/** The rules of all orders, with their paths among the options. */
const listsOfRules = ({ order = [], orders = {} }: CheckedEntry["options"]) => [
  { path: ["order"], rules: order },
  ...Object.entries(orders).map(([name, by]) => {
    const path = ["orders", name];
    return "fields" in by ? { path: [...path, "fields"], rules: by.fields } : { path, rules: by };
  }),
];

/** The fields by which lists are ordered. */
export const orderedFields = ({ options, schema }: CheckedEntry): readonly string[] =>
  listsOfRules(options).flatMap(({ rules }) =>
    rules.map((rule) => fieldOfOrder(typeof rule === "string" ? rule : rule.field, schema)),
  );

/** A hyphen before the name of a field means that the order descends, unless it belongs to the name. */
const fieldOfOrder = (name: string, schema: z.ZodObject | undefined): string =>
  schema !== undefined && Object.hasOwn(schema.shape, name) ? name : name.replace(/^-/, "");

const ofValues = useOf(
  "its order",
  "a string, a number, or true or false, possibly null, and always of one type",
  (schema) => areOfOne(schema, "text", "integer", "number", "boolean", "null"),
);

const ofComparedTexts = useOf("an order with fold or natural", "a string, possibly null", (schema) =>
  areOf(schema, "text", "null"),
);

function checkRules(
  report: Report,
  entry: CheckedEntry,
  rules: readonly DeclaredOrder[],
  path: readonly string[],
): void {
  const { options, schema, at } = entry;
  const { key = [] } = options;
  const keys = [key].flat();
  for (const [index, rule] of rules.entries()) {
    const { field: name, fold, natural } = typeof rule === "string" ? { field: rule } : rule;
    const steps = [...path, String(index), ...(typeof rule === "string" ? [] : ["field"])];
    const field = fieldOfOrder(name, schema);
    if (fold || natural) checkField(report, entry, field, at(steps), ofComparedTexts);
    // The option `key` checks its fields.
    else if (!keys.includes(field)) checkField(report, entry, field, at(steps), ofValues);
  }
}

function checkNames(report: Report, { which, options, at }: CheckedEntry, names: readonly string[]): void {
  const { key = [], order = [], orders = {} } = options;
  const keys = [key].flat();
  const seen = new Map([[decidingRules(order, keys), "the order of its lists"]]);
  for (const [name, by] of Object.entries(orders)) {
    const where = at(["orders", name], "name");
    checkName(report, "order", name, where);
    const text = decidingRules("fields" in by ? by.fields : by, keys);
    const same = seen.get(text);
    seen.set(text, `its order ${quote(name)}`);
    if (same !== undefined)
      report("wrong-option", where, `The order ${quote(name)} of ${which} is ${same}.`, "Remove it.");
    const use = "deprecated" in by ? by.deprecated?.use : undefined;
    const option = at(["orders", name, "deprecated", "use"]);
    checkUse(report, `the order ${quote(name)} of ${which}`, use, name, names, option);
  }
}

/** Two orders are the same if the same rules decide: a field decides once, and nothing is left behind those of the key. */
function decidingRules(rules: readonly DeclaredOrder[], keys: readonly string[]): string {
  const deciding: string[] = [];
  for (const rule of [...rules, ...keys]) {
    const decides = (field: string) => deciding.some((text) => fieldIn(text) === field);
    if (keys.length > 0 && keys.every(decides)) break;
    const text = orderName(rule);
    if (!decides(fieldIn(text))) deciding.push(text);
  }
  return JSON.stringify(deciding);
}

/** The field of a rule such as `-title (fold)`. */
const fieldIn = (rule: string): string => rule.replace(/^-| \(.*\)$/g, "");

/** The type of a field that can be ordered: all of its values have it. Words are texts, and references have the type of keys. */
export function typeIn(schema: Schema | undefined, keyOf: KeySchemaOf): OrderField["type"] {
  const first = schema && kindsOf(schema).find(({ kind }) => kind !== "null");
  if (first?.kind === "reference") return typeIn(keyOf(first.to), keyOf);
  const type = first?.kind === "known" ? typeof first.values[0] : first?.kind;
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? type : "text";
}
