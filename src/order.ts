// The order of lists, and order keys: texts that compare as the items do.
import type { Item } from "./resource.ts";
import { comparedText, type TextOrder } from "./text-order.ts";

/** A field by which lists are ordered. */
export interface OrderField extends TextOrder {
  readonly field: string;
  readonly type: "text" | "number" | "boolean";
  readonly descending: boolean;
}

/**
 * The order key of an item: a part for each field of the order, joined by spaces. Order keys of all builds compare by code
 * unit in the order of the values: numbers by value, false before true, null and missing values last.
 */
export const orderKey = ({ order }: { readonly order: readonly OrderField[] }, item: Item): string =>
  order.map((each) => orderPart(item[each.field], each)).join(" ");

function orderPart(value: unknown, { descending, fold, natural }: OrderField): string {
  if (value === null || value === undefined) return last;
  if (typeof value === "number") return sortableNumber(descending ? 0 - value : value + 0);
  if (typeof value === "boolean") return value === descending ? "0" : "1";
  const text = textPart(String(value), descending);
  if (!fold && !natural) return text;
  return `${textPart(comparedText(String(value), { fold, natural }), descending)} ${text}`;
}

function textPart(value: string, descending: boolean): string {
  const text = value.replace(/[\0-!\uffff]/g, marked);
  return descending ? complement(`${text} `) : text;
}

/** Greater than every text, because `marked` adds a smaller character behind the first of these characters in texts. */
const last = "\uffff\uffff";

/**
 * Characters up to `!`, which do not all sort after the space between parts, are written as `!` and a letter or sign in
 * the same order.
 */
const marked = (character: string): string =>
  character === "\uffff" ? `${character}!` : `!${String.fromCharCode(character.charCodeAt(0) + 0x21)}`;

const bits = new DataView(new ArrayBuffer(8));

/** The bits of a double, inverted if it is negative, in 16 hexadecimal digits: texts that sort as the numbers do. */
function sortableNumber(value: number): string {
  bits.setFloat64(0, value);
  const [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  const mask = high >>> 31 === 1 ? 0xffffffff : 0;
  return hexadecimal((high ^ (mask | 0x80000000)) >>> 0, 8) + hexadecimal((low ^ mask) >>> 0, 8);
}

/** Four digits for each code unit, in the opposite order. */
const complement = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hexadecimal(0xffff - text.charCodeAt(index), 4)).join("");

const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** A field of an order, as a declaration names it: after a hyphen if the order descends. */
export function declaredOrder({ field, descending, fold, natural }: OrderField): DeclaredOrder {
  const name = `${descending ? "-" : ""}${field}`;
  return fold || natural ? { field: name, ...(fold && { fold }), ...(natural && { natural }) } : name;
}

export type DeclaredOrder<Field extends string = string> = Field | ({ readonly field: Field } & TextOrder);

/** Such as `-title (fold)`. */
export function orderName(order: OrderField): string {
  const name = declaredOrder(order);
  if (typeof name === "string") return name;
  const { field, ...rules } = name;
  return `${field} (${Object.keys(rules).join(", ")})`;
}
