// The previous build as a user names it: a folder or the address of a published API.
import { statSync } from "node:fs";
import { MachineError } from "../machine-error.ts";

export const isAddress = (from: string): boolean => /^https?:\/\//i.test(from);

/** A folder unchanged, an address without its password. */
export function publicName(from: string): string {
  if (!isAddress(from)) return from;
  const { origin, pathname } = new URL(from);
  return origin + pathname.replace(/\/$/, "");
}

/** Throws MachineError if the text is neither an existing folder nor an address. */
export function refuseUnknown(from: string): void {
  const isKnown = isAddress(from)
    ? URL.canParse(from)
    : statSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isKnown) return;
  // It may hold a password.
  const named = from.replace(/^.*@/s, "…@");
  throw new MachineError(
    `The previous build, ${named}, is neither a folder nor an address.`,
    "An address starts with http:// or https://.",
  );
}
