// The orders of lists, and order keys: texts that compare as the items do.
import type { Deprecable } from "../declare/deprecation.ts";
import { ownField } from "./fields.ts";
import type { Item } from "./key.ts";
import { comparedText, type TextOrder } from "./text-order.ts";

export interface OrderField extends TextOrder {
  readonly field: string;
  readonly type: "text" | "number" | "boolean";
  readonly descending: boolean;
}

/** The parameter that names an order. In a path and in the routing table, it is a filter before all others. */
export const sortParam = "sort";

/** An order that a request may ask for by its name. */
export interface Order extends Deprecable {
  readonly name: string;
  /** All fields of the order, with those of the key. */
  readonly fields: readonly OrderField[];
}

/**
 * The order key of an item: a part for each field of the order, joined by spaces. Order keys of all builds compare by code
 * unit in the order of the values: numbers by value, false before true, null and missing values last.
 */
export function orderKey(fields: readonly OrderField[], item: Item): string {
  let key = "";
  for (const rule of fields) {
    const part = orderPart(ownField(item, rule.field), rule);
    key = rule === fields[0] ? part : `${key} ${part}`;
  }
  return key;
}

function orderPart(value: unknown, { descending, fold, natural }: OrderField): string {
  if (value === null || value === undefined) return last;
  if (typeof value === "number") return sortableNumber(descending ? 0 - value : value + 0);
  if (typeof value === "boolean") return value === descending ? "0" : "1";
  const text = textPart(String(value), descending);
  if (!fold && !natural) return text;
  return `${textPart(comparedText(String(value), { fold, natural }), descending)} ${text}`;
}

function textPart(value: string, descending: boolean): string {
  const text = special.test(value) ? value.replace(specials, marked) : value;
  return descending ? complement(`${text} `) : text;
}

const special = /[\0-!\uffff]/;
const specials = /[\0-!\uffff]/g;

/** Greater than every text: in texts, `marked` adds a smaller character after U+FFFF. */
const last = "\uffff\uffff";

/**
 * Characters up to `!`, which do not all sort after the space between parts, are written as `!` and a letter or sign in
 * the same order.
 */
const marked = (character: string): string =>
  character === "\uffff" ? `${character}!` : `!${String.fromCharCode(character.charCodeAt(0) + 0x21)}`;

/**
 * The values of the fields of a key in an order key, as texts. Fields of keys are never null, and their texts have no
 * character that is marked.
 */
export function keyValuesIn(key: string, order: readonly OrderField[], fields: readonly string[]): readonly string[] {
  const parts = key.split(" ");
  const values = new Map<string, string>();
  let at = 0;
  for (const { field, type, descending, fold, natural } of order) {
    if (type === "text" && (fold || natural) && parts[at] !== last) at++;
    const part = parts[at++] ?? "";
    if (type === "number") values.set(field, String((descending ? -1 : 1) * numberIn(part) + 0));
    else values.set(field, descending ? complemented(part).slice(0, -1) : part);
  }
  return fields.map((field) => values.get(field) ?? "");
}

const bits = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** The bits of a double, inverted if it is negative, in 16 hexadecimal digits: texts that sort as the numbers do. */
function sortableNumber(value: number): string {
  bits.setFloat64(0, value);
  const high = bits.getUint32(0);
  const low = bits.getUint32(4);
  const mask = high >>> 31 === 1 ? 0xffffffff : 0;
  return hexadecimal((high ^ (mask | 0x80000000)) >>> 0, 8) + hexadecimal((low ^ mask) >>> 0, 8);
}

function numberIn(text: string): number {
  const high = Number.parseInt(text.slice(0, 8), 16);
  const low = Number.parseInt(text.slice(8), 16);
  const mask = high >>> 31 === 1 ? 0 : 0xffffffff;
  bits.setUint32(0, high ^ (mask | 0x80000000));
  bits.setUint32(4, low ^ mask);
  return bits.getFloat64(0);
}

/** Four digits for each code unit, in the opposite order. */
const complement = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hexadecimal(0xffff - text.charCodeAt(index), 4)).join("");

const complemented = (digits: string): string =>
  digits.replace(/.{4}/g, (unit) => String.fromCharCode(0xffff - Number.parseInt(unit, 16)));

const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/**
 * The value of `sort` in the name of a listing: the order with its declaration. A cursor of an order that is declared
 * differently is therefore unknown, although items may have the same order key in both: 0 in either direction, for example.
 */
export const orderInListing = ({ name, fields }: Order): string =>
  `${name} ${fields.map((field) => orderName(declaredOrder(field))).join()}`;

/** A field of an order, as a declaration names it: with a hyphen before it if the order descends. */
export function declaredOrder({ field, descending, fold, natural }: OrderField): DeclaredOrder {
  const name = `${descending ? "-" : ""}${field}`;
  return fold || natural ? { field: name, ...(fold && { fold }), ...(natural && { natural }) } : name;
}

export type DeclaredOrder<Field extends string = string> = Field | ({ readonly field: Field } & TextOrder);

/** An order in words: `-title (fold)`. */
export function orderName(order: DeclaredOrder): string {
  if (typeof order === "string") return order;
  const { field, ...rules } = order;
  return `${field} (${Object.keys(rules).join(", ")})`;
}
