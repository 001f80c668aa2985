// The syntax of a Caddyfile: https://caddyserver.com/docs/caddyfile/concepts
import { block as linesOf } from "../syntax.ts";

/** The request target as sent. */
export const target = "{http.request.orig_uri}";

/** Caddy expands placeholders in most quoted texts. A text must not have a backslash before a quote or at its end. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/**
 * Keeps Caddy from expanding a text: placeholders, which site.conf defines, take the place of the two characters that could
 * start a syntax. `name` is the name of the API.
 */
export const verbatim = (name: string, text: string): string =>
  text.replaceAll(/[{\\]/g, (character) => (character === "{" ? `{${name}_brace}` : `{${name}_backslash}`));

export const block = (head: string, ...lines: readonly string[]): readonly string[] => linesOf(head, "\t", lines);

export type MapRow = readonly [key: string, ...values: string[]];

/**
 * The first entry whose key equals the source, or whose expression after a tilde matches it, determines the outputs, whose
 * names start with the name of the API. The outputs of an expression have captures and no placeholders.
 */
export const map = (
  name: string,
  source: string,
  outputs: readonly string[],
  entries: readonly MapRow[],
  otherwise: readonly string[] = [""],
): readonly string[] =>
  block(
    `map "${source}" ${outputs.map((output) => `{${name}_${output}}`).join(" ")}`,
    ...entries.map(inQuotes),
    `default ${inQuotes(otherwise)}`,
  );

const inQuotes = (values: readonly string[]): string => values.map(quoted).join(" ");

/** Lines of a block that sets headers. */
export const headerLines = (name: string, headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([header, value]) => `${header} ${quoted(verbatim(name, value))}`);
