// The syntax of a Caddyfile.

/** The request target as sent. */
export const target = "{http.request.orig_uri}";

export type Entries = readonly (readonly [key: string, ...values: string[]])[];

/** The first entry whose key equals the source, or whose expression matches it, determines the outputs. */
export const map = (
  source: string,
  outputs: readonly string[],
  entries: Entries,
  otherwise: readonly string[] = [""],
): readonly string[] =>
  block(
    `map "${source}" ${outputs.map((output) => `{stillapi_${output}}`).join(" ")}`,
    ...entries.map(inQuotes),
    `default ${inQuotes(otherwise)}`,
  );

const inQuotes = (values: readonly string[]): string => values.map(quoted).join(" ");

/** https://caddyserver.com/docs/caddyfile/concepts#tokens-and-quotes */
export const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

export const block = (head: string, ...lines: readonly string[]): readonly string[] => [
  `${head} {`.trimStart(),
  ...lines.map((line) => `\t${line}`),
  "}",
];

/** Lines of a block that sets headers. */
export const headerLines = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name} ${quoted(value)}`);

/** Continues with the next handler if the file is missing. */
export const sendPage: readonly string[] = block("file_server", "pass_thru");
