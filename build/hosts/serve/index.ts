// `serve`, the plain file server: serve.json maps paths without extension and sets headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options

import { textFile } from "../../files/file.ts";
import { apiFolder, errorFolder, missingPage } from "../../routing/paths.ts";
import { isOfPattern, isOutput, outputPatternsOf, tablePatternsOf } from "../../routing/resolve.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { groupBy } from "../../values/group-by.ts";
import { ignoresMethods, ignoresSlash } from "../gaps.ts";
import type { HostAdapter, Tables } from "../host.ts";
import { deprecatedOperations, documentKinds, otherNames, withPlaceholders } from "../known-paths.ts";
import { json } from "../syntax.ts";

export const serve: HostAdapter = {
  name: "serve",
  reads: ["serve.json"],
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
  gaps: [
    {
      requests: "query strings",
      happens: "ignored: the answer is the first page of 100 items",
      reason: "serve matches paths only",
      covers: ({ request }) => request.query !== "",
      takenFor: ({ request }) => ({ ...request, query: "" }),
    },
    ignoresMethods("serve looks at no method"),
    {
      requests: "a path with %00 or with a % that encodes nothing",
      happens: "serve's HTML page with the status 500 or 400",
      reason: "serve fails before it looks at any rule",
      covers: ({ request }) => !isReadable(request.path),
    },
    {
      requests: "the path of the description, if its last part has a dot",
      happens: "404 with the body of not_found",
      reason: "serve takes a path with a dot for a file's, and finds a folder",
      covers: ({ request: { path }, table }) =>
        normalPath(path, table) === table.base && /\.[^./]+\/*$/.test(decodeURIComponent(path)),
      gives: ({ notFound }) => notFound,
    },
    {
      requests:
        "a path with extra slashes, dot segments or encoded characters, or with capitals in the part before an item's key or the name of a table",
      happens: "answered as the normalised path",
      reason: "serve normalises paths and ignores their case when it rewrites them",
      covers: ({ request: { path }, answer, table }) => answer.status === 404 && normalPath(path, table) !== path,
      takenFor: ({ request, table }) => ({ ...request, path: normalPath(request.path, table) }),
    },
    ignoresSlash("serve ignores slashes at the end of paths"),
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
  const ofDocuments = (
    { contentType, cacheControl }: { readonly contentType: string; readonly cacheControl: string },
    files: readonly string[],
  ) => rules(files, { ...headers, "Content-Type": contentType, "Cache-Control": cacheControl, ...preflight });
  return [
    ...rules([missingPage, `${apiFolder(base)}/**`], headers),
    ...[...caches].flatMap(([cache, group]) => ofOperations(group, { "Cache-Control": cache, ...preflight })),
    ...deprecatedOperations(table).flatMap(({ operation, headers: notice }) => ofOperations([operation], notice)),
    ...rules([missingPage, `${errorFolder(base)}/**`], { "Cache-Control": errorCacheControl }),
    // The path of a document may be one of an output's pattern.
    ...outputPatternsOf(table)
      .toReversed()
      .flatMap((output) => ofDocuments(output, [withPlaceholders(output, "*").slice(1)])),
    ...documentKinds(table).flatMap((kind) =>
      ofDocuments(kind, [
        ...kind.documents.map(({ file }) => file),
        ...kind.patterns.flatMap((pattern) => (isOutput(pattern) ? [] : `${pattern.folder.slice(1)}/**`)),
      ]),
    ),
  ];
}

/** As few rules as possible for all files: `serve` accepts 50 rules of headers, with sources of 100 characters. */
function rules(files: readonly string[], values: RoutingTable["headers"], ending = ""): readonly object[] {
  const sourceOf = (group: readonly string[]) => (group.length === 1 ? group[0] : `{${group.join(",")}}`) + ending;
  const groups: string[][] = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last !== undefined && sourceOf([...last, file]).length <= 100) last.push(file);
    else groups.push([file]);
  }
  const headers = Object.entries(values).map(([key, value]) => ({ key, value }));
  return groups.map((group) => ({ source: sourceOf(group), headers }));
}
