// `serve`, the plain file server: serve.json maps paths without extension and sets headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options

import { textFile } from "../../file.ts";
import { groupBy } from "../../group-by.ts";
import { apiFolder, errorFolder, itemFile } from "../../routing/paths.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { ignoresMethods, ignoresSlash } from "../gaps.ts";
import type { HostAdapter } from "../host.ts";
import { documentKinds, documentsByName, documentsOutsideFolders, itemKeys } from "../known-paths.ts";
import { json } from "../syntax.ts";

export const serve = {
  name: "serve",
  owns: () => ["serve.json"],
  reads: () => ["serve.json"],
  files: (table) => [textFile("serve.json", json(settings(table)))],
  program: {
    command: "serve",
    install: "npm ci",
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
      covers: ({ query }) => query !== "",
      takenFor: (request) => ({ ...request, query: "" }),
    },
    ignoresMethods("serve looks at no method"),
    {
      requests: "a path with %00 or with a % that encodes nothing",
      happens: "serve's HTML page with the status 500 or 400",
      reason: "serve fails before it looks at any rule",
      covers: ({ path }) => !isReadable(path),
    },
    {
      requests: "the path of the description, if its last part has a dot",
      happens: "404 with the body of not_found",
      reason: "serve takes a path with a dot for a file's, and finds a folder",
      covers: ({ path }, _, __, table) =>
        normalPath(path, table) === table.base && /\.[^./]+\/*$/.test(decodeURIComponent(path)),
      gives: ({ notFound }) => notFound,
    },
    {
      requests:
        "a path with extra slashes, dot segments, encoded characters or capitals before the operation's name, or in it before an item's key or the name of a table",
      happens: "answered as the normalised path",
      reason: "serve normalises paths and ignores their case when it rewrites them",
      covers: ({ path }, { status }, _, table) => status === 404 && normalPath(path, table) !== path,
      takenFor: (request, _, table) => ({ ...request, path: normalPath(request.path, table) }),
    },
    ignoresSlash("serve ignores slashes at the end of paths"),
  ],
} satisfies HostAdapter;

function isReadable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    // A % that encodes nothing.
    return false;
  }
}

function normalPath(path: string, { operations, documents, folders }: RoutingTable): string {
  const merged = decodeURIComponent(new URL(path.replace(/\/+/g, "/"), "http://localhost").pathname).replace(
    /\/+/g,
    "/",
  );
  // Without a rule for its path, a file is not found with a slash at its end.
  const isFile = documentsByName(documents).named.some((each) => `${each.path}/` === merged);
  const whole = isFile ? merged : merged.replace(/(?<=[^/])\/$/, "");
  const folder = folders.find((each) => whole.toLowerCase().startsWith(`${each.path}/`.toLowerCase()));
  if (folder !== undefined) return folder.path + whole.slice(folder.path.length);
  const holder = operations.find((each) => each.item && whole.toLowerCase().startsWith(`${each.path}/`.toLowerCase()));
  return holder === undefined
    ? whole.replace(/^.*\//, (folder) => folder.toLowerCase())
    : holder.path + whole.slice(holder.path.length);
}

/** A later rule's headers override an earlier one's. A rule's source is a pattern of files. */
function settings(table: RoutingTable): object {
  const { base, operations, folders, headers, preflight, errorCacheControl } = table;
  const folder = apiFolder(base);
  const rewrite = (before: string, name: string, names: readonly string[], after: string, destination: string) =>
    together(names, (some) => `${before}:${name}(${some.join("|")})${after}`).map((source) => ({
      source,
      destination,
    }));
  const rules = (files: readonly string[], values: Readonly<Record<string, string>>, ending = "") =>
    together(files, (some) => (some.length === 1 ? some[0] : `{${some.join(",")}}`) + ending).map((source) => ({
      source,
      headers: Object.entries(values).map(([key, value]) => ({ key, value })),
    }));
  const caches = groupBy(operations, ({ cacheControl }) => cacheControl);
  const { pages, others } = documentsByName(documentsOutsideFolders(table));
  const pagesByFolder = groupBy(pages, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return {
    cleanUrls: false,
    directoryListing: false,
    rewrites: [
      ...rewrite(`${base}/`, "list", namesIn(operations), "", `${base}/:list.json`),
      ...itemKeys(table).flatMap(({ operations: own, parts }) => {
        const key = segments("key", parts);
        return rewrite(`${base}/`, "list", namesIn(own), key, `/${itemFile(`${base}/:list`, key.slice(1))}`);
      }),
      ...folders.flatMap(({ path, least, most }) =>
        Array.from({ length: most - least + 1 }, (_, index) => {
          const source = path + segments("part", least + index);
          return { source, destination: `${source}.html` };
        }),
      ),
      ...[...pagesByFolder].flatMap(([above, own]) => {
        const names = own.map(({ path }) => path.slice(above.length));
        return rewrite(above, "page", names, "", `${above}:page.html`);
      }),
      // `serve` ignores a slash at the end of a path, but a source must not end with one.
      ...others.map(({ path, file }) => ({ source: path.replace(/(?<=.)\/$/, ""), destination: `/${file}` })),
    ],
    headers: [
      ...rules(["404.html", `${folder}/**`], headers),
      ...[...caches].flatMap(([cache, own]) => {
        const files = own.map(({ path }) => path.slice(1));
        return rules(files, { "Cache-Control": cache, ...preflight }, "{.json,/**}");
      }),
      // Pages of a filter cannot be asked for.
      ...operations.flatMap(({ path, notices = [] }) => {
        const notice = notices.find(({ param }) => param === undefined);
        return notice === undefined ? [] : rules([path.slice(1)], notice.headers, "{.json,/**}");
      }),
      ...rules(["404.html", `${errorFolder(base)}/**`], { "Cache-Control": errorCacheControl }),
      ...documentKinds(table).flatMap(({ contentType, cacheControl, documents: alone, folders: further }) => {
        const own = { ...headers, "Content-Type": contentType, "Cache-Control": cacheControl, ...preflight };
        return rules([...alone.map(({ file }) => file), ...further.map(({ path }) => `${path.slice(1)}/**`)], own);
      }),
    ],
  };
}

/** `/:key1/:key2` */
const segments = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `/:${name}${index + 1}`).join("");

const namesIn = (operations: readonly TableOperation[]): readonly string[] => operations.map(({ name }) => name);

/** As few sources as possible for all names: `serve` accepts 50 rules of a kind, with sources of 100 characters. */
function together(names: readonly string[], sourceOf: (some: readonly string[]) => string): readonly string[] {
  const groups: string[][] = [];
  for (const name of names) {
    const last = groups.at(-1);
    if (last !== undefined && sourceOf([...last, name]).length <= 100) last.push(name);
    else groups.push([name]);
  }
  return groups.map(sourceOf);
}
