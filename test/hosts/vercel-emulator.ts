// Answers requests from a built dist by its routes, in memory; for tests only.
//
// From Vercel: @vercel/routing-utils reads the routes as `vercel build` does, and its JSON Schema describes
// vercel.json.
// Written here, because Vercel's router is not public: the documented meaning of the fields that the adapter's routes
// use. Undocumented behaviour is in the adapter's `unproven`. https://vercel.com/docs/build-output-api/configuration
import { isHandler, normalizeRoutes, type Route, type RouteWithSrc, routesSchema } from "@vercel/routing-utils";
import { Ajv } from "ajv";
import type { Answer, Request } from "../../build/routing/resolve.ts";

export interface VercelEmulator {
  readonly answer: (request: Request) => Answer;
}

/**
 * Reads vercel.json or the config.json of the Build Output API, and throws if the file is invalid. `exists` returns
 * whether a path relative to the publish root is a file.
 */
export function loadVercel(config: string, exists: (file: string) => boolean): VercelEmulator {
  const routes = readRoutes(config);
  const before = phase(routes, undefined);
  const behind = phase(routes, "filesystem");
  const isPublished = (path: string) => !/\/(?:\.{0,2}\/|\.{0,2}$)/.test(path) && exists(path.slice(1));
  return {
    answer(request) {
      const state: State = { path: request.path, status: 200, headers: {} };
      let found = route(before, request, state);
      while (!isPublished(state.path) && found === "check") found = route(behind, request, state);
      if (found === "bodiless") return { status: state.status, file: undefined, headers: state.headers };
      if (!isPublished(state.path)) throw new Error(`${JSON.stringify(request)} leads to ${state.path}, no file.`);
      return { status: state.status, file: state.path.slice(1), headers: state.headers };
    },
  };
}

interface State {
  path: string;
  status: number;
  headers: Record<string, string>;
}

/** Each expression is compiled once: requests are many. */
const compiled = new Map<string, RegExp>();

function expression(source: string, flags = ""): RegExp {
  const key = `${flags}/${source}`;
  const made = compiled.get(key) ?? new RegExp(source, flags);
  compiled.set(key, made);
  return made;
}

/**
 * "check": look for the path among the files, and try the routes once more if there is none. "bodiless": the answer has
 * a status but no file.
 */
function route(routes: readonly RouteWithSrc[], request: Request, state: State): "check" | "final" | "bodiless" {
  // Without the question mark, one that belongs to the first name would be dropped.
  const query = new URLSearchParams(`?${request.query}`);
  for (const rule of routes) {
    const captures = match(rule, state.path, request.method, query);
    if (captures === undefined) continue;
    Object.assign(state.headers, rule.headers);
    state.status = rule.status ?? state.status;
    if (rule.dest !== undefined) state.path = rule.dest.replace(/\$(\w+)/g, (_, name: string) => captures[name] ?? "");
    if (rule.check) return "check";
    if (!rule.continue) return rule.status !== undefined && rule.dest === undefined ? "bodiless" : "final";
  }
  return "check";
}

type Captures = Readonly<Record<string, string>>;

function match(
  { src, methods, has = [], missing = [], ...options }: RouteWithSrc,
  path: string,
  method: string,
  query: URLSearchParams,
): Captures | undefined {
  const found = expression(src, options.caseSensitive ? "" : "i").exec(path);
  if (found === null || !(methods ?? [method]).includes(method)) return undefined;
  const conditions = has.map((condition) => holds(condition, query));
  if (conditions.includes(undefined) || missing.some((condition) => holds(condition, query))) return undefined;
  return Object.assign({}, found.groups, ...conditions);
}

/** A condition without a value holds for every value, including an empty one. */
function holds(condition: NonNullable<RouteWithSrc["has"]>[number], query: URLSearchParams): Captures | undefined {
  if (condition.type !== "query") throw new Error(`There are no conditions of the type ${condition.type} here.`);
  const value = query.getAll(condition.key).at(-1);
  if (value === undefined) return undefined;
  if (condition.value === undefined) return {};
  const found = expression(String(condition.value)).exec(value);
  return found === null ? undefined : { ...found.groups };
}

/** The routes after a handle, up to the next one. */
function phase(routes: readonly Route[], handle: string | undefined): readonly RouteWithSrc[] {
  let current: string | undefined;
  return routes.flatMap((rule) => {
    if (!isHandler(rule)) return current === handle ? [rule] : [];
    current = rule.handle;
    return [];
  });
}

function readRoutes(config: string): readonly Route[] {
  const { routes } = JSON.parse(config);
  const ajv = new Ajv({ strict: false });
  if (!ajv.validate(routesSchema, routes)) throw new Error(ajv.errorsText());
  const { routes: normal, error } = normalizeRoutes(routes);
  if (error !== null) throw new Error(error.message);
  return normal ?? [];
}
