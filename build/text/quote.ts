// Text from a file as a report shows it: shortened, with control characters escaped.

/** The longest text that is shown in full. */
export const maxShown = 60;

/** In quotes, with all characters escaped that a terminal would not print, or that look like a space at an end. */
export const quote = (text: string): string =>
  escaped(JSON.stringify(clipped(text, maxShown)).replace(blanksAtEnds, (blanks) => blanks.replace(/[^ ]/g, escapeOf)));

/** Spaces, other blanks, and letters without a shape. */
const blanksAtEnds = /(?<=^")[\p{Zs}\u2800\u3164\u115f\u1160\uffa0]+|[\p{Zs}\u2800\u3164\u115f\u1160\uffa0]+(?="$)/gu;

export const shown = (text: string, length = maxShown): string => escaped(clipped(text, length));

const clipped = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;

/** Replaces characters that a terminal would obey, or not print, by JSON's escapes. */
export const escaped = (text: string): string =>
  text.replace(/\P{M}\p{M}+/gu, withMarks).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeOf);

/** A letter with its marks escaped if it looks like a single character of Unicode's form NFC, which is another text. */
const withMarks = (letter: string): string =>
  letter.normalize("NFC").length < letter.length ? letter.replace(/\p{M}/gu, escapeOf) : letter;

const escapeOf = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** A value as its author wrote it, if it is written anywhere, with its type if the type may be unexpected. */
export function describe(value: unknown, written: string): string {
  if (value === null) return "empty (null)";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "an object";
  return `the ${typeof value} ${shown(isOf(written, value) ? written : String(value))}`;
}

/** Whether a text is that of a value. At the place of a value that the name of a file supplies, there is another one. */
const isOf = (written: string, value: unknown): boolean =>
  written !== "" &&
  (!Number.isFinite(value) || Number(written.replace(/^(["'])(.*)\1$/s, "$2").replace(",", ".")) === value);

/** The first line of an error's message, as a sentence. */
export function shownError(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return `${shown(line, 300).replace(/\.$/, "")}.`;
}

/** A value as JSON, on one line. Quotes a string only if it could be read as another kind of value. */
export function shownValue(value: unknown): string {
  const isPlain = typeof value === "string" && /^[^\s"'[{]/.test(value) && /\S$/.test(value);
  return shown(isPlain && !literal.test(value) ? value : (JSON.stringify(value) ?? ""));
}

/** The values of JSON besides strings, objects and lists. */
const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
