// `serve`, the plain file server: serve.json gives extension-less paths and headers. It matches no query strings.
// https://github.com/vercel/serve-handler#options
import { apiFolder } from "../../src/files.ts";
import { textFile } from "../file.ts";
import type { HostAdapter } from "./host.ts";

export const serve: HostAdapter = {
  name: "serve",
  owns: ["serve.json"],
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
        ...["404.html", `${apiFolder}/errors/**`].map((source) => ({ source, headers: noStore })),
      ],
    };
    return [textFile("serve.json", `${JSON.stringify(config, null, 2)}\n`)];
  },
  gaps: [
    {
      requests: "query strings",
      happens: "they are ignored: every request is answered with the first page of 100 items",
      reason: "serve matches paths only",
      covers: ({ query }) => query !== "",
    },
    {
      requests: "methods other than GET and HEAD",
      happens: "they are answered as GET",
      reason: "serve looks at no method",
      covers: ({ method }) => method !== "GET" && method !== "HEAD",
    },
  ],
};
