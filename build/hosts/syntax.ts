// The syntax that the configurations of several hosts share.

/** The text of a file, from its lines. */
export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A regular expression that matches a text. PCRE, RE2, POSIX and JavaScript share its syntax. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines between a head and a brace, as in nginx and Caddy. */
export const block = (head: string, indent: string, lines: readonly string[]): readonly string[] => [
  `${head} {`.trimStart(),
  ...lines.map((line) => indent + line),
  "}",
];
