// The places of faults in the modules of a declaration. A stack trace names a call, the source map its module, and the
// parsed module the option in the call.
import { existsSync, readFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import path from "node:path";
import type { CallSite } from "../../src/declare.ts";
import type { Diagnostic } from "../diagnostics.ts";

export type Span = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** A part of a call: the option `filters`, or the field `name` of its `schema`. An empty path is the call itself. */
export interface Spot {
  /** The calls that may have the option: an `extend`, and the collection that it extends. */
  readonly sites: readonly (Partial<CallSite> | undefined)[];
  readonly path: readonly string[];
  /** The option's name, or its value, which is the default. */
  readonly part?: "name" | "value" | undefined;
}

export interface Places {
  /** The place of the innermost part that is written there. Undefined if no module of the declaration has the call. */
  find(spot: Spot): Span | undefined;
  /** The start of the file. */
  readonly start: Span;
  /** The default export if there is one, else the start of the file. */
  readonly whole: Span;
}

/** The place of an option of a value that `defineApi`, `defineCollection`, `defineDocument` or `extend` returned. */
export function spotOf(declared: unknown, path: readonly string[], part?: Spot["part"]): Spot {
  const sites: Partial<CallSite>[] = [];
  for (let each = Object(declared); sites.length === 0 || each.site !== undefined; each = Object(each.extended))
    sites.push(Object(each.site));
  return { sites, path, part };
}

/**
 * `script` is the name of the script in stack traces. `map` is its source map, with paths relative to the folder of
 * `config`. The places name files relative to `root`.
 */
export function openPlaces(config: string, script: string, map: string, root: string): Places {
  let source: SourceMap | undefined;
  /** Whether the whole path is found, and the span of what is found. */
  const findAt = (
    site: Partial<CallSite> | undefined,
    { path: steps, part }: Spot,
  ): readonly [boolean, Span] | undefined => {
    const [, line, column] = site?.stack?.split(`${script}:`)[1]?.match(/^(\d+):(\d+)/) ?? [];
    if (line === undefined) return undefined;
    source ??= new SourceMap(JSON.parse(map));
    const entry = source.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return undefined;
    const file = path.resolve(path.dirname(config), entry.originalSource);
    const text = textOf(file);
    const start = { line: entry.originalLine + 1, column: entry.originalColumn };
    const members = steps.length === 0 ? [] : membersAlong(text, start, steps);
    const isWhole = members.length === steps.length;
    const last = members.at(-1);
    const { loc } = last === undefined ? { loc: { start, end: endOfName(text, start) } } : heldBy(last);
    const isKey = last !== undefined && (!isWhole || part === "name" || loc.start.line < loc.end.line);
    return [isWhole, spanOf(path.relative(root, file), isKey ? keyOf(last).loc : loc)];
  };
  const start = { file: path.relative(root, config), line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    start,
    get whole() {
      const text = "export default";
      const lines = textOf(config).split("\n");
      const line = lines.findIndex((each) => each.startsWith(text)) + 1;
      return line === 0 ? start : { ...start, line, endLine: line, endColumn: text.length + 1 };
    },
    find(spot) {
      const found = spot.sites.map((site) => findAt(site, spot)).filter((each) => each !== undefined);
      return (found.find(([isWhole]) => isWhole) ?? found[0])?.[1];
    },
  };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

const spanOf = (file: string, { start, end }: Range): Span => ({
  file,
  ...{ line: start.line, column: start.column + 1, endLine: end.line, endColumn: end.column + 1 },
});

function endOfName(text: string, { line, column }: Position): Position {
  const [name = ""] = /^[\w$.]*/.exec(text.split("\n")[line - 1]?.slice(column) ?? "") ?? [];
  return { line, column: column + name.length };
}

/** As Babel counts: lines from 1, and columns from 0, in UTF-16 code units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A node of Babel's syntax tree. */
interface Node {
  readonly type: string;
  readonly loc: Range;
  readonly [part: string]: unknown;
}

/** Empty if the text has syntax that only the bundler knows, such as JSX: a place in it is that of the whole call. */
function parsed(text: string): object {
  // Loaded for faults only, because it takes as long to load as a small declaration.
  const { parse }: typeof import("@babel/parser") = createRequire(import.meta.url)("@babel/parser");
  try {
    return parse(text, { sourceType: "module", errorRecovery: true, plugins: ["typescript"] });
  } catch {
    return {};
  }
}

/**
 * The members that lead from the options of the call at a position along a path, as far as they are written there:
 * properties of objects and elements of lists.
 */
function membersAlong(text: string, at: Position, steps: readonly string[]): readonly Node[] {
  const nodes = nodesIn(parsed(text));
  const call = nodes.findLast(({ callee }) => isNode(callee) && includes(callee.loc, at));
  let value = [call?.["arguments"]].flat().filter(isNode).at(-1);
  const members: Node[] = [];
  for (const [index, step] of steps.entries()) {
    // An extension has `fields` in place of a schema.
    const names = index === 0 && step === "schema" ? [step, "fields"] : [step];
    const start = value && assignedTo(value, nodes);
    const member = start && names.map((name) => memberIn(start, name)).find((each) => each !== undefined);
    if (member === undefined) break;
    members.push(member);
    value = heldBy(member);
  }
  return members;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** All nodes in a node, the outer ones first. */
function nodesIn(node: object): readonly Node[] {
  const childrenOf = (parent: object) => Object.values(parent).flat().filter(isNode);
  const nodes = childrenOf(node);
  for (const each of nodes) nodes.push(...childrenOf(each));
  return nodes;
}

const includes = ({ start, end }: Range, at: Position): boolean => !isBefore(at, start) && isBefore(at, end);

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.column < other.column);

const keyOf = (member: Node): Node => (isNode(member["key"]) ? member["key"] : member);

const heldBy = (member: Node): Node => (isNode(member["value"]) ? member["value"] : member);

/** The value of a variable where one of the nodes declares it, any other value itself, without `as Type` and the like. */
function assignedTo(written: Node, nodes: readonly Node[]): Node {
  const value = withoutType(written);
  const variable = value.type === "Identifier" ? value["name"] : undefined;
  const isOf = ({ type, id }: Node) => type === "VariableDeclarator" && Object(id).name === variable;
  const init = variable === undefined ? undefined : nodes.find(isOf)?.["init"];
  return isNode(init) ? withoutType(init) : value;
}

const withoutType = (node: Node): Node =>
  node.type.startsWith("TS") && isNode(node["expression"]) ? withoutType(node["expression"]) : node;

/**
 * The element `name` of a list, or the property `name` of the outermost object with it, as in `z.strictObject({ … })`. If
 * the name occurs several times in the object, the last one.
 */
function memberIn(value: Node, name: string): Node | undefined {
  if (value.type === "ArrayExpression") return [value["elements"]].flat().filter(isNode)[Number(name)];
  const hasName = ({ type, key }: Node) => type === "ObjectProperty" && nameOf(key) === name;
  for (const { type, properties } of [value, ...nodesIn(value)]) {
    const found = type === "ObjectExpression" && [properties].flat().filter(isNode).findLast(hasName);
    if (found) return found;
  }
  return undefined;
}

const nameOf = (key: unknown): unknown => Object(key).name ?? String(Object(key).value);
