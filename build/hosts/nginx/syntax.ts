// The syntax of nginx's configuration. A text in quotes is at most 4096 bytes long.
import { block as linesOf } from "../syntax.ts";

/** nginx expands variables, and captures of an expression, in most quoted texts. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** Keeps nginx from expanding a text. It has no escape for a dollar sign, so a variable contains one. */
export const verbatim = (text: string): string => text.replaceAll("$", `\${stillapi_dollar}`);

/** Defines the variable: `geo` does not expand its values. */
export const dollarSign: readonly string[] = ["geo $stillapi_dollar {", '  default "$";', "}"];

export type Entry = readonly [key: string, value: string];

/** The first entry whose key equals the source, or whose expression after a tilde matches it, determines the value. */
export const map = (source: string, target: string, entries: readonly Entry[], otherwise = ""): readonly string[] =>
  block(
    `map ${source} ${target}`,
    `default ${quoted(otherwise)};`,
    // After a backslash, a key is not a word that nginx reserves, such as default.
    ...entries.map(([key, value]) => `${quoted(key.replace(/^(?=[a-z])/, "\\"))} ${quoted(value)};`),
  );

export const block = (head: string, ...lines: readonly string[]): readonly string[] => linesOf(head, "  ", lines);
