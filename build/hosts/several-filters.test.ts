// A second filter is one more parameter in the routing table. Every host answers it without special code.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import { bodyIn, isFile } from "../../test/check/conform.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { loadCloudFront } from "../../test/hosts/cloudfront-emulator.ts";
import { loadNetlify } from "../../test/hosts/netlify-emulator.ts";
import { loadVercel } from "../../test/hosts/vercel-emulator.ts";
import { ask } from "../address/ask.ts";
import { passage } from "../check/declared.ts";
import { findProgram, startProgram } from "../cli/preview/program.ts";
import type { OutputFile } from "../file.ts";
import { type Request, resolve, settle } from "../routing/resolve.ts";
import { makeTable, type Param, type RoutingTable } from "../routing/table.ts";
import type { HostAdapter } from "./host.ts";
import { hosts } from "./hosts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-filters-"));
afterAll(() => rmSync(folder, { recursive: true }));

const table = withSecondFilter(makeTable(edgeNetwork, ["nodes", "status"], () => [5, 100]));
const cursor = "k0123456789abcdefghijklmn";
const all = queries();

type Send = (request: Request) => Promise<string> | string;

/** Starts a host's program or emulator. */
const answering: Readonly<
  Record<string, (host: HostAdapter, dist: string) => Promise<readonly [Send, () => Promise<void>]>>
> = {
  nginx: program,
  caddy: program,
  apache: program,
  netlify: async (_, dist) => {
    const emulator = await loadNetlify(dist, (file) => isFile(dist, file));
    return [async (request) => bodyIn(dist, await emulator.answer(request)), nothing];
  },
  vercel: async (_, dist) => {
    const config = readFileSync(path.join(dist, "vercel.json"), "utf8");
    const emulator = loadVercel(config, (file) => isFile(dist, file));
    return [(request) => bodyIn(dist, emulator.answer(request)), nothing];
  },
  cloudfront: async (_, dist) => {
    const bucket = {
      get: (file: string) =>
        isFile(dist, file)
          ? { headers: {}, size: 0, body: () => readFileSync(path.join(dist, file), "utf8") }
          : undefined,
    };
    const run = (script: string) => runInContext(script, createContext(Object.create(null)));
    const template = readFileSync(path.join(`${dist}.hosts`, "template.json"), "utf8");
    const send = loadCloudFront(template, bucket, run);
    return [(request) => send(request).body, nothing];
  },
};

describe.each(Object.keys(answering))("%s", (name) => {
  const host = hosts.get(name);
  const start = answering[name];
  if (host === undefined || start === undefined) throw new Error(`There is no host ${name}.`);
  const missing =
    host.program !== undefined &&
    findProgram(host.program) === undefined &&
    process.env.STILLAPI_SKIP_NOTHING === undefined;

  it.skipIf(missing && start === program)("answers two filters as the contract or a declared gap says", async () => {
    const dist = path.join(folder, name);
    writeSite(dist, host);
    const [send, stop] = await start(host, dist);
    const exists = (file: string) => isFile(dist, file);
    try {
      for (const query of all) {
        const request = { method: "GET", path: "/api/v1/nodes", query };
        const { taken, last } = passage(host.gaps, table, exists, request);
        const answer = last?.gives ? { file: last.gives.file(table.base) } : settle(resolve(table, taken), exists);
        expect({ query, body: await send(request) }).toEqual({ query, body: bodyIn(dist, answer) });
      }
    } finally {
      await stop();
    }
  });
});

async function program({ program: own }: HostAdapter, dist: string): Promise<readonly [Send, () => Promise<void>]> {
  if (own === undefined) throw new Error("It has no program.");
  const { origin, stop } = await startProgram(own, { publishRoot: dist, beside: `${dist}.hosts`, port: 0 });
  return [async (request) => (await ask(origin, request)).body, stop];
}

async function nothing(): Promise<void> {
  // An emulator needs no stop.
}

/** The nodes' table with a second filter, whose name is not a valid name of a variable. */
function withSecondFilter(of: RoutingTable): RoutingTable {
  return {
    ...of,
    operations: of.operations.map((operation) => {
      const first = operation.params.findIndex(({ kind }) => kind === "filter");
      const filter = operation.params[first];
      if (filter === undefined) return operation;
      const body = { ...filter.error.body, code: "invalid_run-by", param: "run-by" };
      const file = `api/v1/errors/${operation.name}/${body.code}.json`;
      const second: Param = {
        kind: "filter",
        name: "run-by",
        slot: "run_by",
        form: "^[a-z]+$",
        error: { status: 400, file, body },
      };
      return {
        ...operation,
        params: operation.params.toSpliced(first + 1, 0, second),
        pathOrder: operation.pathOrder.toSpliced(operation.pathOrder.indexOf(filter.slot) + 1, 0, second.slot),
      };
    }),
  };
}

/** Each parameter absent, known, unknown and malformed, in two orders. */
function queries(): readonly string[] {
  const values = {
    limit: ["5", "7", "100", "0"],
    region: ["lhr1", "zzz9", "%"],
    "run-by": ["us", "nobody", "..", ""],
    cursor: [cursor, `${cursor.slice(0, -1)}0`, "nope"],
  };
  const combined = Object.entries(values).reduce<readonly (readonly string[])[]>(
    (lists, [param, own]) => lists.flatMap((list) => [list, ...own.map((value) => [...list, `${param}=${value}`])]),
    [[]],
  );
  return combined.flatMap((pairs) => [pairs.join("&"), pairs.toReversed().join("&")]);
}

/** Writes a page for every listing (both filters, either, or none), with its path as its body. */
function writeSite(dist: string, host: HostAdapter): void {
  const write = (root: string, file: string, body: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), body);
  };
  for (const region of ["", "/region/lhr1"]) {
    for (const runBy of ["", "/run-by/us"]) {
      for (const limit of ["", "/limit/5"]) {
        for (const position of ["", `/cursor/${cursor}`]) {
          const file = `api/v1/nodes${region}${runBy}${limit}${position}.json`;
          write(dist, file, JSON.stringify({ file }));
        }
      }
    }
  }
  write(dist, "404.html", "missing");
  const errors = table.operations.flatMap(({ params }) => params.map(({ error }) => error));
  for (const { file, body } of [...errors, table.notFound, table.methodNotAllowed])
    write(dist, file, JSON.stringify(body));
  const put = (root: string, files: readonly OutputFile[]) => {
    for (const each of files) write(root, each.entry.file, Buffer.concat(each.parts()));
  };
  put(dist, host.files(table));
  put(`${dist}.hosts`, host.beside?.(table) ?? []);
}
