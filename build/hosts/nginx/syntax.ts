// What nginx's configuration is made of.

export type Entries = readonly (readonly [key: string, value: string])[];

/** The first entry whose key matches gives the value. */
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

/** A text in quotes, which must not hold a dollar sign: nginx takes it for a variable's, however it is quoted. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
