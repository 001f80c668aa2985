// TOML 1.1. Its tables and dotted keys become the tree that jsonc-parser makes of the same value in JSON, in which places are
// found. Dates and times are the texts that the file has.
import type { Node, NodeType } from "jsonc-parser";
import type { AST, parseTOML } from "toml-eslint-parser";
import { setField } from "../../../src/model/fields.ts";
import type { Draft, Span } from "../../messages.ts";
import { numberOf } from "../../values/number-of.ts";
import { type ContentFormat, maxDepth, mistake, rootValues, tooDeep, unreadable } from "./format.ts";
import { openTree, repeatedKey } from "./json.ts";

let parse: typeof parseTOML | undefined;

/** Loads the parser, which most contents do not need, before TOML is read or opened. */
export async function loadToml(): Promise<void> {
  parse ??= (await import("toml-eslint-parser")).parseTOML;
}

export const toml = {
  contents: () => "its fields into it",
  read(text, source, report) {
    const tree = treeIn(text);
    if ("code" in tree) {
      report(tree);
      return [unreadable(source)];
    }
    return rootValues(dataIn(tree), source);
  },
  open(text) {
    const tree = treeIn(text);
    return openTree("code" in tree ? undefined : tree);
  },
} satisfies ContentFormat;

/** The tree of a text, or the first mistake in it. */
function treeIn(text: string): Node | Draft<Span> {
  if (parse === undefined) throw new Error("The parser of TOML is not loaded.");
  try {
    const { root } = new Tree(parse(text).body[0].body);
    const deep = deepIn(root);
    return deep === undefined ? root : tooDeep(deep.offset);
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) return tooDeep(offsetOfDepth(text));
    if (!(error instanceof SyntaxError && "index" in error)) throw error;
    return mistakeAt(Number(error.index), error.message, text);
  }
}

function mistakeAt(start: number, message: string, text: string): Draft<Span> {
  const [token = ""] = /^(?:[\w-]+|"[^"\n]*"|'[^'\n]*'|.)/.exec(text.slice(start, start + 200)) ?? [];
  const at = { start, end: start + token.length };
  if (message.startsWith("Defining a key")) return repeatedKey(text, at);
  const hint = "Write each field as key = value, and texts in quotes.";
  return mistake("TOML", at, words.get(message) ?? `${message.charAt(0).toLowerCase()}${message.slice(1)}`, hint);
}

/** The commonest mistakes in plain words. The other messages are the library's. */
const words: ReadonlyMap<string, string> = new Map([
  ["Must be a newline", "a new line must start here"],
  ["Expected equal (=) token", "a = is missing"],
  ["Expected comma (,) token", "a comma is missing"],
  ["Unspecified values are invalid", "a value is missing"],
  ["Unterminated string constant", "a closing quote is missing"],
]);

/** Where lists and objects are nested too deeply, if all brackets are theirs. */
function offsetOfDepth(text: string): number {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth += "[{".includes(bracket) ? 1 : -1;
    if (depth > maxDepth) return index;
  }
  return 0;
}

type KeyPart = AST.TOMLBare | AST.TOMLQuoted;

const nameOf = (part: KeyPart): string => (part.type === "TOMLBare" ? part.name : part.value);

/** The tree of the entries of a text. The parser has refused entries that contradict one another. */
class Tree {
  readonly root = nodeIn(undefined, "object", [0, 0]);
  /** The members of objects by their names. */
  readonly #members = new Map<Node, Map<string, Node>>();

  constructor(entries: readonly (AST.TOMLKeyValue | AST.TOMLTable)[]) {
    for (const entry of entries) {
      const isTable = entry.type === "TOMLTable";
      const table = isTable ? this.#tableOf(entry) : this.root;
      for (const field of isTable ? entry.body : [entry]) this.#addField(table, field, 0);
    }
  }

  /** The object of a table: that of `[a.b]`, or a new element for `[[a.b]]`. */
  #tableOf({ resolvedKey, key: { keys }, range }: AST.TOMLTable): Node {
    let node = this.root;
    let named = 0;
    for (const [index, step] of resolvedKey.entries()) {
      const type = typeof resolvedKey[index + 1] === "number" ? "array" : "object";
      const part = keys[named];
      if (typeof step === "number") node = node.children?.[step] ?? nodeIn(node, type, range);
      else if (part !== undefined) {
        node = this.#member(node, part, (parent) => nodeIn(parent, type, range));
        named++;
      }
    }
    return node;
  }

  /** Objects of dotted keys may be those of earlier keys: `a.b` and `a.c` have one for `a`. */
  #addField(table: Node, { key: { keys }, value, range }: AST.TOMLKeyValue, depth: number): void {
    let node = table;
    for (const [index, part] of keys.entries())
      node = this.#member(node, part, (parent) =>
        index < keys.length - 1 ? nodeIn(parent, "object", range) : this.#value(parent, value, depth + 1),
      );
  }

  #member(owner: Node, part: KeyPart, make: (parent: Node) => Node): Node {
    const members = this.#members.get(owner) ?? new Map<string, Node>();
    this.#members.set(owner, members);
    const name = nameOf(part);
    const existing = members.get(name);
    if (existing !== undefined) return existing;
    const property = nodeIn(owner, "property", part.range);
    nodeIn(property, "string", part.range, name);
    const value = make(property);
    members.set(name, value);
    return value;
  }

  #value(parent: Node, value: AST.TOMLContentNode, depth: number): Node {
    const { type, range } = value;
    // The type of a scalar does not matter.
    if (type === "TOMLValue") return nodeIn(parent, "string", range, scalarOf(value));
    const node = nodeIn(parent, type === "TOMLArray" ? "array" : "object", range);
    // What is deeper is a fault.
    if (depth > maxDepth) return node;
    if (type === "TOMLArray") for (const element of value.elements) this.#value(node, element, depth + 1);
    else for (const field of value.body) this.#addField(node, field, depth);
    return node;
  }
}

/** A new node, the last child of its parent. */
function nodeIn(parent: Node | undefined, type: NodeType, [start, end]: AST.TOMLNode["range"], value?: unknown): Node {
  const node = { type, offset: start, length: end - start, children: [], value, ...(parent && { parent }) };
  parent?.children?.push(node);
  return node;
}

function scalarOf(value: AST.TOMLValue): unknown {
  switch (value.kind) {
    case "string":
    case "boolean":
    case "float":
      return value.value;
    case "integer":
      return numberOf(String(value.bigint));
    case "offset-date-time":
    case "local-date-time":
    case "local-date":
    case "local-time":
      return value.datetime;
  }
}

/** The first list or object below too many others. */
function deepIn(node: Node, level = 1): Node | undefined {
  const { type, children = [] } = node;
  if (type !== "object" && type !== "array") return undefined;
  if (level > maxDepth) return node;
  for (const child of children) {
    const inner = type === "object" ? child.children?.[1] : child;
    const deep = inner && deepIn(inner, level + 1);
    if (deep !== undefined) return deep;
  }
  return undefined;
}

function dataIn({ type, children = [], value }: Node): unknown {
  if (type === "array") return children.map(dataIn);
  if (type !== "object") return value;
  const object: Record<string, unknown> = {};
  for (const { children: [key, member] = [] } of children)
    if (key !== undefined && member !== undefined) setField(object, key.value, dataIn(member));
  return object;
}
