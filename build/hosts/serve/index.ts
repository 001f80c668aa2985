// `serve`, the plain file server: serve.json maps paths without extension and sets headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options

import { textFile } from "../../file.ts";
import { apiFolder, errorFolder, itemFile } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";
import type { HostAdapter } from "../host.ts";
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
    {
      requests: "methods other than GET and HEAD",
      happens: "answered as GET; operations and documents always have the headers that let a preflight pass",
      reason: "serve looks at no method",
      covers: ({ method }) => method !== "GET" && method !== "HEAD",
      takenFor: (request) => ({ ...request, method: "GET" }),
    },
    {
      requests: "a path with %00 or with a % that encodes nothing",
      happens: "serve's HTML page with the status 500 or 400",
      reason: "serve fails before it looks at any rule",
      covers: ({ path }) => !isReadable(path),
    },
    {
      requests:
        "a path with extra slashes, dot segments, encoded characters or capitals before the operation's name, or in it before an item's key",
      happens: "answered as the normalised path",
      reason: "serve normalises paths and ignores their case when it rewrites them",
      covers: ({ path }, { status }, _, table) => status === 404 && normalPath(path, table) !== path,
      takenFor: (request, _, table) => ({ ...request, path: normalPath(request.path, table) }),
    },
    {
      requests: "the path of a document without the slash at its end",
      happens: "answered as with the slash, not redirected",
      reason: "serve ignores slashes at the end of paths, so a redirect would lead to itself",
      covers: (_, { status }) => status === 308,
      takenFor: (request) => ({ ...request, path: `${request.path}/` }),
    },
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

function normalPath(path: string, { operations }: RoutingTable): string {
  const whole = decodeURIComponent(new URL(path.replace(/\/+/g, "/"), "http://localhost").pathname)
    .replace(/\/+/g, "/")
    .replace(/(?<=[^/])\/$/, "");
  const holder = operations.find((each) => each.item && whole.toLowerCase().startsWith(`${each.path}/`.toLowerCase()));
  return holder === undefined
    ? whole.replace(/^.*\//, (folder) => folder.toLowerCase())
    : holder.path + whole.slice(holder.path.length);
}

/** A later rule's headers override an earlier one's. A rule's source is a pattern of files. */
function settings({ base, operations, documents, headers, preflight, errorCacheControl }: RoutingTable): object {
  const rule = (source: string, values: Readonly<Record<string, string>>) => ({
    source,
    headers: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  const names = operations.map(({ name }) => name).join("|");
  return {
    cleanUrls: false,
    directoryListing: false,
    rewrites: [
      { source: `${base}/:operation(${names})`, destination: `${base}/:operation.json` },
      ...operations.flatMap(({ path, item }) => {
        if (item === undefined) return [];
        const key = Array.from({ length: item.parts }, (_, index) => `:key${index + 1}`).join("/");
        return [{ source: `${path}/${key}`, destination: `/${itemFile(path, key)}` }];
      }),
      // `serve` ignores a slash at the end of a path, but a source must not end with one.
      ...documents.map(({ path, file }) => ({ source: path.replace(/(?<=.)\/$/, ""), destination: `/${file}` })),
    ],
    headers: [
      ...["404.html", `${apiFolder(base)}/**`].map((source) => rule(source, headers)),
      ...operations.flatMap(({ name, cacheControl }) =>
        [`${apiFolder(base)}/${name}.json`, `${apiFolder(base)}/${name}/**`].map((source) =>
          rule(source, { "Cache-Control": cacheControl, ...preflight }),
        ),
      ),
      ...["404.html", `${errorFolder(base)}/**`].map((source) => rule(source, { "Cache-Control": errorCacheControl })),
      ...documents.map(({ file, contentType, cacheControl }) =>
        rule(file, { ...headers, "Content-Type": contentType, "Cache-Control": cacheControl, ...preflight }),
      ),
    ],
  };
}
