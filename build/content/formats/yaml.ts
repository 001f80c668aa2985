// YAML 1.2 with its core schema: NO is a string and so is an unquoted timestamp, while 3.10 and 1e3 are numbers.
import { Composer, CST, type Document, isScalar, Parser } from "yaml";
import { shown } from "../../text/quote.ts";
import {
  type ContentFormat,
  located,
  maxDepth,
  type Span,
  type TextProblem,
  tooDeep,
  unreadable,
  visitRoot,
} from "./format.ts";
import { lost, openDocument, readDocument, yamlOnly } from "./yaml-document.ts";
import { firstMistake, mistake } from "./yaml-mistakes.ts";

export const yaml: ContentFormat = {
  label: "YAML",
  contents: "its items into it; [] means none",
  read(text, visit) {
    const list = readInPieces(text);
    if (list !== undefined) return { shape: visitRoot(list, visit), problems: [], whole: true };
    const { documents, problems, mistake } = compose(text);
    const [first, second] = documents;
    if (mistake !== undefined) return unreadable(mistake);
    if (first === undefined) return unreadable(empty);
    if (second !== undefined) return unreadable(severalDocuments(text, second));
    const { root, problems: found, isBomb } = readDocument(first, text);
    if (isBomb) return unreadable(...found);
    let whole = true;
    const shape = visitRoot(root, (value, path) => {
      if (value === lost) whole = false;
      else visit(value, path);
    });
    return { shape, problems: [...problems, ...found], whole };
  },
  open(text) {
    const [document] = compose(text).documents;
    return document === undefined ? () => located({ start: 0, end: 0 }) : openDocument(document, text);
  },
};

const empty: TextProblem = {
  code: "empty-file",
  span: { start: 0, end: 0 },
  message: "The file is empty.",
  hint: `Remove it, or write ${yaml.contents}.`,
};

/**
 * The elements of a long list, composed some at a time. That takes two thirds of the time, and the memory of a few, where
 * the nodes of a whole file outlive the garbage collector's first rounds. Undefined if the text is not such a list, or
 * if there is anything to say about it: then the whole tells what.
 */
function readInPieces(text: string): readonly unknown[] | undefined {
  if (text.length < 2 * pieceLength || !/^(?:[ \t]*(?:#.*)?\r?\n)*- /.test(text)) return undefined;
  if (/^(?:---|\.\.\.|\ufeff)/m.test(text)) return undefined;
  const elements: unknown[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n- ", start + pieceLength) + 1 || text.length;
    const piece = text.slice(start, end);
    const { documents, problems, mistake } = compose(piece);
    const [document, second] = documents;
    if (document === undefined || second !== undefined || mistake !== undefined || problems.length > 0)
      return undefined;
    const read = readDocument(document, piece);
    if (!Array.isArray(read.root) || read.problems.length > 0 || read.targets.size > 0) return undefined;
    for (const element of read.root) elements.push(element);
    start = end;
  }
  return elements;
}

const pieceLength = 4_000;

interface Composed {
  /** The documents that are not empty; none if there is a mistake. */
  readonly documents: readonly Document.Parsed[];
  /** Faults that leave the documents readable. */
  readonly problems: readonly TextProblem[];
  readonly mistake?: TextProblem;
}

const options = {
  version: "1.2",
  // Only the tags of JSON's types are resolved.
  resolveKnownTags: false,
  // The library compares each key with all others; readDocument finds repeated keys faster.
  uniqueKeys: false,
} as const;

function compose(text: string): Composed {
  const unusual = markIn(text) ?? foreignVersion(text);
  if (unusual !== undefined) return { documents: [], problems: [], mistake: unusual };
  const tokens = [...new Parser().parse(text)];
  // The composer is recursive, and their parser is not.
  const deep = tokens.flatMap((token) => (token.type === "document" ? (tooDeepAt(token) ?? []) : []));
  if (deep[0] !== undefined) return { documents: [], problems: [], mistake: tooDeep(deep[0]) };
  const all = [...new Composer(options).compose(tokens)];
  const errors = all.flatMap((document) => [...document.errors, ...document.warnings]);
  const first = firstMistake(
    text,
    errors.filter(({ code }) => code !== "TAG_RESOLVE_FAILED"),
    tokens,
  );
  if (first !== undefined) return { documents: [], problems: [], mistake: first };
  const problems = errors.map(({ pos: [start, end] }) =>
    yamlOnly({ start, end }, `tags such as ${text.slice(start, end)}`, "Leave the tag out."),
  );
  return { documents: all.filter((document) => !isEmpty(document)), problems };
}

/**
 * A byte order mark inside the text. The library skips it at the start of some lines. The file's mark is not part of
 * the text.
 */
function markIn(text: string): TextProblem | undefined {
  const start = text.includes("\ufeff") ? text.search(/^\ufeff/m) : -1;
  const detail = "a byte order mark is allowed only at the start of the file";
  return start === -1 ? undefined : mistake({ start, end: start + 1 }, detail, "Remove the invisible character.");
}

/** A directive that asks for another version. */
function foreignVersion(text: string): TextProblem | undefined {
  const [whole, version = ""] = /^%YAML[ \t]+(?!1\.2(?:\s|$))(\S+).*$/m.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const start = text.indexOf(whole);
  return {
    code: "yaml-version",
    span: { start, end: start + whole.length },
    message: `The file asks for YAML ${shown(version)}, but content is YAML 1.2, in which NO and times are text.`,
    hint: "Remove the %YAML line.",
  };
}

/** The offset at which the text nests too deeply. */
function tooDeepAt({ value }: CST.Document): number | undefined {
  let level = [value].filter(CST.isCollection);
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    level = level.flatMap(({ items }) => items.flatMap((item) => [item.key, item.value].filter(CST.isCollection)));
  }
  return level[0]?.offset;
}

/** A document without a value, as after a last `---`. */
const isEmpty = ({ contents }: Document.Parsed): boolean =>
  contents === null || (isScalar(contents) && contents.value === null && contents.range?.[0] === contents.range?.[1]);

function severalDocuments(text: string, { range: [start] }: Document.Parsed): TextProblem {
  const span: Span = { start, end: start + (text.startsWith("---", start) ? 3 : 1) };
  return {
    code: "several-documents",
    span,
    message: "A second YAML document starts here, but a file holds one.",
    hint: "Write the items as one list, or in a file each.",
  };
}
