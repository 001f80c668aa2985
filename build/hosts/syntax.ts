// The syntax that the configurations of several hosts share.
import { ownField } from "../../src/model/fields.ts";

/** The text of a file, from its lines. */
export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A regular expression that matches a text. PCRE, RE2, POSIX and JavaScript share its syntax. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** `^k[0-9a-z]{24}$` becomes `k[0-9a-z]{24}`. */
export const withoutAnchors = (form: string): string => form.replace(/^\^|\$$/g, "");

/**
 * A text in quotes for Apache and nginx. Both expand variables in most quoted texts; nginx also expands captures of an
 * expression, and limits a text to 4096 bytes. In Apache's mod_rewrite, a backslash escapes nothing in quotes.
 */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** The variable of a parameter in a configuration: its name in letters, digits and underscores. */
export const variable = ({ name }: { readonly name: string }): string => name.replaceAll("-", "_");

/** Lines between a head and a brace, as in nginx and Caddy. */
export const block = (head: string, indent: string, lines: readonly string[]): readonly string[] => [
  `${head} {`.trimStart(),
  ...lines.map((line) => indent + line),
  "}",
];

/**
 * Fills in a template: a name between << and >> becomes its text. A line with nothing but a name becomes a line for each of
 * several texts, with its indentation.
 */
export const filled = (template: string, parts: Readonly<Record<string, string | readonly string[]>>): string =>
  template.replaceAll(/(?:^([ \t]*))?<<(\w+)>>(\n?)/gm, (_, indent = "", name, end) => {
    const part = ownField(parts, name);
    if (part === undefined) throw new Error(`A template needs ${name}.`);
    return typeof part === "string" ? indent + part + end : part.map((line) => `${indent}${line}\n`).join("");
  });
