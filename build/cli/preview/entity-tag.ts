// Entity tags and the precondition that names them (RFC 9110, sections 8.8.3 and 13.1.2).
import { createHash } from "node:crypto";

/** A strong tag: the same bytes have the same one, whichever build wrote them. */
export const tagOf = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;

/** Whether `If-None-Match` names the tag: the field is `*` or a list of tags, and a weak tag counts like a strong one. */
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
