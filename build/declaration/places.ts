// The places of faults in the modules of a declaration. A stack trace names a call, the source map its module, and the
// parsed module the option in the call.
import { existsSync, readFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import path from "node:path";
import type { Diagnostic } from "../diagnostics.ts";

export type Span = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** A part of a call: the option `filters`, or the field `name` of its `schema`. An empty path is the call itself. */
export interface Spot {
  /** The stack traces of the calls that may have the option: an `extend`, and the collection that it extends. */
  readonly sites: readonly (string | undefined)[];
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
  const sites: (string | undefined)[] = [];
  for (let each = Object(declared); sites.length === 0 || each.site !== undefined; each = Object(each.extended))
    sites.push(typeof each.site === "string" ? each.site : undefined);
  return { sites, path, part };
}

/**
 * `script` is the name of the script in stack traces. `map` is its source map, with paths relative to the folder of
 * `config`. The places name files relative to `root`.
 */
export function openPlaces(config: string, script: string, map: string, root: string): Places {
  let source: SourceMap | undefined;
  const spanOf = (file: string, text: string, { start, end }: Range): Span => {
    const [from, to] = [positionAt(text, start), positionAt(text, end)];
    return { file: path.relative(root, file), ...from, endLine: to.line, endColumn: to.column };
  };
  /** Whether the whole path is found, and the span of what is found. */
  const findAt = (site: string | undefined, { path: steps, part }: Spot): readonly [boolean, Span] | undefined => {
    const frame = frameIn(site, script);
    if (frame === undefined) return undefined;
    source ??= new SourceMap(JSON.parse(map));
    const entry = source.findEntry(frame.line, frame.column);
    if (!("originalSource" in entry)) return undefined;
    const file = path.resolve(path.dirname(config), entry.originalSource);
    const text = textOf(file);
    const at = offsetOf(text, entry.originalLine, entry.originalColumn);
    const name = /^[\w$.]*/.exec(text.slice(at))?.[0] ?? "";
    const found = steps.length === 0 ? [] : membersAlong(text, at, steps);
    const last = found.at(-1);
    const isWhole = found.length === steps.length;
    const isKey = !isWhole || part === "name" || (last !== undefined && isLong(text, last.value));
    const range = last === undefined ? { start: at, end: at + name.length } : isKey ? last.key : last.value;
    return [isWhole, spanOf(file, text, range)];
  };
  const start = { file: path.relative(root, config), line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    start,
    get whole() {
      const text = textOf(config);
      const [found] = text.matchAll(/^export default\b/gm);
      if (found === undefined) return start;
      return spanOf(config, text, { start: found.index, end: found.index + found[0].length });
    },
    find(spot) {
      const found = spot.sites.flatMap((site) => {
        const place = findAt(site, spot);
        return place === undefined ? [] : [place];
      });
      return (found.find(([isWhole]) => isWhole) ?? found[0])?.[1];
    },
  };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

const isLong = (text: string, { start, end }: Range): boolean => text.slice(start, end).includes("\n");

/** The innermost frame of a script in a stack trace. Lines and columns count from 0. */
function frameIn(stack: string | undefined, script: string): { line: number; column: number } | undefined {
  const at = stack?.indexOf(`${script}:`) ?? -1;
  if (stack === undefined || at < 0) return undefined;
  const [, line, column] = /^(\d+):(\d+)/.exec(stack.slice(at + script.length + 1)) ?? [];
  return line === undefined ? undefined : { line: Number(line) - 1, column: Number(column) - 1 };
}

const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split("\n")
    .slice(0, line)
    .reduce((sum, { length }) => sum + length + 1, column);

function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** A part of a text, in UTF-16 code units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A node of Babel's syntax tree. */
interface Node extends Range {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** A property of an object, or an element of a list, which is its own key. */
interface Member {
  readonly key: Range;
  readonly value: Node;
}

/** Loaded for faults only, because it takes as long to load as a small declaration. */
const parserOf = (): typeof import("@babel/parser") => createRequire(import.meta.url)("@babel/parser");

/** The members that lead from the options of the call at an offset along a path, as far as they are written there. */
function membersAlong(text: string, at: number, [first = "", ...rest]: readonly string[]): readonly Member[] {
  const module = parserOf().parse(text, { sourceType: "module", errorRecovery: true, plugins: ["typescript"] });
  const variables = variablesIn(module);
  const call = callAt(module, at);
  const options = nodesIn(call?.["arguments"]).at(-1);
  // An extension has `fields` in place of a schema.
  const names = first === "schema" ? [first, "fields"] : [first];
  let found = options && names.map((name) => memberIn(options, name, variables)).find((each) => each !== undefined);
  const members: Member[] = [];
  for (const step of [...rest, undefined]) {
    if (found === undefined) break;
    members.push(found);
    found = step === undefined ? undefined : memberIn(found.value, step, variables);
  }
  return members;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

const nodesIn = (value: unknown): readonly Node[] => [value].flat().filter(isNode);

const childrenOf = (node: object): readonly Node[] => Object.values(node).flatMap(nodesIn);

/** The innermost call with the name of its function at an offset. */
function callAt(node: object, at: number): Node | undefined {
  for (const child of childrenOf(node)) {
    if (at < child.start || child.end <= at) continue;
    const inner = callAt(child, at);
    if (inner !== undefined) return inner;
    const isCalled = nodesIn(child["callee"]).some(({ start, end }) => start <= at && at < end);
    if (isCalled) return child;
  }
  return undefined;
}

/** The values that the module assigns to its variables where it declares them. */
function variablesIn(module: object): ReadonlyMap<unknown, Node> {
  const statements = childrenOf(module).flatMap(({ body }) => nodesIn(body));
  const declared = statements.flatMap((statement) => [statement, ...nodesIn(statement["declaration"])]);
  const declarators = declared.flatMap(({ declarations }) => nodesIn(declarations));
  return new Map(
    declarators.flatMap(({ id, init }) => nodesIn(init).map((value) => [Object(id).name, value] as const)),
  );
}

/**
 * The member `name` of a value: of a list, or of the outermost object with this member, as in `z.strictObject({ … })`. If
 * the name occurs several times, its last member.
 */
function memberIn(value: Node, name: string, variables: ReadonlyMap<unknown, Node>): Member | undefined {
  const written = withoutType(value);
  const start = withoutType(written.type === "Identifier" ? (variables.get(written["name"]) ?? written) : written);
  if (start.type === "ArrayExpression") {
    const element = nodesIn(start["elements"])[Number(name)];
    return element && { key: element, value: element };
  }
  const level: Node[] = [start];
  for (const node of level) {
    const properties = node.type === "ObjectExpression" ? nodesIn(node["properties"]) : [];
    const property = properties.findLast(({ type, key }) => type === "ObjectProperty" && nameOf(key) === name);
    const [key, held] = [...nodesIn(property?.["key"]), ...nodesIn(property?.["value"])];
    if (key !== undefined && held !== undefined) return { key, value: held };
    level.push(...childrenOf(node));
  }
  return undefined;
}

/** `value as Type` and the like, without the type. */
const withoutType = (node: Node): Node => {
  const [expression] = node.type.startsWith("TS") ? nodesIn(node["expression"]) : [];
  return expression === undefined ? node : withoutType(expression);
};

const nameOf = (key: unknown): unknown => Object(key).name ?? String(Object(key).value);
