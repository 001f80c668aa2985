// The places of values and keys in YAML documents. The place of an aliased value is the alias, its origin the anchored
// text, so that a fault is not reported once for each alias.
import { type Document, isAlias, isMap, isSeq, type ParsedNode } from "yaml";
import type { Path } from "../source.ts";
import type { Located, Part, Span } from "./format.ts";
import { type Anchored, keyText, type ReadDocument, readDocument, spanOf } from "./yaml-values.ts";

/** If there are several documents, the first step of a path chooses one. `length` is the length of the text. */
export function placesIn(documents: readonly Document.Parsed[], length: number): (path: Path, part: Part) => Located {
  const finds = documents.map((document) => finderIn(document.contents, readDocument(document, length).targets));
  return ([...path], part) => {
    const index = documents.length > 1 ? Number(path.shift()) : 0;
    return finds[index]?.(path, part) ?? { span: nowhere, origin: nowhere };
  };
}

const nowhere: Span = { start: 0, end: 0 };

interface Child {
  readonly key: ParsedNode | undefined;
  readonly value: ParsedNode | null;
}

function finderIn(contents: ParsedNode | null, targets: ReadDocument["targets"]) {
  const resolved = (node: ParsedNode): Anchored | undefined => (isAlias(node) ? targets.get(node) : node);
  const known = new Map<Anchored, ReadonlyMap<string | number, Child>>();

  const childrenOf = (node: Anchored): ReadonlyMap<string | number, Child> => {
    const children = known.get(node) ?? new Map(entriesOf(node));
    known.set(node, children);
    return children;
  };

  const entriesOf = (node: Anchored): (readonly [string | number, Child])[] => {
    if (isSeq(node)) return node.items.map((value, index) => [index, { key: undefined, value }]);
    if (!isMap(node)) return [];
    return node.items.flatMap(({ key, value }) => {
      const target = resolved(key);
      const name = target && keyText(target);
      return name === undefined ? [] : [[name, { key, value }]];
    });
  };

  return (path: Path, part: Part): Located | undefined => {
    if (contents === null) return undefined;
    let node = contents;
    let key: ParsedNode | undefined;
    let use: ParsedNode | undefined = isAlias(node) ? node : undefined;
    for (const step of path) {
      const target = resolved(node);
      const child = target && childrenOf(target).get(step);
      if (child === undefined) break;
      key = child.key;
      node = child.value ?? child.key ?? node;
      if (isAlias(node)) use ??= node;
    }
    const shown = { key: key ?? node, value: node, use: use ?? node }[part];
    const origin = part === "value" ? (resolved(node) ?? node) : shown;
    return { span: spanOf(shown), origin: spanOf(origin) };
  };
}
