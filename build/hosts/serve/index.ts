// `serve`, the plain file server: serve.json maps paths without extension and sets headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options

import { base } from "../../../src/operations.ts";
import { textFile } from "../../file.ts";
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import type { HostAdapter } from "../host.ts";

export const serve = {
  name: "serve",
  owns: ["serve.json"],
  reads: ["serve.json"],
  files: (table) => {
    const pairs = (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).map(([key, value]) => ({ key, value }));
    const names = table.operations.map(({ name }) => name).join("|");
    const noStore = pairs({ "Cache-Control": table.errorCacheControl });
    const config = {
      cleanUrls: false,
      directoryListing: false,
      rewrites: [{ source: `${table.base}/:operation(${names})`, destination: `${table.base}/:operation.json` }],
      headers: [
        ...["404.html", `${apiFolder}/**`].map((source) => ({ source, headers: pairs(table.headers) })),
        ...table.operations.flatMap(({ name, cacheControl }) =>
          [`${apiFolder}/${name}.json`, `${apiFolder}/${name}/**`].map((source) => ({
            source,
            headers: pairs({ "Cache-Control": cacheControl }),
          })),
        ),
        ...["404.html", `${errorFolder}/**`].map((source) => ({ source, headers: noStore })),
      ],
    };
    return [textFile("serve.json", `${JSON.stringify(config, null, 2)}\n`)];
  },
  program: {
    command: "serve",
    install: "npm install",
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
      happens: "answered as GET",
      reason: "serve looks at no method",
      covers: (_, { status }) => status === 405,
      takenFor: (request) => ({ ...request, method: "GET" }),
    },
    {
      requests: "a path with %00 or with a % that encodes nothing",
      happens: "serve's own HTML page with the status 500 or 400",
      reason: "serve fails before it looks at any rule",
      covers: ({ path }) => !isReadable(path),
    },
    {
      requests: "a path with extra slashes, dot segments, encoded characters or capitals before the operation's name",
      happens: "answered as the normalised path",
      reason: "serve normalises paths and ignores their case when it rewrites them",
      covers: ({ path }) => normalPath(path) !== path,
      takenFor: (request) => ({ ...request, path: normalPath(request.path) }),
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

const normalPath = (path: string): string =>
  decodeURIComponent(new URL(path.replace(/\/+/g, "/"), "http://localhost").pathname)
    .replace(/(?<=[^/])\/$/, "")
    .replace(new RegExp(`^${base}/`, "i"), `${base}/`);
