// The built API on this machine with the contract's full semantics: the routing table decides what is answered,
// serve-handler (the engine of `serve`) reads and sends the file.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import serveHandler from "serve-handler";
import { MachineError } from "../machine-error.ts";
import { type Answer, resolve, settle, splitTarget } from "../routing/resolve.ts";
import { parseRoutingTable, type RoutingTable, routingTable, tableFile } from "../routing/table.ts";

export interface Preview {
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** The paths of the operations that are served. */
  readonly paths: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Serves a folder on 127.0.0.1. Port 0 takes any free port. Rejects where the folder was not built or the port is taken. */
export async function startPreview(folder: string, port: number): Promise<Preview> {
  const tableOf = tableReader(folder);
  const paths = tableOf().operations.map((operation) => operation.path);
  const root = realpathSync(folder);
  const server = createServer((request, response) => {
    answer(root, tableOf, request, response).catch((error: unknown) => {
      if (!(error instanceof MachineError)) throw error;
      refuse(response, `${error.message} ${error.hint ?? ""}`.trim());
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    paths,
    stop: () =>
      new Promise((stopped, failed) => {
        server.close((error) => (error ? failed(error) : stopped()));
        server.closeAllConnections();
      }),
  };
}

/** The routing table of a built folder. */
export function readTable(folder: string): RoutingTable {
  const file = path.join(folder, tableFile);
  if (!existsSync(file)) throw new MachineError(`${folder} holds no built API.`, "Run the build first.");
  const text = readFileSync(file, "utf8");
  const table = parseRoutingTable(text) && routingTable.safeParse(JSON.parse(text)).data;
  if (table !== undefined) return table;
  throw new MachineError(`${file} is not a routing table of this version.`, "Run the build again.");
}

/** The table as it is now: a build may replace it while the preview runs. */
function tableReader(folder: string): () => RoutingTable {
  let read = { at: -1, table: readTable(folder) };
  return () => {
    const at = statSync(path.join(folder, tableFile), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (read.at !== at) read = { at, table: readTable(folder) };
    return read.table;
  };
}

async function answer(
  root: string,
  tableOf: () => RoutingTable,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = splitTarget(relative(request.url ?? "/"));
  const resolution = resolve(tableOf(), { method: request.method ?? "GET", ...target });
  const settled = settle(resolution, (file) => exists(root, file));
  dictate(response, settled, request.headers["if-none-match"]);
  request.url = `/${settled.file}`;
  // Ranges are not part of the contract, and an error is not to be answered with a 304.
  delete request.headers.range;
  if (settled.status !== 200) delete request.headers["if-none-match"];
  const config = { public: root, cleanUrls: false, directoryListing: false, etag: settled.status === 200 };
  await serveHandler(request, response, config, {
    sendError: async () => refuse(response, `There is no ${settled.file}. Run the build again.`),
  });
}

/** Without the origin that a request in the absolute form has (RFC 9112, section 3.2.2). */
const relative = (target: string): string => target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");

/** By its exact name, also where the file system ignores case. */
function exists(root: string, file: string): boolean {
  const full = path.join(root, file);
  return statSync(full, { throwIfNoEntry: false })?.isFile() === true && realpathSync.native(full) === full;
}

/** Makes a response carry the status and headers of its answer, whatever serve-handler sets. */
function dictate(response: ServerResponse, { status, headers }: Answer, ifNoneMatch: string | undefined): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (sent: number, given?: unknown) => {
    for (const name of ["Content-Disposition", "Accept-Ranges"]) response.removeHeader(name);
    const theirs = Object.entries(Object(given)).filter(
      ([name]) => name !== "Content-Disposition" && name !== "Accept-Ranges",
    );
    for (const [name, value] of [...theirs, ...Object.entries(headers)]) response.setHeader(name, String(value));
    // serve-handler leaves the ETag out of a 304, which must carry it (RFC 9110, section 15.4.5).
    if (sent === 304 && ifNoneMatch !== undefined) response.setHeader("ETag", ifNoneMatch);
    return writeHead(status === 200 || sent === 500 ? sent : status);
  };
}

/** The folder is not what a build made any more: no answer of the contract says that. */
function refuse(response: ServerResponse, message: string): void {
  response.writeHead(500, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify({ object: "error", status: 500, code: "internal_error", message }));
}
