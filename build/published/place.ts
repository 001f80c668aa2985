// Where an API is published or built: at an address that starts with http:// or https://, or in a folder.
import { statSync } from "node:fs";
import { MachineError } from "../files/machine-error.ts";

export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place);

/** Whether the place is an address in a valid form, or an existing folder. */
export const isPlace = (place: string): boolean =>
  isAddress(place) ? URL.canParse(place) : statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** The URL of an address. Throws MachineError if it has no valid form. */
export function parseAddress(address: string): URL {
  if (isAddress(address) && URL.canParse(address)) return new URL(address);
  throw new MachineError(
    `${withoutPassword(address)} is not a valid address.`,
    "An address is written like https://api.example.com.",
  );
}

/** A text that may be an address without a valid form, from the end of the password on. Git has references like HEAD@{1}. */
export const withoutPassword = (text: string): string => text.replace(/^.*@(?!\{)/s, "…@");

/** Whether the address is on this machine. */
export const isHere = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** The publish root of some APIs, without a slash at its end. Its address may end with the base of one of them. */
export function publishRoot(place: string, bases: readonly string[]): string {
  if (!isAddress(place)) return place;
  const address = place.replace(/\/+$/, "");
  const lengths = bases.filter((base) => address.endsWith(base)).map(({ length }) => length);
  return address.slice(0, address.length - Math.max(0, ...lengths));
}

/** A folder unchanged, a valid address without its password. */
export function publicName(place: string): string {
  if (!isAddress(place)) return place;
  const { origin, pathname } = parseAddress(place);
  return origin + pathname.replace(/\/$/, "");
}
