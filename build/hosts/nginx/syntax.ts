// The syntax of nginx's configuration. A text in quotes is at most 4096 bytes long.
import { block as linesOf } from "../syntax.ts";

/** nginx expands variables, and captures of an expression, in most quoted texts. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/**
 * Keeps nginx from expanding a text. It has no escape for a dollar sign, so a variable of maps.conf contains one. `name`
 * is the name of the API.
 */
export const verbatim = (name: string, text: string): string => text.replaceAll("$", `\${${name}_dollar}`);

export type MapEntry = readonly [key: string, value: string];

/** The lines of a map. After a backslash, a key is not a word that nginx reserves, such as default. */
export const entries = (list: readonly MapEntry[]): readonly string[] =>
  list.map(([key, value]) => `${quoted(key.replace(/^(?=[a-z])/, "\\"))} ${quoted(value)};`);

/** The first entry whose key equals the source, or whose expression after a tilde matches it, determines the value. */
export const map = (source: string, target: string, list: readonly MapEntry[], otherwise = ""): readonly string[] =>
  block(`map ${source} ${target}`, `default ${quoted(otherwise)};`, ...entries(list));

export const block = (head: string, ...lines: readonly string[]): readonly string[] => linesOf(head, "  ", lines);
