import { constants } from "node:buffer";
import { isObject } from "../../src/model/fields.ts";
import { endOfString } from "../text/json-string.ts";

/** The API nests fewer than ten levels; JSON.stringify and zod run out of stack at a few thousand. */
const maxLevels = 100;

/** A value takes at least 8 bytes of memory, a list or an object about eight times as much. */
const maxValues = 100_000_000;

/** Parses JSON of unknown origin. Undefined if the text is not JSON, nests too deeply or holds too many values. */
export function parseJson(text: string): unknown {
  if (!isModest(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Like `parseJson`. Undefined also if the bytes are more than a text can have. */
export const parseBytes = (bytes: Buffer): unknown =>
  bytes.length > constants.MAX_STRING_LENGTH ? undefined : parseJson(bytes.toString());

/** Counts before JSON.parse allocates. */
function isModest(text: string): boolean {
  let level = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 0x22) index = endOfString(text, index);
    else if (character === 0x2c) values++;
    else if (character === 0x5b || character === 0x7b) {
      values += 8;
      if (++level > maxLevels) return false;
    } else if (character === 0x5d || character === 0x7d) level--;
  }
  return values <= maxValues;
}

/** JSON in parts: the JSON of millions of items exceeds the longest text. */
export function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > elementsIn(value)) {
    for (let start = 0; start < value.length; start += elementsIn(value)) {
      const json = JSON.stringify(value.slice(start, start + elementsIn(value)));
      yield `${start === 0 ? "[" : ","}${json.slice(1, -1)}`;
    }
    yield "]";
  } else if (isObject(value)) {
    yield "{";
    yield* jsonMembers(value);
    yield "}";
  } else {
    yield JSON.stringify(value);
  }
}

/** The JSON of an object without its braces, in parts: `"name":1,"other":2`. */
export function* jsonMembers(object: object): Generator<string> {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(name)}:`;
    yield* jsonParts(value);
  }
}

/** How many elements of a list are a part. Objects may be long. */
const elementsIn = ([first]: readonly unknown[]): number => (typeof first === "object" ? 100 : 10_000);
