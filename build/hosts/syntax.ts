// The syntax that the configurations of several hosts share.

/** The text of a file, from its lines. */
export const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * A quoted text for nginx and Apache. It must not have a dollar sign for nginx, which takes it for the start of a
 * variable even if it is escaped. https://httpd.apache.org/docs/2.4/configuring.html#syntax
 */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
