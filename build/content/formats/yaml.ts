// YAML 1.2 with its core schema: NO is a string and so is an unquoted timestamp, while 3.10 and 1e3 are numbers.

import { Composer, CST, type Document, isScalar, Parser } from "yaml";
import type { Draft, Span } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { type ContentFormat, emptyText, maxDepth, rootValues, tooDeep, unreadable } from "./format.ts";
import { openDocument, type ReadDocument, readDocument, yamlOnly } from "./yaml-document.ts";
import { firstMistake } from "./yaml-mistake.ts";
import { quickValue } from "./yaml-quick.ts";

export const yaml = {
  contents: () => "its items into it; [] means none",
  read(text, source, report) {
    // Undefined if the text is faulty or doubtful: it is read again, with the places of its values.
    const quick = quickValue(text);
    if (quick !== undefined) return rootValues(quick, source);
    const read = readWhole(text);
    if ("code" in read) {
      report(read);
      return [unreadable(source)];
    }
    read.problems.forEach(report);
    return rootValues(read.root, source);
  },
  open(text) {
    const document = compose(text, tokensIn(text));
    return "code" in document ? () => ({ start: 0, end: 0 }) : openDocument(document, text);
  },
} satisfies ContentFormat;

/** Reads any text, with all of its faults. */
function readWhole(text: string): ReadDocument | Draft<Span> {
  const foreign = foreignVersion(text);
  if (foreign !== undefined) return foreign;
  const tokens = tokensIn(text);
  // The composer is recursive, and the parser is not.
  const deep = tokens.map(tooDeepAt).find((offset) => offset !== undefined);
  if (deep !== undefined) return tooDeep(deep);
  const document = compose(text, tokens);
  if ("code" in document) return document;
  const read = readDocument(document, text);
  if ("code" in read) return read;
  const tags = document.warnings.concat(document.errors).filter(({ code }) => code === "TAG_RESOLVE_FAILED");
  const problems = tags.map(({ pos: [start, end] }) =>
    yamlOnly({ start, end }, `tags such as ${text.slice(start, end)}`),
  );
  return { ...read, problems: [...problems, ...read.problems] };
}

const tokensIn = (text: string): readonly CST.Token[] => [...new Parser().parse(text)];

const options = {
  version: "1.2",
  // Only the tags of JSON's types are resolved.
  resolveKnownTags: false,
  // Keys are strings as they are written: 3.10 is not 3.1.
  stringKeys: true,
  // The library compares each key with all others; readDocument finds repeated keys faster.
  uniqueKeys: false,
} as const;

/** The only document of a text, or the reason that there is none. */
function compose(text: string, tokens: readonly CST.Token[]): Document.Parsed | Draft<Span> {
  const all = [...new Composer(options).compose(tokens)];
  const errors = all.flatMap((document) => [...document.errors, ...document.warnings]);
  const first = firstMistake(
    text,
    errors.filter(({ code }) => code !== "TAG_RESOLVE_FAILED" && code !== "NON_STRING_KEY"),
  );
  if (first !== undefined) return first;
  const [document, second] = all.filter((candidate) => !isEmpty(candidate));
  if (document === undefined) return emptyText(yaml.contents());
  return second === undefined ? document : severalDocuments(text, second);
}

/** The fault of a directive for another version. */
function foreignVersion(text: string): Draft<Span> | undefined {
  const directive = /^%YAML[ \t]+(?!1\.2(?:\s|$))(\S+).*$/m.exec(text);
  if (directive === null) return undefined;
  return {
    code: "yaml-only",
    at: { start: directive.index, end: directive.index + directive[0].length },
    text: `The file asks for YAML ${shown(directive[1] ?? "")}, but content is YAML 1.2, in which NO and times are text.`,
    hint: "Remove the %YAML line.",
  };
}

/** The offset at which a document nests too deeply. */
function tooDeepAt(token: CST.Token): number | undefined {
  let level = token.type === "document" ? [token.value].filter(CST.isCollection) : [];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++)
    level = level.flatMap(({ items }) => items.flatMap((item) => [item.key, item.value].filter(CST.isCollection)));
  return level[0]?.offset;
}

/** A document without a value, as after a last `---`. */
const isEmpty = ({ contents }: Document.Parsed): boolean =>
  contents === null || (isScalar(contents) && contents.value === null && contents.range?.[0] === contents.range?.[1]);

const severalDocuments = (text: string, { range: [start] }: Document.Parsed): Draft<Span> => ({
  code: "yaml-only",
  at: { start, end: start + (text.startsWith("---", start) ? 3 : 1) },
  text: "A second YAML document starts here, but a file can only have one.",
  hint: "Write the items as one list, or in a file each.",
});
