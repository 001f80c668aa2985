// YAML 1.2 with its core schema: NO is a string and so is an unquoted timestamp, while 3.10 and 1e3 are numbers.

import { Composer, CST, type Document, isScalar, Parser } from "yaml";
import type { Draft, Span } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { once } from "../../values/once.ts";
import { type ContentFormat, emptyText, maxDepth, rootValues, tooDeep, unreadable } from "./format.ts";
import type { ContentSource, Value } from "./value.ts";
import { openDocument, readDocument, yamlOnly } from "./yaml-document.ts";
import { firstMistake } from "./yaml-mistake.ts";
import { quickValues } from "./yaml-quick.ts";

export const yaml = {
  contents: () => "its items into it; [] means none",
  read(text, source, report) {
    // Undefined if the text is faulty or doubtful: it is read again, with the places of its values.
    const quick = quickValues(text);
    if (quick !== undefined) return valuesOf(quick, source);
    const whole = readWhole(text);
    if ("code" in whole) {
      report(whole);
      return [unreadable(source)];
    }
    whole.problems.forEach(report);
    return valuesOf(whole.roots, source);
  },
  open(text) {
    const documents = compose(text, tokensIn(text));
    if ("code" in documents) return () => ({ start: 0, end: 0 });
    const finds = documents.map((document) => once(() => openDocument(document, text)));
    if (finds.length === 1 && finds[0] !== undefined) return finds[0]();
    return ([index, ...path], part) => finds[Number(index)]?.()(path, part) ?? { start: 0, end: 0 };
  },
} satisfies ContentFormat;

/** `roots`: the value of each document. */
function valuesOf(roots: readonly unknown[], source: ContentSource): Iterable<Value> {
  if (roots.length === 1) return rootValues(roots[0], source);
  const ofDocuments: ContentSource = { ...source, hasDocuments: true };
  return roots.flatMap((root, index) => [...rootValues(root, ofDocuments, [index])]);
}

interface ReadText {
  /** The value of each document, as `readDocument` returns it. */
  readonly roots: readonly unknown[];
  readonly problems: readonly Draft<Span>[];
}

/** Reads any text, with all of its faults. */
function readWhole(text: string): ReadText | Draft<Span> {
  const foreign = foreignVersion(text);
  if (foreign !== undefined) return foreign;
  const tokens = tokensIn(text);
  // The composer is recursive, and the parser is not.
  const deep = tokens.map(tooDeepAt).find((offset) => offset !== undefined);
  if (deep !== undefined) return tooDeep(deep);
  const documents = compose(text, tokens);
  if ("code" in documents) return documents;
  const roots: unknown[] = [];
  const problems: Draft<Span>[] = [];
  let size = 0;
  for (const document of documents) {
    const read = readDocument(document, text, size);
    if ("code" in read) return read;
    const tags = document.warnings.concat(document.errors).filter(({ code }) => code === "TAG_RESOLVE_FAILED");
    for (const {
      pos: [start, end],
    } of tags)
      problems.push(yamlOnly({ start, end }, `tags such as ${text.slice(start, end)}`));
    problems.push(...read.problems);
    roots.push(read.root);
    size = read.size;
  }
  return { roots, problems };
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

/** The documents of a text that have a value, or the reason that there is none. */
function compose(text: string, tokens: readonly CST.Token[]): readonly Document.Parsed[] | Draft<Span> {
  const all = [...new Composer(options).compose(tokens)];
  const errors = all.flatMap((document) => [...document.errors, ...document.warnings]);
  const first = firstMistake(
    text,
    errors.filter(({ code }) => code !== "TAG_RESOLVE_FAILED" && code !== "NON_STRING_KEY"),
  );
  if (first !== undefined) return first;
  const documents = all.filter((document) => !isEmpty(document));
  return documents.length > 0 ? documents : emptyText(yaml.contents());
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
