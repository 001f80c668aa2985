import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { serve } from "../../test/serve.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { openPublished } from "./open.ts";
import { Unreadable } from "./unreadable.ts";

const limits = { purpose: "test", maxBytes: 10, time: 10_000, patience: 1_000, waits: [] };

const folder = temporaryFolder();
mkdirSync(path.join(folder, "api/v1/dumps"), { recursive: true });
mkdirSync(path.join(folder, "api/v1/folder.json"));
writeFileSync(path.join(folder, "api/v1/nodes.json"), "nodes");
writeFileSync(path.join(folder, "api/v1/dumps/nodes.ndjson"), "lines");
writeFileSync(path.join(folder, "api/v1/large.json"), "more than ten");

const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
  "/below/api/v1/nodes": [200, "nodes"],
  "/below/api/v1/dumps/nodes.ndjson": [200, "lines"],
  "/below/api/v1/large": [200, "more than ten"],
  "/below/api/v1/busy": [503, ""],
};

const published = () =>
  serve((request, response) => {
    const [status, body] = answers[request.url ?? ""] ?? [404, ""];
    response.writeHead(status).end(body);
  });

async function readAll(place: string, ...paths: readonly string[]) {
  const files = await openPublished(place, "/api/v1", limits);
  try {
    return await Promise.all(
      paths.map((name) =>
        files.read(name).then(String, (error) => {
          if (error instanceof Unreadable) return { reason: error.reason, message: error.message };
          throw error;
        }),
      ),
    );
  } finally {
    files.close();
  }
}

it("reads a folder and an address, with or without the base, by the paths of requests", async () => {
  const origin = await published();
  const paths = ["/api/v1/nodes", "/api/v1/dumps/nodes.ndjson", "/api/v1/nowhere"];
  for (const place of [folder, `${origin}/below`, `${origin}/below/api/v1/`]) {
    expect(await readAll(place, ...paths)).toEqual(["nodes", "lines", "undefined"]);
  }
});

it("says why a file of a folder cannot be read", async () => {
  const api = path.join(folder, "api/v1");
  expect(await readAll(folder, "/api/v1/large", "/api/v1/folder")).toEqual([
    {
      reason: "it is longer than 0.00001 MB",
      message: `${api}/large.json cannot be read: it is longer than 0.00001 MB.`,
    },
    { reason: `${api}/folder.json is not a file`, message: `${api}/folder.json is not a file.` },
  ]);
});

it("says why a file at an address cannot be read, without the password", async () => {
  const origin = await published();
  const address = `${origin.replace("//", "//user:secret@")}/below`;
  expect(await readAll(address, "/api/v1/large", "/api/v1/busy")).toEqual([
    {
      reason: "the body is too long",
      message: `${origin}/below/api/v1/large cannot be read: the body is too long.`,
    },
    {
      reason: "the status of the answer is 503",
      message: `${origin}/below/api/v1/busy cannot be read: the status of the answer is 503.`,
    },
  ]);
});
