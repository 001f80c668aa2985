// Reads YAML with js-yaml, which takes a fraction of the time of `yaml`, but tells no places. What it reads otherwise, and
// whatever has a fault, is left to `yaml`.
import { FAILSAFE_SCHEMA, load, Type, YAMLException } from "js-yaml";
import { isScalar, type ScalarTag, Schema } from "yaml";
import { numberOf } from "../../values/number-of.ts";
import { hasContent, maxDepth } from "./format.ts";

/** The values of the documents of a text that have one; undefined if `yaml` must read it. */
export function quickValues(text: string): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const document of text.split(documentLine)) {
    if (!hasContent(document)) continue;
    const value = quickValue(document);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

/** No value of YAML goes on behind such a line. */
const documentLine = /(?<![^\n])--- *\r?(?![^\n])/;

/** The value of a document; undefined if `yaml` must read it. */
export function quickValue(text: string): unknown {
  if (doubtful.test(text)) return undefined;
  try {
    // It has no value for a text without any.
    return load(text, { schema, maxDepth, onWarning }) ?? undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** What js-yaml reads otherwise than `yaml`, or reads although it is a fault. */
const doubtful = new RegExp(
  [
    // Marks of documents, and directives.
    /^(?:---|\.\.\.|%)/u,
    // Anchors, aliases, tags and merge keys.
    /(?:^ *|[:?-] +|[[{,] *)(?:[&*][^ \r\n]|!)/u,
    /<</u,
    // Tabs, control characters and byte order marks.
    /[^\P{Cc}\n\r]|\r(?!\n)|\ufeff/u,
    // Keys that are numbers, booleans or null, and those after a question mark.
    /(?:^|[\s[{,])(?:~|[-+.]?\d[\w.+-]*|[-+]?\.(?:inf|nan)|null|true|false)\s*:(?=[\s,\]}]|$)/u,
    /(?:^|[\s[{,])\?(?=\s|$)/u,
    // Keys that are lists, objects or missing.
    /[\]}]\s*:(?=[\s,]|$)/u,
    /(?:^[ -]*|[[{,]\s*):(?=\s|$)/u,
    // Elements without a value in a list within another one.
    / -(?: +#.*| *)\r?$/u,
    // Texts in quotes that go on in the next line.
    /(?:^|[\s[{,])(?:"(?:[^"\\\n]|\\.)*\\?|'[^'\n]*)$/u,
    // A comment without a space before it.
    /[\]}"']#/u,
    // A block scalar that starts with a blank line, or whose header tells its indentation.
    /[|>][-+]?(?:\d[-+]?(?: +#.*| *)\r?$|(?: +#.*| *)\r?\n *\r?$)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "imu",
);

function onWarning(warning: YAMLException): never {
  throw warning;
}

/** The scalars of the core schema. */
const scalar = new Type("scalar", {
  kind: "scalar",
  resolve: (text) => typeof text === "string" && tagOf(text) !== undefined,
  construct: coreValue,
});

const schema = FAILSAFE_SCHEMA.extend({ implicit: [scalar] });

/** All texts that may be null, a boolean or a number, and a few others. */
const resolvable = /^(?:[-+.\d][-+.\w]*|~|[NTFntf][A-Za-z]{3,4})$/;

const { tags } = new Schema({ schema: "core" });

/** What `yaml` reads a scalar without quotes as, if it is not a text. */
function tagOf(text: string): ScalarTag | undefined {
  if (!resolvable.test(text)) return undefined;
  const tag = tags.find((candidate) => candidate.default === true && candidate.test?.test(text) === true);
  return tag?.collection === undefined ? tag : undefined;
}

function coreValue(text: string): unknown {
  const result = tagOf(text)?.resolve(text, () => undefined, {});
  const value: unknown = isScalar(result) ? result.value : result;
  return typeof value === "number" ? numberOf(text, value) : value;
}
