// `serve`, the plain file server: serve.json maps paths without extension and sets headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options

import { textFile } from "../../files/file.ts";
import { apiFolder, errorFolder, missingPage } from "../../routing/paths.ts";
import {
  documentHeaders,
  isOfPattern,
  isOutput,
  type OutputPattern,
  outputPatternsOf,
  tablePatternsOf,
} from "../../routing/resolve.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { groupBy } from "../../values/group-by.ts";
import { ignoresMethods, ignoresSlash, missingPageOfFirst, noLostPage } from "../gaps.ts";
import type { HostAdapter, Tables } from "../host.ts";
import { deprecatedOperations, documentKinds, otherNames, withPlaceholders } from "../known-paths.ts";
import { json } from "../syntax.ts";

/** serve does not start with more rules of headers. */
const maxRules = 50;

export const serve: HostAdapter = {
  name: "serve",
  reads: ["serve.json"],
  generates: ["serve.json"],
  files: (tables) => [textFile("serve.json", json(settings(tables)))],
  program: {
    command: "serve",
    install: "npm install --save-dev serve",
    run: ({ publishRoot, port }) => ({
      files: [],
      args: [publishRoot, "--listen", `tcp://127.0.0.1:${port}`, "--no-clipboard", "--no-request-logging"],
      env: { NO_UPDATE_CHECK: "1" },
    }),
  },
  limits: [
    {
      what: "rules of headers",
      max: maxRules,
      source: "https://github.com/vercel/schemas/blob/HEAD/deployment/config-static.js",
      used: ({ tables }) => ({ amount: tables.flatMap(headersOf).length }),
    },
  ],
  gaps: [
    {
      requests: "query strings",
      happens: "ignored: the answer is the first page of 100 items",
      reason: "serve matches paths only",
      covers: ({ request }) => request.query !== "",
      takenFor: ({ request }) => ({ ...request, query: "" }),
    },
    ignoresMethods("serve ignores the method"),
    {
      requests: "a path with %00 or with a % that encodes nothing",
      happens: "serve's HTML page with the status 500 or 400",
      reason: "serve fails before it applies any rule",
      covers: ({ request }) => !isReadable(request.path),
    },
    {
      requests: "the path of the description, if its last part has a dot",
      happens: "404 with the body of not_found",
      reason: "serve takes a path with a dot for that of a file, and finds a folder",
      covers: ({ request: { path }, table }) =>
        normalPath(path, table) === table.base && /\.[^./]+\/*$/.test(decodeURIComponent(path)),
      gives: ({ table }) => table.notFound,
    },
    {
      requests:
        "a path with extra slashes, dot segments or encoded characters, or with capitals in the part before an item's key or the name of a table",
      happens: "answered as the normalised path",
      reason: "serve normalises paths and ignores their case when it rewrites them",
      covers: ({ request: { path }, answer, table }) => answer.status === 404 && normalPath(path, table) !== path,
      takenFor: ({ request, table }) => ({ ...request, path: normalPath(request.path, table) }),
    },
    ignoresSlash("serve ignores trailing slashes"),
    missingPageOfFirst("serve has only one error page"),
    noLostPage("serve has only one error page"),
  ],
};

function isReadable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    // A % that encodes nothing.
    return false;
  }
}

function normalPath(path: string, table: RoutingTable): string {
  const { pathname } = new URL(path.replace(/\/+/g, "/"), "http://localhost");
  const merged = decodeURIComponent(pathname).replace(/\/+/g, "/");
  // Without a rule for its path, a file is not found with a slash at its end.
  const isFile =
    table.documents.some(({ path, file }) => `/${file}/` === merged && path === `/${file}`) ||
    outputPatternsOf(table).some((output) => isOfPattern(output, merged.slice(0, -1)));
  const whole = isFile ? merged : merged.replace(/(?<=[^/])\/$/, "");
  const folders = [...table.operations.map(({ path }) => path), ...tablePatternsOf(table).map(({ folder }) => folder)];
  const others = table.documents.filter(({ path, file }) => path !== `/${file}`);
  const start =
    folders.find((folder) => `${whole}/`.toLowerCase().startsWith(`${folder}/`)) ??
    others.find(({ path }) => path === whole.toLowerCase())?.path;
  return start === undefined ? whole : start + whole.slice(start.length);
}

const settings = (tables: Tables): object => ({
  cleanUrls: false,
  directoryListing: false,
  rewrites: tables.flatMap(rewritesOf),
  headers: tables.flatMap(headersOf),
});

const rewritesOf = (table: RoutingTable): readonly object[] => [
  ...table.operations.map(({ path }) => ({ source: path, destination: `${path}.json` })),
  // `serve` ignores a slash at the end of a path, but a source must not end with one.
  ...otherNames(table).map(([path, file]) => ({ source: path.replace(/(?<=.)\/$/, ""), destination: `/${file}` })),
];

/** A later rule's headers override an earlier one's. The source of headers is a pattern of files. */
function headersOf(table: RoutingTable): readonly object[] {
  const { base, operations, headers, preflight, errorCacheControl } = table;
  const caches = groupBy(operations, ({ cacheControl }) => cacheControl);
  const ofOperations = (group: readonly TableOperation[], values: RoutingTable["headers"]) =>
    rules(
      group.map(({ path }) => path.slice(1)),
      values,
      "{.json,/**}",
    );
  const ofDocuments = (of: Parameters<typeof documentHeaders>[0], files: readonly string[]) =>
    rules(files, { ...headers, ...documentHeaders(of), ...preflight });
  return [
    ...rules([missingPage, `${apiFolder(base)}/**`], headers),
    ...[...caches].flatMap(([cache, group]) => ofOperations(group, { "Cache-Control": cache, ...preflight })),
    ...deprecatedOperations(table).flatMap(({ operation, headers: notice }) => ofOperations([operation], notice)),
    ...rules([missingPage, `${errorFolder(base)}/**`], { "Cache-Control": errorCacheControl }),
    // The path of a document may be one of an output's pattern.
    ...outputGroups(table).flatMap((group) =>
      ofDocuments(
        group[0],
        group.map((output) => withPlaceholders(output, "*").slice(1)),
      ),
    ),
    ...documentKinds(table).flatMap((kind) =>
      ofDocuments(kind, [
        ...kind.documents.map(({ file }) => file),
        ...kind.patterns.flatMap((pattern) => (isOutput(pattern) ? [] : `${pattern.folder.slice(1)}/**`)),
      ]),
    ),
  ];
}

type OutputGroup = [OutputPattern, ...OutputPattern[]];

/**
 * The outputs with the same headers, as far as no group between them matches a path of both. An output with more fixed text
 * comes later.
 */
function outputGroups(table: RoutingTable): readonly OutputGroup[] {
  const groups: OutputGroup[] = [];
  for (const output of outputPatternsOf(table).toReversed()) {
    const last = groups.findLastIndex((group) => group.some((other) => mayOverlap(output, other)));
    const headers = JSON.stringify(documentHeaders(output));
    const isAlike = ([first]: OutputGroup) => JSON.stringify(documentHeaders(first)) === headers;
    const group = groups.slice(Math.max(last, 0)).find(isAlike);
    if (group === undefined) groups.push([output]);
    else group.push(output);
  }
  return groups;
}

/** Whether some path may be one of both: they have as many parts, and the end of one is that of the other. */
function mayOverlap({ path: one }: OutputPattern, { path: other }: OutputPattern): boolean {
  const endOf = (path: string) => path.slice(path.lastIndexOf("}") + 1);
  const haveOneEnd = endOf(one).endsWith(endOf(other)) || endOf(other).endsWith(endOf(one));
  return haveOneEnd && one.split("/").length === other.split("/").length;
}

/** As few rules as possible for all files, because `serve` accepts few. Their sources have at most 100 characters. */
function rules(files: readonly string[], values: RoutingTable["headers"], ending = ""): readonly object[] {
  const sourceOf = (group: readonly string[]) => oneOf(group) + ending;
  const groups: string[][] = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last !== undefined && sourceOf([...last, file]).length <= 100) last.push(file);
    else groups.push([file]);
  }
  const headers = Object.entries(values).map(([key, value]) => ({ key, value }));
  return groups.map((group) => ({ source: sourceOf(group), headers }));
}

/** A pattern of files, with their common folder once: `api/v1/schemas/{nodes.json,regions.json}`. */
function oneOf(files: readonly string[]): string {
  const [first = ""] = files;
  if (files.length === 1) return first;
  let folder = first;
  do folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  while (!files.every((file) => file.startsWith(folder)));
  return `${folder}{${files.map((file) => file.slice(folder.length)).join(",")}}`;
}
