// The syntax of nginx's configuration. A text in quotes is at most 4096 bytes long.
import { block as linesOf } from "../syntax.ts";

/** nginx expands variables, and captures of an expression, in most quoted texts. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** Keeps nginx from expanding a text. It has no escape for a dollar sign, so a variable contains one. */
export const verbatim = (text: string): string => text.replaceAll("$", dollar);

const dollar = `\${stillapi_dollar}`;

/** Defines the variable: `geo` does not expand its values. */
export const dollarSign: readonly string[] = ["geo $stillapi_dollar {", '  default "$";', "}"];

export type Entries = readonly (readonly [key: string, value: string])[];

/** The first entry whose key equals the source, or whose expression after a tilde matches it, determines the value. */
export const map = (source: string, target: string, entries: Entries, otherwise = ""): readonly string[] =>
  block(
    `map ${source} ${target}`,
    `default ${quoted(otherwise)};`,
    ...entries.map(([key, value]) => `${quoted(keyOf(key))} ${quoted(value)};`),
  );

/** After a backslash, a key is not a word that nginx reserves, such as default. */
const keyOf = (key: string): string => (/^[a-z]/.test(key) ? `\\${key}` : key);

export const mapUnlessEmpty = (source: string, target: string, entries: Entries): readonly string[] =>
  entries.length === 0 ? [] : map(source, target, entries);

export const block = (head: string, ...lines: readonly string[]): readonly string[] => linesOf(head, "  ", lines);
