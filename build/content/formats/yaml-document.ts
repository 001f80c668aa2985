// The values of a YAML document and their places. Keys become strings, and an alias a copy of the value of its anchor.
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import { shown } from "../../text/quote.ts";
import { copyOf } from "../data.ts";
import type { Path } from "../source.ts";
import { exactNumber } from "./exact.ts";
import { type Find, located, type Part, type Span, type TextProblem } from "./format.ts";
import { repeatedKey } from "./json.ts";
import { mistake } from "./yaml-mistakes.ts";

/** The limit of values that aliases expand to, beyond those written in the file: far more than a person writes. */
const maxExpansion = 1_000_000;

type Anchored = Exclude<ParsedNode, Alias>;

interface AnchoredValue {
  readonly node: Anchored;
  /** Whether it is being read. */
  readonly isOpen: boolean;
  readonly value: unknown;
  /** The number of values in it. */
  readonly size: number;
}

export interface ReadDocument {
  /** The value, or the elements of the list; `lost` if a part of it is unreadable. */
  readonly root: unknown;
  readonly problems: readonly TextProblem[];
  /** Whether aliases expand to too many values. */
  readonly isBomb: boolean;
  /** The target of each alias that has one. */
  readonly targets: ReadonlyMap<Alias, Anchored>;
}

/** In the place of a value that is partly unreadable. */
export const lost = Symbol("lost");

export function readDocument({ contents }: Document.Parsed, text: string): ReadDocument {
  const problems: TextProblem[] = [];
  const anchors = new Map<string, AnchoredValue>();
  const targets = new Map<Alias, Anchored>();
  let [size, isLost, isShared, isBomb] = [0, false, false, false];

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
    anchors.set(node.anchor, { node, isOpen: true, value: undefined, size: 0 });
    const value = readOwn(node);
    anchors.set(node.anchor, { node, isOpen: false, value, size: size - before });
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
      return refuse(mistake(spanOf(alias), `there is no anchor &${alias.source} before this alias`, hint));
    }
    if (anchored.isOpen) return refuse(yamlOnly(spanOf(alias), "values that hold themselves", "Write it out."));
    isShared = true;
    targets.set(alias, anchored.node);
    size += anchored.size;
    if (!isBomb && size > text.length + maxExpansion) {
      isBomb = true;
      problems.push(bomb(spanOf(alias)));
    }
    return anchored.value;
  };

  const readMap = (map: YAMLMap.Parsed): Readonly<Record<string, unknown>> => {
    const object: Record<string, unknown> = {};
    let hasRepeats = false;
    for (const { key, value } of map.items) {
      read(key);
      const name = nameOf(key, targets);
      if (name === undefined) {
        // An alias without a target is refused already.
        if (!isAlias(key) || targets.has(key))
          refuse(yamlOnly(spanOf(key), "keys that are lists or objects", "Write a word."));
      } else if (isMerge(key)) refuse(yamlOnly(spanOf(key), "merge keys (<<)", "Write the fields out."));
      else {
        hasRepeats ||= Object.hasOwn(object, name);
        const each = read(value);
        if (name === "__proto__") Object.defineProperty(object, name, { value: each, ...ordinary });
        else object[name] = each;
      }
    }
    if (hasRepeats) for (const problem of repeatsIn(map, targets, text)) problems.push(problem);
    isLost ||= hasRepeats && problems.at(-1)?.code === "missing-hyphen";
    return object;
  };

  const readElement = (node: ParsedNode | null): unknown => {
    [isLost, isShared] = [false, false];
    const value = read(node);
    if (isLost || isBomb) return lost;
    // Nothing that is done to one item may change another one.
    return isShared ? copyOf(value) : value;
  };

  const root = isSeq(contents) ? contents.items.map(readElement) : readElement(contents);
  return { root, problems, isBomb, targets };
}

const ordinary = { writable: true, enumerable: true, configurable: true };

/** A map may also be several items of which only the first has a hyphen: then its first key and others are repeated. */
function repeatsIn({ items }: YAMLMap.Parsed, targets: ReadDocument["targets"], text: string): readonly TextProblem[] {
  const names = items.map(({ key }) => nameOf(key, targets));
  const repeats = items.filter((_, index) => names.indexOf(names[index]) < index).map(({ key }) => spanOf(key));
  const starts = items.filter((_, index) => index > 0 && names[index] === names[0]).map(({ key }) => spanOf(key));
  if (starts.length === 0 || starts.length === repeats.length) return repeats.map((span) => repeatedKey(text, span));
  return starts.map((span) => ({
    code: "missing-hyphen",
    span,
    message: `Another item starts here, with the key ${shown(text.slice(span.start, span.end))}, but no hyphen sets it apart from the one before.`,
    hint: 'Put "- " before the first key of each item, and indent its other keys by two spaces.',
  }));
}

/** The JSON name of a key, as written: 3.10 is not 3.1. */
function nameOf(key: ParsedNode, targets: ReadDocument["targets"]): string | undefined {
  const own = isAlias(key) ? targets.get(key) : key;
  if (!isScalar(own)) return undefined;
  return typeof own.value === "string" ? own.value : (own.source ?? String(own.value));
}

const isMerge = (key: ParsedNode): boolean => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

const spanOf = ({ range: [start, end] }: ParsedNode): Span => ({ start, end });

export const yamlOnly = (span: Span, what: string, hint: string): TextProblem => ({
  code: "yaml-only",
  span,
  message: `Content holds only what JSON can, and JSON has no ${shown(what)}.`,
  hint,
});

const bomb = (span: Span): TextProblem => ({
  code: "too-many-aliases",
  span,
  message: "The aliases of this file expand to far more than is written in it.",
  hint: "Write the values out.",
});

interface Child {
  readonly key: ParsedNode | undefined;
  readonly value: ParsedNode | null;
}

/** The place of an aliased value is the alias, its origin the anchored text. */
export function openDocument(document: Document.Parsed, text: string): Find {
  const { contents } = document;
  const { targets } = readDocument(document, text);
  const known = new Map<ParsedNode, ReadonlyMap<string | number | undefined, Child>>();
  const resolved = (node: ParsedNode): ParsedNode => (isAlias(node) ? (targets.get(node) ?? node) : node);
  const childrenOf = (node: ParsedNode): ReadonlyMap<string | number | undefined, Child> => {
    const children = known.get(node) ?? new Map(entriesOf(node));
    known.set(node, children);
    return children;
  };
  const entriesOf = (node: ParsedNode): readonly (readonly [string | number | undefined, Child])[] => {
    if (isSeq(node)) return node.items.map((value, index) => [index, { key: undefined, value }]);
    return isMap(node) ? node.items.map(({ key, value }) => [nameOf(key, targets), { key, value }]) : [];
  };
  return (path: Path, part: Part) => {
    if (contents === null) return located({ start: 0, end: 0 });
    let node: ParsedNode = contents;
    let key: ParsedNode | undefined;
    let use: ParsedNode | undefined;
    for (const step of path) {
      const child = childrenOf(resolved(node)).get(step);
      if (child === undefined) break;
      key = child.key;
      node = child.value ?? child.key ?? node;
      if (isAlias(node)) use ??= node;
    }
    const shown = { key: key ?? node, value: node, use: use ?? node }[part];
    return located(spanOf(shown), spanOf(part === "value" ? resolved(node) : shown));
  };
}
