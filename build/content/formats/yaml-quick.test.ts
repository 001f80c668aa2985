import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import { yaml } from "./yaml.ts";
import { quickValue } from "./yaml-quick.ts";

/** Odd values are so rare that many documents have none. */
const mostly = <T>(usual: fc.Arbitrary<T>, ...odd: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 80, arbitrary: usual }, ...odd);

/** The scalars of a text, which at least two spaces separate. */
const scalarsIn = (all: string) => fc.constantFrom(...all.trim().split(/\s{2,}/));

const scalar = mostly(
  scalarsIn(String.raw`
      text  two words  a:b  a#b  http://a.b/c?d=1#e  it's  Ünï 😀  -5  a, b  x]  a\b  1  -1  +1  0x1F  0o17  0123  1e3
      3.10  .5  5.  -.5  .inf  -.Inf  .nan  .  +  ~  null  Null  NULL  nULL  True  TRUE  true  tRue  false  FALSE  NO  on
      None  2026-01-01  2026-01-01T00:00:00Z  12:30  9007199254740993  1_000  1.2.3  0.1e-7  <<  =  "q"  "q\n\""  's'
      'it''s'  'a\n'  ""  ''  "a: b # c"  '# x'  []  [a, b]  [1, 2.50]  [ a b , c-d ]  [a,b]  [true]  [ ]`),
  scalarsIn(String.raw`
    -x  - a  --- a  ...  a: b  a:  : a  ? a  |  >  # c  x # c  &a x  *a  !!str 1  @a  %a  "\u0061"  "\x41"  "open  'open
    'a'b  [a, [b]]  [a,]  [,]  [a: 1]  [a  {}  {a: 1}  [a]b  [a, -1]`),
  fc.string({
    unit: fc.constantFrom("a", "1", " ", "-", ".", ":", "#", "'", '"', "\\", ",", "e", "\u00a0", "\u2028"),
    maxLength: 5,
  }),
);

const word = fc.constantFrom("a", "b", "c", "id", "a-b", "a_1", "true", "null", "n", "X9");

/** A part of a document: lines without the indentation of their owner. The first may follow `- ` or a key. */
type Block = readonly string[];

const deeper = (lines: Block, by: number): Block => lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));

const blockText = fc
  .record({
    header: mostly(fc.constantFrom("|", "|-", ">", ">-"), fc.constantFrom("|+", ">+", "|2", "| # c")),
    first: mostly(fc.constantFrom("text", "a: b"), fc.constantFrom("", "  ")),
    lines: fc.array(
      mostly(fc.constantFrom("text", "a: b", "- x", "# no comment"), fc.constantFrom("", " deeper", "  ", "end ")),
      { maxLength: 3 },
    ),
    by: mostly(fc.integer({ min: 1, max: 3 }), fc.constant(0)),
  })
  .map(({ header, first, lines, by }) => [header, ...deeper([first, ...lines], by)]);

const single = scalar.map((line): Block => [line]);

const { block } = fc.letrec<Record<"block" | "list" | "object" | "below", Block>>((tie) => ({
  block: fc.oneof({ depthSize: "small" }, tie("list"), tie("object")),
  list: fc
    .array(
      fc.record({
        value: fc.oneof(
          { depthSize: "small" },
          { weight: 4, arbitrary: single },
          { weight: 1, arbitrary: blockText },
          { weight: 2, arbitrary: tie("block") },
        ),
        gap: fc.constantFrom(1, 1, 1, 2, 3),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((elements) =>
      elements.flatMap(({ value: [first = "", ...rest], gap }) => [
        `-${" ".repeat(gap)}${first}`,
        ...deeper(rest, gap + 1),
      ]),
    ),
  object: fc
    .uniqueArray(
      fc.record({
        name: word,
        value: fc.oneof(
          { depthSize: "small" },
          { weight: 4, arbitrary: single },
          { weight: 1, arbitrary: blockText },
          { weight: 2, arbitrary: tie("below") },
        ),
      }),
      { minLength: 1, maxLength: 4, selector: ({ name }) => name },
    )
    .map((fields) => fields.flatMap(({ name, value: [first = "", ...rest] }) => [`${name}: ${first}`, ...rest])),
  below: fc
    .tuple(mostly(fc.integer({ min: 1, max: 4 }), fc.constant(0)), tie("block"))
    .map(([by, lines]) => ["", ...deeper(lines, by)]),
}));

/** The end of a line, and blank lines and comments after it. */
const lineEnd = mostly(
  mostly(fc.constant("\n"), fc.constantFrom("\r\n", " \n", "\n\n", "\n# c\n", "\n  # c\n", "\n   \n")),
  fc.constantFrom(" # d\n", "\t\n", "", "\r"),
);

/** A change of one place: characters that go, and one that comes. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.constantFrom(0, 0, 1, 2),
  added: fc.constantFrom("", " ", "  ", "\n", "- ", ":", ": ", "#", " #", "'", '"', "|", ">", "[", "]", "{", "&", "*", "!", "%", "@", ",", "? ", "\t", "\r", "~", "a", "1", ".", "é", "\ufeff", "\u00a0", "\u2028", "\u0085", "\0", "\x01", "\x7f", "---\n", "...\n"), // biome-ignore format: a list of characters
});

const changed = (text: string, { at, removed, added }: { at: number; removed: number; added: string }): string => {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + added + text.slice(start + removed);
};

const text = fc
  .tuple(block, fc.infiniteStream(lineEnd), fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 2 })))
  .map(([lines, ends, changes]) => changes.reduce(changed, lines.map((line) => line + ends.next().value).join("")));

it("reads random documents as `yaml` reads them, and none that it refuses", () => {
  let count = 0;
  fc.assert(
    fc.property(text, (document) => {
      const quick = quickValue(document);
      if (quick === undefined) return;
      count++;
      const documents = parseAllDocuments(document, { version: "1.2", stringKeys: true });
      expect(documents.map(({ errors, warnings }) => [...errors, ...warnings])).toEqual([[]]);
      // A document's mark is one of the forms that only `yaml` reads.
      const composed = readText(yaml, `--- # composed\n${document}`);
      expect(composed).toMatchObject({ problems: [], whole: true });
      expect(composed.values.map(({ value }) => value)).toStrictEqual(Array.isArray(quick) ? quick : [quick]);
    }),
    { numRuns: 2_500 * rounds },
  );
  expect(count).toBeGreaterThan(600 * rounds);
});

it.each([
  ["comments", "# one\na: 1 # two\n", { a: 1 }],
  ["keys with spaces and letters of any language", "full name: a\ngröße: 1\n", { "full name": "a", größe: 1 }],
  ["block scalars of several paragraphs", "a: >\n  b\n  c\n\n  d\n", { a: "b c\nd\n" }],
  ["objects and lists in brackets", '- {a: b, "c": [1, {d: e}]}\n', [{ a: "b", c: [1, { d: "e" }] }]],
  ["texts of several lines", "a: b\n  c\n", { a: "b c" }],
  ["escapes", String.raw`a: "\u00e4\x41"`, { a: "äA" }],
  [
    "numbers, booleans and null",
    "[1, -2.50, 0x1F, 1e3, true, ~, NO, 1.2.3]",
    [1, -2.5, 31, 1000, true, null, "NO", "1.2.3"],
  ],
  ["Windows line ends", "a: b\r\nc: |\r\n  d\r\n", { a: "b", c: "d\n" }],
  ["ampersands, stars and exclamation marks in a text", "a: b & c * d! e", { a: "b & c * d! e" }],
])("reads %s", (_, document, value) => {
  expect(quickValue(document)).toEqual(value);
});

it.each([
  ["a document's mark", "---\n- a\n"],
  ["the end of a document", "- a\n...\n"],
  ["a directive", "%YAML 1.2\n---\na: 1\n"],
  ["an anchor", "- &a b\n"],
  ["an alias", "a: *b\n"],
  ["a tag", "a: !!str 1\n"],
  ["a tag without a name", "a: ! 1\n"],
  ["a merge key", "<<: {a: 1}\n"],
  ["a tab", "a: b\tc\n"],
  ["a control character", 'a: "\x01"\n'],
  ["a byte order mark", "a: \ufeff\n"],
  ["a key that is a number", "3.10: a\n"],
  ["a key that is null", "{ ~ : a }\n"],
  ["a key after a question mark", "? a\n: b\n"],
  ["a key that is a list", "[a]: b\n"],
  ["a key that is missing", "[: a]\n"],
  ["a key that is repeated", "a: 1\na: 2\n"],
  ["an inner element without a value", "- - a\n  -\n- b\n"],
  ["a comment behind a bracket", "a: []# b\n"],
  ["a text in quotes of several lines", 'a: "b\n  c"\n'],
  ["a block scalar that starts with a blank line", "a: >\n   \n  b\n"],
  ["a block scalar whose header tells its indentation", "a: |1\n  b\n"],
  ["a bracket that is not indented", "a: [b\n]\n"],
  ["more than 64 levels", "- ".repeat(65)],
  ["a text without a value", " # a\n"],
])("leaves %s to `yaml`", (_, document) => {
  expect(quickValue(document)).toBeUndefined();
});

it.each(['a: "', "- [", "{a: ", "\n", "- ", " -", "? ", "a: |\n", "'", "\\"])(
  "decides soon about very many repetitions of %j",
  (part) => {
    expect(() => quickValue(part.repeat(100_000))).not.toThrow();
  },
);
