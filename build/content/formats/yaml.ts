// YAML 1.2 with its core schema: NO is a string and so is an unquoted timestamp, while 3.10 and 1e3 are numbers.
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type YAMLError } from "yaml";
import type { Path } from "../source.ts";
import { type Format, type Span, type TextProblem, unreadable, valuesOf } from "./format.ts";

/**
 * How many values the aliases of a file may stand for. Far more than a person writes and a machine's memory notices;
 * a "billion laughs" file passes it within a few thousand steps.
 */
const maxAliases = 10_000;

export const yaml: Format = {
  label: "YAML",
  read(text) {
    let documents: readonly Document.Parsed[];
    try {
      documents = parse(text);
    } catch (error) {
      // The parser is recursive: running out of stack is how it says that a file nests too deep.
      if (error instanceof RangeError) return unreadable(problem("too-deep", 0, 0));
      throw error;
    }
    const [document, second] = documents;
    if (document === undefined) return unreadable(problem("empty-file", 0, 0));
    const problems = documents.flatMap((each) => [...each.errors, ...each.warnings].map(problemOf));
    if (second !== undefined) problems.push(problem("several-documents", second.range[0], second.range[0] + 3));
    if (document.directives.yaml.explicit === true && document.directives.yaml.version !== "1.2") {
      problems.push(
        problem("yaml-version", text.indexOf("%YAML"), text.indexOf("%YAML") + 5, document.directives.yaml.version),
      );
    }
    if (problems.some(({ code }) => code !== "duplicate-key")) return { values: [], problems, whole: false };
    if (document.contents === null) return unreadable(problem("empty-file", 0, 0));
    const root = expand(document);
    if (root === bomb) return unreadable(problem("too-many-aliases", 0, 0));
    return { values: valuesOf(root), problems, whole: true };
  },
  open(text) {
    const [document] = parse(text);
    return (path, part) => spanAt(document, path, part);
  },
};

const parse = (text: string): readonly Document.Parsed[] => {
  const documents = parseAllDocuments(text, { version: "1.2", prettyErrors: false });
  return Array.isArray(documents) ? documents : [];
};

const problem = (code: TextProblem["code"], start: number, end: number, detail = ""): TextProblem => ({
  code,
  span: { start, end },
  detail,
});

function problemOf({ code, message, pos: [start, end] }: YAMLError): TextProblem {
  if (code === "DUPLICATE_KEY") return problem("duplicate-key", start, end);
  const [line = ""] = message.split("\n");
  return problem("syntax", start, end, line.charAt(0).toLowerCase() + line.slice(1).replace(/[.:]$/, ""));
}

const bomb = Symbol("aliases without end");

function expand(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    if (error instanceof ReferenceError && error.message.startsWith("Excessive alias count")) return bomb;
    throw error;
  }
}

function spanAt(document: Document.Parsed | undefined, path: Path, part: "key" | "value"): Span {
  let value: Node | null | undefined = document?.contents;
  let last: Span = { start: 0, end: 0 };
  let key: Node | undefined;
  for (const step of [undefined, ...path]) {
    if (step !== undefined) {
      const next = childAt(resolved(document, value), step);
      if (next === undefined) break;
      ({ key, value } = next);
    }
    const range = value?.range ?? key?.range;
    if (range) last = { start: range[0], end: range[1] };
  }
  return part === "key" && key?.range ? { start: key.range[0], end: key.range[1] } : last;
}

const resolved = (document: Document.Parsed | undefined, node: Node | null | undefined): Node | null | undefined =>
  isAlias(node) && document ? node.resolve(document) : node;

function childAt(
  node: Node | null | undefined,
  step: string | number,
): { key: Node | undefined; value: Node | null } | undefined {
  if (isSeq<Node>(node)) {
    const value = node.items[Number(step)];
    return value && { key: undefined, value };
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  const pair = node.items.findLast((each) => isScalar(each.key) && String(each.key.value) === step);
  return pair && { key: pair.key, value: pair.value };
}
