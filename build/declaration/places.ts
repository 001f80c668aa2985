// The places of faults in the modules of a declaration. A stack trace names a call, the source map its module, and the
// parsed module the option in the call.
import { existsSync, readFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import path from "node:path";
import { fieldOf } from "../../src/model/fields.ts";
import type { Place } from "../../src/model/place.ts";

/** A part of a call: the option `filters`, or the field `name` of its `schema`. An empty path is the call itself. */
export interface DeclaredPart {
  /** The result of `defineApi`, `defineCollection`, `defineDocument`, `from` or `extend`. */
  readonly of: unknown;
  readonly path?: readonly string[];
  /** The option's name, or its value, which is the default. */
  readonly part?: "name" | undefined;
}

export interface Places {
  /** The place of the innermost part that is written there. Undefined if no module of the declaration has the call. */
  find(spot: DeclaredPart): Place | undefined;
  /** The default export if there is one, else the start of the file. */
  readonly whole: Place;
  /** The absolute path of the folder of the declaration. */
  readonly folder: string;
}

/**
 * `script` is the name of the script in stack traces. `map` is its source map, with paths relative to the folder of
 * `config`. The places name files relative to `root`.
 */
export function openPlaces(config: string, script: string, map: string, root: string): Places {
  let source: SourceMap | undefined;
  const modules = new Map<string, Module>();

  function moduleAt(file: string): Module {
    const module = modules.get(file) ?? readModule(file);
    modules.set(file, module);
    return module;
  }

  /** The innermost part of a path that is written in the call; undefined if no module has the call. */
  function findAt(stack: string | undefined, { path: steps = [], part }: DeclaredPart): FoundPart | undefined {
    const [, line, column] = stack?.split(`${script}:`)[1]?.match(/^(\d+):(\d+)/) ?? [];
    if (line === undefined) return undefined;
    source ??= new SourceMap(JSON.parse(map));
    const entry = source.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return undefined;
    const file = path.resolve(path.dirname(config), entry.originalSource);
    const start = { line: entry.originalLine + 1, column: entry.originalColumn };
    const module = moduleAt(file);
    const members = steps.length === 0 ? [] : membersAlong(module, start, steps);
    const isWhole = members.length === steps.length;
    const last = members.at(-1);
    const range =
      last === undefined ? { start, end: endOfName(module, start) } : rangeOf(last, !isWhole || part === "name");
    const place = {
      file: path.relative(root, file),
      line: range.start.line,
      column: range.start.column + 1,
      endLine: range.end.line,
      endColumn: range.end.column + 1,
    };
    return { isWhole, place };
  }

  return {
    folder: path.dirname(config),
    get whole() {
      const text = "export default";
      const lines = existsSync(config) ? readFileSync(config, "utf8").split("\n") : [];
      const line = lines.findIndex((content) => content.startsWith(text)) + 1 || 1;
      const endColumn = lines[line - 1]?.startsWith(text) ? text.length + 1 : 1;
      return { file: path.relative(root, config), line, column: 1, endLine: line, endColumn };
    },
    find(spot) {
      let first: FoundPart | undefined;
      // An extension, and the collections that it extends.
      for (let declared = spot.of; fieldOf(declared, "site") !== undefined; declared = fieldOf(declared, "extended")) {
        const stack = fieldOf(fieldOf(declared, "site"), "stack");
        const found = findAt(typeof stack === "string" ? stack : undefined, spot);
        if (found?.isWhole) return found.place;
        first ??= found;
      }
      return first?.place;
    },
  };
}

interface FoundPart {
  readonly place: Place;
  /** Whether the whole path is written in the call. */
  readonly isWhole: boolean;
}

function endOfName({ lines }: Module, { line, column }: Position): Position {
  const [name = ""] = /^[\w$.]*/.exec(lines[line - 1]?.slice(column) ?? "") ?? [];
  return { line, column: column + name.length };
}

/** As Babel counts: lines from 1, and columns from 0, in UTF-16 code units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A node of Babel's syntax tree. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: Position; readonly end: Position };
  readonly [part: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

const nodesOf = (parts: unknown): readonly Node[] => [parts].flat().filter(isNode);

/** All nodes in a node, the outer ones first. */
function nodesIn(node: object): readonly Node[] {
  const nodes = Object.values(node).flatMap(nodesOf);
  // The loop also visits the nodes that it adds.
  for (const inner of nodes) nodes.push(...Object.values(inner).flatMap(nodesOf));
  return nodes;
}

/** Empty if the text has syntax that only the bundler knows, such as JSX. Its places are then those of whole calls. */
function parsed(text: string): object {
  // Loaded for faults only, because it takes as long to load as a small declaration.
  const { parse }: typeof import("@babel/parser") = createRequire(import.meta.url)("@babel/parser");
  try {
    return parse(text, { sourceType: "module", errorRecovery: true, plugins: ["typescript"] });
  } catch {
    return {};
  }
}

/** A module of the declaration. It is parsed once, because each mistake needs several places. */
interface Module {
  readonly lines: readonly string[];
  /** The outer ones first. */
  readonly calls: readonly Node[];
  /** The declarations of variables by their names. The first one of a name counts. */
  readonly variables: ReadonlyMap<unknown, Node>;
}

function readModule(file: string): Module {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const calls: Node[] = [];
  const variables = new Map<unknown, Node>();
  for (const node of nodesIn(parsed(text))) {
    if (isNode(node["callee"])) calls.push(node);
    if (node.type !== "VariableDeclarator" || !isNode(node["id"])) continue;
    const { name } = node["id"];
    if (!variables.has(name)) variables.set(name, node);
  }
  return { lines: text.split("\n"), calls, variables };
}

/**
 * The members that lead from the options of the call at a position along a path, as far as they are written there:
 * elements of lists, and properties of objects, which may be in a call, as in `z.strictObject({ … })`.
 */
function membersAlong({ calls, variables }: Module, at: Position, steps: readonly string[]): readonly Node[] {
  const isAfter = (end: Position) => at.line < end.line || (at.line === end.line && at.column < end.column);
  const call = calls.findLast(({ callee }) => isNode(callee) && !isAfter(callee.loc.start) && isAfter(callee.loc.end));
  /** The value of a variable that is declared in the module, without `as Type` and the like. */
  const assignedTo = (written: Node): Node => {
    const value = withoutType(written);
    const init = value.type === "Identifier" ? variables.get(value["name"])?.["init"] : undefined;
    return isNode(init) ? withoutType(init) : value;
  };
  const members: Node[] = [];
  let value = nodesOf(call?.["arguments"]).at(-1);
  for (const [index, step] of steps.entries()) {
    const start = value && assignedTo(value);
    // An extension has `fields` in place of a schema.
    const names = index === 0 && step === "schema" ? [step, "fields"] : [step];
    const member = start && names.map((name) => memberIn(start, name)).find((node) => node !== undefined);
    if (member === undefined) break;
    members.push(member);
    value = heldBy(member);
  }
  return members;
}

const withoutType = (node: Node): Node =>
  node.type.startsWith("TS") && isNode(node["expression"]) ? withoutType(node["expression"]) : node;

const heldBy = (member: Node): Node => (isNode(member["value"]) ? member["value"] : member);

/** The range of a member's value; that of its name if `isName`, or if the value has several lines. */
function rangeOf(member: Node, isName: boolean): Node["loc"] {
  const { loc } = heldBy(member);
  const { key } = member;
  return (isName || loc.start.line < loc.end.line) && isNode(key) ? key.loc : loc;
}

/** If the name occurs several times in an object, the last one. */
function memberIn(value: Node, name: string): Node | undefined {
  if (value.type === "ArrayExpression") return nodesOf(value["elements"])[Number(name)];
  const isNamed = ({ type, key }: Node) =>
    type === "ObjectProperty" && isNode(key) && (key["name"] ?? String(key["value"])) === name;
  return objectsIn(value)
    .map(({ properties }) => nodesOf(properties).findLast(isNamed))
    .find((found) => found !== undefined);
}

/** The objects of a value. Objects in them are values of other names. */
const objectsIn = (value: Node): readonly Node[] =>
  value.type === "ObjectExpression" ? [value] : Object.values(value).flatMap(nodesOf).flatMap(objectsIn);
