// `serve`, a file server to look at a build with: serve.json has the paths and headers of operations and documents. It
// matches no query strings. https://github.com/vercel/serve-handler#options
import { textFile } from "../../files/file.ts";
import { apiFolder, missingPage } from "../../routing/paths.ts";
import { answerHeaders, bodiless, documentHeaders } from "../../routing/resolve.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { groupBy } from "../../values/group-by.ts";
import type { HostAdapter, Tables } from "../host.ts";
import { jsonText } from "../syntax.ts";
import { byFolder, otherNames, viewOf } from "../view.ts";

export const serve: HostAdapter = {
  name: "serve",
  reads: ["serve.json"],
  generates: ["serve.json"],
  files: (tables) => [textFile("serve.json", jsonText(settings(tables)))],
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
  ],
};

const settings = (tables: Tables): object => ({
  cleanUrls: false,
  directoryListing: false,
  rewrites: tables.flatMap(rewritesOf),
  headers: [...tables.flatMap(operationRules), ...tables.flatMap(documentRules)].slice(0, maxRules),
});

/** serve does not start with more rules of headers. Without one, a file has the Content-Type of its ending. */
const maxRules = 50;

const rewritesOf = (table: RoutingTable): readonly object[] => [
  ...table.operations.map(({ path }) => ({ source: path, destination: `${path}.json` })),
  // serve ignores a slash at the end of a path, but a source must not end with one.
  ...otherNames(table).map(([path, file]) => ({ source: path.replace(/(?<=.)\/$/, ""), destination: `/${file}` })),
];

/** A later rule's headers override an earlier one's. */
const operationRules = (table: RoutingTable): readonly object[] => [
  ...rules([missingPage], { ...table.headers, "Cache-Control": table.errorCacheControl }),
  ...rules([`${apiFolder(table.base)}/**`], bodiless(table)),
  ...[...groupBy(table.operations, (operation) => JSON.stringify(answerHeaders(operation))).values()].flatMap(
    (group) => {
      const folders = group.map(({ path }) => path.slice(1));
      return rules(folders, { ...table.headers, ...answerHeaders(group[0]) }, "{.json,/**}");
    },
  ),
];

const documentRules = (table: RoutingTable): readonly object[] =>
  viewOf(table).kinds.flatMap((kind) => {
    const files = kind.documents.map(({ file }) => file);
    return rules(files, { ...table.headers, ...documentHeaders(kind) });
  });

/** A rule for as many files of a folder as its source can name: `api/v1/dumps/{nodes.ndjson,regions.ndjson}`. */
function rules(files: readonly string[], values: RoutingTable["headers"], ending = ""): readonly object[] {
  const headers = Object.entries(values).map(([key, value]) => ({ key, value }));
  return byFolder(files).flatMap(([folder, names]) =>
    sourcesOf(folder, names, ending).map((source) => ({ source, headers })),
  );
}

/** serve does not start with a longer source. */
const maxSource = 100;

function sourcesOf(folder: string, names: readonly string[], ending: string): readonly string[] {
  const isOne = names.length === 1;
  const source = folder + (isOne ? names.join() : `{${names.join()}}`) + ending;
  if (source.length <= maxSource) return [source];
  if (isOne) return [];
  const half = Math.ceil(names.length / 2);
  return [...sourcesOf(folder, names.slice(0, half), ending), ...sourcesOf(folder, names.slice(half), ending)];
}
