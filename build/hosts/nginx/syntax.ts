// The syntax of nginx's configuration.

export type Entries = readonly (readonly [key: string, value: string])[];

/** The first entry whose key matches determines the value. */
export const map = (source: string, target: string, entries: Entries, otherwise = ""): readonly string[] => [
  `map ${source} ${target} {`,
  `  default "${otherwise}";`,
  ...entries.map(([key, value]) => `  "${key}" "${value}";`),
  "}",
];

export const block = (head: string, ...lines: readonly string[]): readonly string[] => [
  `${head} {`,
  ...lines.map((line) => `  ${line}`),
  "}",
];

/**
 * A quoted text without a dollar sign: nginx takes a dollar sign for the start of a variable, even if it is escaped.
 */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
