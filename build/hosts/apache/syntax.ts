// The syntax of Apache's configuration: https://httpd.apache.org/docs/2.4/configuring.html#syntax

/** Apache expands variables in most quoted texts. mod_rewrite reads quotes differently: a backslash stands for itself. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/**
 * The quoted value of a header that stays as it is. Apache expands formats after %, defined variables after $
 * and control characters after a backslash, and evaluates an expression after expr=. Only an expression can have any
 * text: encoded, without these characters.
 * https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header https://httpd.apache.org/docs/2.4/expr.html#functions
 */
export const headerValue = (text: string): string =>
  quoted(/[%$\\]|^"?expr=/.test(text) ? `expr=%{unescape:${text.replaceAll(/[^\w/=, -]/g, encoded)}}` : text);

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

export const section = (kind: string, of: string, ...lines: readonly string[]): readonly string[] => [
  `<${kind} ${quoted(of)}>`,
  ...lines.map((line) => `  ${line}`),
  `</${kind}>`,
];
