// The headers of a request that the preview reads: Host and If-None-Match.
import { createHash } from "node:crypto";
import { hostname } from "node:os";

/**
 * Whether the value of a Host header names this machine, against DNS rebinding: a page of another site gives its name the
 * address 127.0.0.1 and reads the served files as if they were of the same origin, but the browser sends the name of the
 * site as the Host. Browsers always send one, so a request without one is accepted.
 */
export function isLocalName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return ["localhost", "127.0.0.1", "[::1]", hostname().toLowerCase()].includes(name);
}

/** A strong entity tag (RFC 9110, section 8.8.3). It only depends on the bytes. */
export const tagOf = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;

/** Whether `If-None-Match` names the tag: the field is `*` or a list of tags, and a weak tag matches too (section 13.1.2). */
export function isNamed(tag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const named: string[] = [];
  const between = ifNoneMatch.replaceAll(entityTag, (_, opaque: string) => {
    named.push(opaque);
    return "";
  });
  return /^[ \t,]*$/.test(between) && named.includes(tag);
}

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
