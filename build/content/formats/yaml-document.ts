// The values of a YAML document and their places. An alias is a copy of the value of its anchor.
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import { shown } from "../../text/quote.ts";
import { copyOf, setField } from "../data.ts";
import type { Path } from "../source.ts";
import { exactNumber } from "./exact.ts";
import { type Child, type Find, pathFinder, type Span, type TextProblem } from "./format.ts";
import { repeatedKey } from "./json.ts";
import { yamlMistake } from "./yaml-mistakes.ts";

/** The limit of values that aliases expand to, beyond those written in the file: far more than a person writes. */
const maxExpansion = 1_000_000;

type Anchored = Exclude<ParsedNode, Alias>;

interface AnchoredValue {
  readonly node: Anchored;
  /** Undefined while it is being read; with the number of values in it. */
  readonly read?: { readonly value: unknown; readonly size: number };
}

export interface ReadDocument {
  /** The value, or the elements of the list; `lost` if a part of it is unreadable. */
  readonly root: unknown;
  readonly problems: readonly TextProblem[];
  /** The target of each alias that has one. */
  readonly targets: ReadonlyMap<Alias, Anchored>;
}

/** In the place of a value that is partly unreadable. */
export const lost = Symbol("lost");

/** Returns a problem if aliases expand to too many values. */
export function readDocument({ contents }: Document.Parsed, text: string): ReadDocument | TextProblem {
  const problems: TextProblem[] = [];
  const anchors = new Map<string, AnchoredValue>();
  const targets = new Map<Alias, Anchored>();
  let [size, isLost, isShared] = [0, false, false];
  let bomb: TextProblem | undefined;

  const refuse = (problem: TextProblem): undefined => {
    isLost = true;
    problems.push(problem);
  };

  const read = (node: ParsedNode | null): unknown => {
    size++;
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node);
    if (node.anchor === undefined) return readOwn(node);
    const before = size;
    anchors.set(node.anchor, { node });
    const value = readOwn(node);
    anchors.set(node.anchor, { node, read: { value, size: size - before } });
    return value;
  };

  const readOwn = (node: Anchored): unknown => {
    if (isScalar(node)) return typeof node.value === "number" ? exactNumber(node.source, node.value) : node.value;
    return isSeq(node) ? node.items.map(read) : readMap(node);
  };

  const readAlias = (alias: Alias.Parsed): unknown => {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined) {
      const hint = "Put a text that starts with * in quotes.";
      return refuse(yamlMistake(spanOf(alias), `there is no anchor &${alias.source} before this alias`, hint));
    }
    if (anchored.read === undefined)
      return refuse(yamlOnly(spanOf(alias), "values that hold themselves", "Write it out."));
    isShared = true;
    targets.set(alias, anchored.node);
    size += anchored.read.size;
    if (size > text.length + maxExpansion) bomb ??= tooManyAliases(spanOf(alias));
    return anchored.read.value;
  };

  const readMap = (map: YAMLMap.Parsed): Readonly<Record<string, unknown>> => {
    const object: Record<string, unknown> = {};
    let hasRepeats = false;
    for (const { key, value } of map.items) {
      const name = nameOf(key);
      if (isAlias(key)) refuse(yamlOnly(spanOf(key), "aliases as keys", "Write the key out."));
      else if (name === undefined) refuse(yamlOnly(spanOf(key), "keys that are not text", "Write a word."));
      else if (isMerge(key)) refuse(yamlOnly(spanOf(key), "merge keys (<<)", "Write the fields out."));
      else {
        // A key may have an anchor.
        read(key);
        hasRepeats ||= Object.hasOwn(object, name);
        setField(object, name, read(value));
      }
    }
    for (const problem of hasRepeats ? repeatsIn(map, text) : []) {
      problems.push(problem);
      isLost ||= problem.code === "missing-hyphen";
    }
    return object;
  };

  const readElement = (node: ParsedNode | null): unknown => {
    [isLost, isShared] = [false, false];
    const value = read(node);
    if (isLost || bomb !== undefined) return lost;
    // Nothing that is done to one item may change another one.
    return isShared ? copyOf(value) : value;
  };

  const root = isSeq(contents) ? contents.items.map(readElement) : readElement(contents);
  return bomb ?? { root, problems, targets };
}

/** A map may also be several items of which only the first has a hyphen: then its first key and others are repeated. */
function repeatsIn({ items }: YAMLMap.Parsed, text: string): readonly TextProblem[] {
  const names = new Set<string | undefined>();
  const repeats = items.filter(({ key }) => names.size === names.add(nameOf(key)).size);
  const [first] = names;
  const starts = repeats.filter(({ key }) => nameOf(key) === first).map(({ key }) => spanOf(key));
  if (starts.length === 0 || starts.length === repeats.length)
    return repeats.map(({ key }) => repeatedKey(text, spanOf(key)));
  return starts.map((span) => ({
    code: "missing-hyphen",
    span,
    message: `Another item starts here, with the key ${shown(text.slice(span.start, span.end))}, but no hyphen sets it apart from the one before.`,
    hint: 'Put "- " before the first key of each item, and indent its other keys by two spaces.',
  }));
}

/** Undefined for a list, an object or an alias. */
const nameOf = (key: ParsedNode): string | undefined =>
  isScalar(key) && typeof key.value === "string" ? key.value : undefined;

const isMerge = (key: ParsedNode): boolean => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

const spanOf = ({ range: [start, end] }: ParsedNode): Span => ({ start, end });

export const yamlOnly = (span: Span, what: string, hint: string): TextProblem => ({
  code: "yaml-only",
  span,
  message: `Content holds only what JSON can, and JSON has no ${shown(what)}.`,
  hint,
});

const tooManyAliases = (span: Span): TextProblem => ({
  code: "too-many-aliases",
  span,
  message: "The aliases of this file expand to far more than is written in it.",
  hint: "Write the values out.",
});

/** The place of an aliased value is the alias, its origin the anchored text. */
export function openDocument(document: Document.Parsed, text: string): Find {
  const { contents } = document;
  const read = readDocument(document, text);
  const resolved = (node: ParsedNode): ParsedNode =>
    isAlias(node) && "targets" in read ? (read.targets.get(node) ?? node) : node;
  const find = pathFinder((node: ParsedNode) => childrenOf(resolved(node)));
  return (path, part) => {
    if (contents === null) return { start: 0, end: 0 };
    const way = find(contents, path);
    const { key, value } = way.at(-1) ?? { value: contents };
    if (part === "value") return { ...spanOf(value), origin: spanOf(resolved(value)) };
    const use = way.find((each) => isAlias(each.value))?.value;
    return spanOf((part === "key" ? key : use) ?? value);
  };
}

function childrenOf(node: ParsedNode): readonly (readonly [Path[number], Child<ParsedNode>])[] {
  if (isSeq(node)) return node.items.map((value, index) => [index, { value }]);
  if (!isMap(node)) return [];
  // A value that is left out is where its key is.
  return node.items.map(({ key, value }) => [nameOf(key) ?? "", { key, value: value ?? key }]);
}
