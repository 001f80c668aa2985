// The values of a YAML document and their places. An alias is a copy of the value of its anchor.

import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import { setField } from "../../../src/model/fields.ts";
import type { Draft, Span } from "../../messages.ts";
import { shown } from "../../text/quote.ts";
import { numberOf } from "../../values/number-of.ts";
import { copyOf } from "./data.ts";
import { type Find, mistake } from "./format.ts";
import { repeatedKey } from "./json.ts";

/** The limit of values that aliases expand to, beyond those written in the file: far more than a person writes. */
const maxExpansion = 1_000_000;

type Anchored = Exclude<ParsedNode, Alias>;

interface AnchoredValue {
  readonly node: Anchored;
  /** The value, and the number of values in it. Undefined while the value is being read. */
  readonly read?: { readonly value: unknown; readonly size: number };
}

export interface ReadDocument {
  /** The value, or the elements of the list. An element that is partly unreadable is undefined. */
  readonly root: unknown;
  readonly problems: readonly Draft<Span>[];
  /** The target of each alias that has one. */
  readonly targets: ReadonlyMap<Alias, Anchored>;
  /** The number of values up to its end, with those to which aliases expand. */
  readonly size: number;
}

/** `size`: of the documents before it. Returns a problem if aliases expand to too many values. */
export const readDocument = ({ contents }: Document.Parsed, text: string, size = 0): ReadDocument | Draft<Span> =>
  new DocumentReader(text, size).read(contents);

/** A walk over the nodes of a document. */
class DocumentReader {
  readonly #text: string;
  readonly #problems: Draft<Span>[] = [];
  readonly #anchors = new Map<string, AnchoredValue>();
  readonly #targets = new Map<Alias, Anchored>();
  /** The number of values so far, with those to which aliases expand. */
  #size: number;
  #bomb: Draft<Span> | undefined;
  /** Whether a part of the current element is unreadable. */
  #isUnreadable = false;
  /** Whether the current element shares a part with another one. */
  #isShared = false;

  constructor(text: string, size: number) {
    this.#text = text;
    this.#size = size;
  }

  read(contents: Document.Parsed["contents"]): ReadDocument | Draft<Span> {
    const root = isSeq(contents) ? contents.items.map((node) => this.#element(node)) : this.#element(contents);
    return this.#bomb ?? { root, problems: this.#problems, targets: this.#targets, size: this.#size };
  }

  #element(node: ParsedNode | null): unknown {
    this.#isUnreadable = false;
    this.#isShared = false;
    const value = this.#value(node);
    if (this.#isUnreadable || this.#bomb !== undefined) return undefined;
    // Changing one item must not change another one.
    return this.#isShared ? copyOf(value) : value;
  }

  #value(node: ParsedNode | null): unknown {
    this.#size++;
    if (node === null) return null;
    if (isAlias(node)) return this.#aliased(node);
    if (node.anchor === undefined) return this.#written(node);
    const before = this.#size;
    this.#anchors.set(node.anchor, { node });
    const value = this.#written(node);
    this.#anchors.set(node.anchor, { node, read: { value, size: this.#size - before } });
    return value;
  }

  #written(node: Anchored): unknown {
    if (isScalar(node)) return typeof node.value === "number" ? numberOf(node.source, node.value) : node.value;
    return isSeq(node) ? node.items.map((item) => this.#value(item)) : this.#object(node);
  }

  #object(map: YAMLMap.Parsed): Readonly<Record<string, unknown>> {
    const object: Record<string, unknown> = {};
    for (const { key, value } of map.items) {
      const name = nameOf(key);
      if (isAlias(key)) this.#refuse(yamlOnly(spanOf(key), "aliases as keys"));
      else if (name === undefined) this.#refuse(yamlOnly(spanOf(key), "keys that are not strings"));
      else if (isMerge(key)) this.#refuse(yamlOnly(spanOf(key), "merge keys (<<)"));
      else {
        // A key may have an anchor.
        this.#value(key);
        if (Object.hasOwn(object, name)) this.#problems.push(repeatedKey(this.#text, spanOf(key)));
        setField(object, name, this.#value(value));
      }
    }
    return object;
  }

  #aliased(alias: Alias.Parsed): unknown {
    const anchored = this.#anchors.get(alias.source);
    if (anchored === undefined) return this.#refuse(noAnchor(alias));
    if (anchored.read === undefined) return this.#refuse(yamlOnly(spanOf(alias), "values that hold themselves"));
    this.#isShared = true;
    this.#targets.set(alias, anchored.node);
    this.#size += anchored.read.size;
    if (this.#size > this.#text.length + maxExpansion) this.#bomb ??= tooManyAliases(spanOf(alias));
    return anchored.read.value;
  }

  #refuse(problem: Draft<Span>): undefined {
    this.#isUnreadable = true;
    this.#problems.push(problem);
  }
}

/** Undefined for a list, an object or an alias. */
const nameOf = (key: ParsedNode): string | undefined =>
  isScalar(key) && typeof key.value === "string" ? key.value : undefined;

const noAnchor = (alias: Alias.Parsed): Draft<Span> =>
  mistake(
    "YAML",
    spanOf(alias),
    `there is no anchor &${alias.source} before this alias`,
    "Write the anchor before it, or put a value that starts with * in quotes.",
  );

const isMerge = (key: ParsedNode): boolean => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

const spanOf = ({ range: [start, end] }: ParsedNode): Span => ({ start, end });

export const yamlOnly = (span: Span, what: string): Draft<Span> => ({
  code: "yaml-only",
  at: span,
  text: `Content can only hold what JSON can, and JSON has no ${shown(what)}.`,
  hint: "Write the values out, as strings, numbers, lists and objects.",
});

const tooManyAliases = (span: Span): Draft<Span> => ({
  code: "yaml-only",
  at: span,
  text: "The aliases of this file expand to far more than is written in it.",
  hint: "Write the values out.",
});

/** Values within an aliased value have their places in the value of the anchor. */
export function openDocument(document: Document.Parsed, text: string): Find {
  const read = readDocument(document, text);
  const resolved = (node: ParsedNode | null | undefined) =>
    isAlias(node) && "targets" in read ? read.targets.get(node) : node;
  return (path, part) => {
    if (document.contents === null) return { start: 0, end: 0 };
    let key: ParsedNode | undefined;
    let value: ParsedNode = document.contents;
    for (const step of path) {
      if (part === "use" && isAlias(value)) break;
      const owner = resolved(value);
      const pair = isMap(owner) ? owner.items.findLast(({ key }) => nameOf(key) === step) : undefined;
      // A missing value has the place of its key.
      const child: ParsedNode | null | undefined = isSeq(owner)
        ? owner.items[Number(step)]
        : (pair?.value ?? pair?.key);
      if (child === null || child === undefined) break;
      key = pair?.key;
      value = child;
    }
    return spanOf((part === "key" ? key : undefined) ?? value);
  };
}
