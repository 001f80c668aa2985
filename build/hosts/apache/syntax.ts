// The syntax of Apache's configuration.

export const section = (kind: string, of: string, ...lines: readonly string[]): readonly string[] => [
  `<${kind} "${of}">`,
  ...lines.map((line) => `  ${line}`),
  `</${kind}>`,
];

/** https://httpd.apache.org/docs/2.4/configuring.html#syntax */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
