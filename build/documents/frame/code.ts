// Code for readers, written alike by the build and by the scripts of the pages: requests in several languages, and JSON in
// colours.
import { endOfString } from "../../text/json-string.ts";

/** Means the origin of the API. The string that starts with it scrolls in itself, because the origin may be long. */
export const originMark = "\0";

/** What requests need so that the host knows the reader. Lines, each with its end; none if everybody may read. */
export interface CredentialCode {
  /** An option. */
  readonly curl?: string;
  /** Makes the `options` of `fetch`. */
  readonly javascript?: string;
  /** An argument of `requests.get`. */
  readonly python?: string;
}

/** A request in each language. `address` is a path with a query. */
export function requestCode(
  address: string,
  credentials: CredentialCode = {},
): Readonly<Record<"curl" | "JavaScript" | "Python", string>> {
  const { javascript = "", python = "" } = credentials;
  const [path = "", query = ""] = address.split("?");
  const members = Array.from(
    new URLSearchParams(query),
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  ).join(", ");
  const parameters = `?" +\n  new URLSearchParams({ ${members.replaceAll(/"(\w+)": /g, "$1: ")} })`;
  return {
    curl: curlCode(address, credentials),
    JavaScript: `${javascript}const url =
  "${originMark}${path}${members === "" ? '"' : parameters};
const answer = await (await fetch(url${javascript && ", options"})).json();`,
    Python: `import requests
url = "${originMark}${path}"
answer = requests.get(url${members && `, params={${members}}`}${python && `,\n${python}`}).json()`,
  };
}

export function curlCode(address: string, { curl = "" }: CredentialCode = {}): string {
  const [path = "", query = ""] = address.split("?");
  const options = Array.from(new URLSearchParams(query), ([name, value]) => ` \\\n  ${curlOption(name, value)}`).join(
    "",
  );
  return `curl${options && " -G"} \\\n${curl}  "${originMark}${path}"${options}`;
}

/** A parameter of a request for a shell. */
function curlOption(name: string, value: string): string {
  const text = `${name}=${value}`;
  if (/^[\w.~=-]*$/.test(text)) return `-d ${text}`;
  const quoted = /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
  return `--data-urlencode ${quoted}`;
}

/** The characters that fit a line of the narrowest column. */
const lineLength = 44;

/** JSON whose innermost objects and lists are on one line if they fit it. */
export const indentedJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/([{[])\n +([^{}[\]]*)\n *[}\]]/g, (part, open, inner, at, whole) => {
    const members = inner.replaceAll(/\n */g, " ");
    const line = open === "{" ? `{ ${members} }` : `[${members}]`;
    return at - whole.lastIndexOf("\n", at) + line.length <= lineLength ? line : part;
  });

/** In place of the elements of a list that are left out. */
export const restOf = (count: number): string => `… ${count} more`;

export interface Token {
  readonly text: string;
  /** The class that colours it: a key, a string, a number, a literal, or a comment. */
  readonly kind: "k" | "s" | "n" | "l" | "c" | undefined;
  /** Whether it is the cursor of the next page. */
  readonly isNext: boolean;
}

/** The tokens of JSON, and the texts between them. */
export function tokensOf(json: string): readonly Token[] {
  let isNext = false;
  return partsOf(json).map((text, index): Token => {
    const kind = index % 2 === 0 ? undefined : kindOf(text);
    if (kind === "k") isNext = text.startsWith('"next_cursor"');
    return kind === "c"
      ? { text: text.slice(1, -1), kind, isNext: false }
      : { text, kind, isNext: isNext && kind === "s" };
  });
}

/** The parts of code: strings and options have a colour. */
export const tokensOfCode = (code: string): readonly Pick<Token, "text" | "kind">[] =>
  code
    .split(/("[^"\n]*"|`[^`\n]*`|'.*'|(?<= )--?[a-z][a-z-]*)/i)
    .map((text, index) => ({ text, kind: index % 2 === 0 ? undefined : kindOf(text) }));

/** Strings with the colons of keys, numbers and words are the odd parts. */
function partsOf(json: string): readonly string[] {
  const parts: string[] = [];
  const token = /"|-?\d[\d.eE+-]*|true|false|null/g;
  let end = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    parts.push(json.slice(end, found.index));
    // An expression for whole strings would need stack for each of their characters.
    if (found[0] === '"') token.lastIndex = endOfKey(json, endOfString(json, found.index) + 1);
    end = token.lastIndex;
    parts.push(json.slice(found.index, end));
  }
  return [...parts, json.slice(end)];
}

/** The offset behind the colon that follows a string, or behind the string. */
function endOfKey(json: string, end: number): number {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return colon.test(json) ? colon.lastIndex : end;
}

function kindOf(token: string): Token["kind"] {
  if (token.endsWith(":")) return "k";
  if (/^["'`]/.test(token)) return /^"\u2026 \d+ more"$/.test(token) ? "c" : "s";
  return /^[-\d]/.test(token) ? "n" : "l";
}
