// A row of a table, for the build and for the script of the tables. Missing, null and empty values look different. Numbers,
// times, addresses, colours, states and references are shown as such.
import { type Html, html, isSafeAddress } from "../../../src/declare/html.ts";
import type { Tones } from "../../../src/declare/marks.ts";
import { fieldOf, ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import { integer } from "../../text/words.ts";

/** The id of the row of an item. */
export const rowAnchor = (key: string): string => `row-${key}`;

/** A column, as the script of the tables receives it. */
export interface CellColumn {
  /** The path of the field: `name.common` is in the object `name`. */
  readonly path: string;
  readonly kind?: "number" | "file" | undefined;
  /** The tones of its words, if it holds states. */
  readonly tones?: Tones | undefined;
  /** Whether its cells are the names of a record. */
  readonly isRecord?: boolean | undefined;
  /** The number of decimals for which its numbers have room, so that their points stand below each other. */
  readonly decimals?: number | undefined;
  /** The list to which its values refer. */
  readonly to?: string | undefined;
  /** The values of an enum, in whose order the column is sorted. */
  readonly words?: readonly string[] | undefined;
}

/** The item to which a key refers: its address, empty if it has none, and its name. */
export interface CellLink {
  readonly href: string;
  readonly name: string | undefined;
}

export type TargetOf = (column: CellColumn, key: string) => CellLink | undefined;

/** A scalar, null, undefined, or a list of these. Of a file beside the data it is the address. */
export function cellValue({ path, kind, isRecord }: CellColumn, item: Item): unknown {
  const dot = path.indexOf(".");
  const isField = Object.hasOwn(item, path) || dot === -1;
  const value = isField ? ownField(item, path) : fieldOf(ownField(item, path.slice(0, dot)), path.slice(dot + 1));
  if (kind === "file") return fieldOf(value, "url") ?? value;
  return isRecord && typeof value === "object" && value !== null ? Object.keys(value) : value;
}

/** `keys` are the fields of the key; the cell of the last one is the head of the row, with a link to `href`. */
export function rowHtml(
  columns: readonly CellColumn[],
  keys: readonly string[],
  item: Item,
  href: string,
  targetOf: TargetOf,
): Html {
  const cells = columns.map((column) => {
    const value = cellValue(column, item);
    if (column.path === keys.at(-1)) return html`<th scope="row"><a href="${href}">${value}</a></th>\n`;
    if (column.kind === "file") return html`<td>${fileHtml(ownField(item, column.path))}</td>\n`;
    return html`<td${column.kind === "number" && html` class="number"`}>${cellHtml(value, column, targetOf)}</td>\n`;
  });
  return html`<tr id="${rowAnchor(keyText(keys, item))}">\n${cells}</tr>\n`;
}

/** The longer side of a picture in a row, in pixels. */
const pictureSide = 96;

/** A file beside the data: a small picture that leads to the file, or the name of the file. */
export function fileHtml(value: unknown): Html | string {
  const url = fieldOf(value, "url");
  if (typeof url !== "string") return value === null ? html`<span class="type">null</span>` : "";
  const name = url.replace(/^.*\/|\?.*$/g, "");
  const width = Number(fieldOf(value, "width"));
  const height = Number(fieldOf(value, "height"));
  if (!(width > 0 && height > 0)) return html`<a href="${url}">${name}</a>`;
  const scale = Math.min(1, pictureSide / Math.max(width, height));
  const shown = (side: number): number => Math.max(1, Math.round(side * scale));
  return html`<a href="${url}"><img src="${url}" width="${shown(width)}" height="${shown(height)}" loading="lazy" alt="${name}"></a>`;
}

/** The key of an item: its parts, joined by slashes. */
export const keyText = (keys: readonly string[], item: Item): string =>
  keys.map((field) => ownField(item, field)).join("/");

/** The name of an item, if it is in one of the usual fields. */
export function usualNameOf(item: Item): string | undefined {
  const { name, title, label } = item;
  const found = [name, title, label, fieldOf(name, "common")].find((text) => typeof text === "string" && text !== "");
  return found === undefined || String(found).length > 100 ? undefined : String(found);
}

/** Longer lists and texts are folded: they would not fit a line of a cell. */
const maxElements = 12;
const maxCharacters = 48;

export function cellHtml(value: unknown, column: CellColumn, targetOf: TargetOf): unknown {
  if (value === undefined) return "";
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
    return html`<span class="type">${JSON.stringify(value)}</span>`;
  }
  if (!Array.isArray(value)) return scalarHtml(value, column, targetOf);
  const all = list(value.map((element) => scalarHtml(element, column, targetOf)));
  const isShort = value.length <= maxElements && value.join(", ").length <= maxCharacters;
  if (isShort || value.length <= 3) return all;
  return folded(
    list(value.slice(0, 3).map((element) => textHtml(String(element)))),
    all,
    `${integer(value.length)} values`,
  );
}

/** The word of a state, with the colour and the shape of its severity. */
export const stateHtml = (word: string, tones: Tones): Html =>
  html`<span class="state ${ownField(tones, word) ?? "other"}">${word}</span>`;

const list = (parts: readonly unknown[]) => parts.map((part, index) => html`${index > 0 && ", "}${part}`);

function scalarHtml(value: unknown, column: CellColumn, targetOf: TargetOf): unknown {
  if (typeof value === "number") return numberText(value, column.decimals);
  const text = String(value);
  const target = column.to === undefined ? undefined : targetOf(column, text);
  if (target !== undefined && target.href !== "") return namedLink(text, target);
  if (column.tones !== undefined) return stateHtml(text, column.tones);
  if (time.test(text)) return html`<time datetime="${text}">${text}</time>`;
  if (/^https?:\/\/[^\s]+$/i.test(text) && isSafeAddress(text)) {
    return html`<a href="${text}" rel="noreferrer nofollow">${cut(text.replace(/^https?:\/\//i, ""))}</a>`;
  }
  if (/^(?=.{1,254}$)[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(text)) return html`<a href="mailto:${text}">${text}</a>`;
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) {
    return html`<svg class="swatch" width="14" height="14" aria-hidden="true"><rect width="14" height="14" fill="${text}"></rect></svg>${text}`;
  }
  return text.length <= maxCharacters ? textHtml(text) : folded(textHtml(start(text, 40)), textHtml(text), "");
}

/** A link to the item of a key: its name, with the key beside it. */
export const namedLink = (key: string, { href, name }: CellLink, current?: Html | false): Html =>
  name === undefined || name === key
    ? html`<a href="${href}"${current}>${key}</a>`
    : html`<a href="${href}"${current}><bdi>${name}</bdi></a> <span class="code">${key}</span>`;

/** Folded content opens by touch and by keyboard, without a script. */
const folded = (beginning: unknown, all: unknown, about: string): Html =>
  html`<details class="fold"><summary><span>${beginning}\u2026 ${about}</span></summary>${all}</details>`;

const textHtml = (text: string): string | Html => (otherScript.test(text) ? html`<bdi>${text}</bdi>` : text);

const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** The first characters of a text; none is cut in two. */
const start = (text: string, length: number): string => [...text.slice(0, 2 * length)].slice(0, length).join("");

const cut = (text: string): string => (text.length <= maxCharacters ? text : `${start(text, 40)}…`);

/**
 * A number with separators from five digits on: 2024 may be a year. In place of decimals that it lacks, it has spaces of their
 * widths.
 */
export function numberText(value: number, decimals = 0): string {
  const text = String(value);
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "") return text;
  const grouped = whole.length < 5 ? whole : integer(Number(whole));
  if (fraction.length >= decimals) return `${sign}${grouped}${fraction && `.${fraction}`}`;
  const point = fraction === "" ? pointSpace : ".";
  return `${sign}${grouped}${point}${fraction.padEnd(decimals, figureSpace)}`;
}

/** As wide as a point, and as a digit. */
const pointSpace = "\u2008";
const figureSpace = "\u2007";

/** The number of decimals of a number as it is written. */
export const decimalsOf = (value: unknown): number =>
  typeof value === "number" ? (/^-?\d+\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
