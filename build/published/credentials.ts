// What a published API may ask of its readers: the name and the password of its address, and the headers of a variable, one
// `Name: value` a line. They are sent over https, or to this machine, only to the origin that a command names, since no
// request follows a redirect. No message has a value of them.

import querystring from "node:querystring";
import { ownField, setField } from "../../src/model/fields.ts";
import { MachineError } from "../files/machine-error.ts";
import { isHere } from "./place.ts";

export const headersVariable = "STILLAPI_HEADERS";

/** By what `credentialsFor` takes them from. Undefined: there are none. */
export type CredentialSource = "address" | "variable" | undefined;

export interface Credentials {
  /** Names are in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly source: CredentialSource;
}

/**
 * `lines` is the text of the variable. Throws MachineError if a line is no header, or if the credentials would be sent
 * unencrypted to another machine.
 */
export function credentialsFor(url: URL, lines = process.env[headersVariable] ?? ""): Credentials {
  const ofVariable = headersIn(lines);
  const basic = basicOf(url);
  if (basic !== undefined && ofVariable["authorization"] !== undefined) {
    throw new MachineError(
      `The address has a name and a password, and ${headersVariable} has the header Authorization.`,
      "Leave out one of them.",
    );
  }
  const headers = basic === undefined ? ofVariable : { ...ofVariable, authorization: basic };
  if (Object.keys(headers).length > 0 && url.protocol !== "https:" && !isHere(url)) {
    const what = basic === undefined ? `the headers of ${headersVariable} are` : "a name and a password are";
    throw new MachineError(`${url.origin} is not encrypted, and ${what} not sent to it.`, `Write https://${url.host}.`);
  }
  if (basic !== undefined) return { headers, source: "address" };
  return { headers, source: Object.keys(headers).length > 0 ? "variable" : undefined };
}

/** The value of Authorization in HTTP's Basic scheme (RFC 7617). Undefined if the address has no name and no password. */
function basicOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = [username, password].map((part) => querystring.unescape(part)).join(":");
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** A field line without its end (RFC 9110, sections 5.1 and 5.5). */
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)$/;

/** What the program and its HTTP client set. A different value would be another request than the one that is meant. */
const reserved: ReadonlySet<string> = new Set([
  "accept-encoding",
  "cache-control",
  "connection",
  "content-length",
  "expect",
  "host",
  "if-none-match",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function headersIn(lines: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [index, line] of lines.split("\n").entries()) {
    const text = line.trim();
    if (text === "") continue;
    const place = `Line ${index + 1} of ${headersVariable}`;
    const [, written = "", value = ""] = fieldLine.exec(text) ?? [];
    const name = written.toLowerCase();
    if (name === "") throw new MachineError(`${place} is not a header.`, "Write Name: value, in ASCII, one a line.");
    if (reserved.has(name)) throw new MachineError(`${place} sets ${written}, which the program sets.`, "Remove it.");
    if (ownField(headers, name) !== undefined)
      throw new MachineError(`${place} sets ${written} again.`, "Keep one of them.");
    setField(headers, name, value);
  }
  return headers;
}
