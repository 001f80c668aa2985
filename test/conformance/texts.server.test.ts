// Texts of a declaration that a server's configuration could read as syntax reach the client as they are.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram, startProgram } from "../../build/cli/preview/program.ts";
import type { OutputFile } from "../../build/files/file.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { makeTable, type RoutingTable } from "../../build/routing/table.ts";
import { ask } from "../ask.ts";
import { edgeNetwork } from "../edge-network.ts";
import { random } from "../random.ts";
import { rounds, seed } from "../seed.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();

const { int, pick } = random(seed);
const pieces = ['"', "{", "}", "%", "$", "\\", "'", "`", "|", "#", ";", "<", ">", "(", ")", "*", "~", "^", "=", ","];
const words = [
  "{$HOME}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: servers would expand it
  "${HOME}",
  "%{HOME}e",
  "%t",
  "$1",
  "%1",
  "$uri",
  "{http.request.uri.path}",
  "expr=",
  "\\n",
  "a ",
];
const randomText = () => Array.from({ length: 1 + int(12) }, () => pick([...pieces, ...words])).join("");

/** Values of Cache-Control. A line break in one is a fault of the declaration. */
const texts = ["expr=x", ...Array.from({ length: 50 * rounds }, () => `x="${randomText()}"`)];

const table: RoutingTable = (() => {
  const original = makeTable(edgeNetwork, ["regions"], () => [100]);
  const [model] = original.operations;
  if (model === undefined) throw new Error("The table has no operation.");
  return {
    ...original,
    operations: texts.map((cacheControl, index) => ({
      ...model,
      name: `t${index}`,
      path: `/api/v1/t${index}`,
      cacheControl,
    })),
    documents: texts.map((cacheControl, index) => ({
      path: `/api/v1/d${index}.txt`,
      file: `api/v1/d${index}.txt`,
      contentType: "text/plain",
      cacheControl,
    })),
  };
})();

const write = (file: string, body: string | Uint8Array): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, body);
};
const put = (root: string, files: readonly OutputFile[]): void => {
  for (const file of files) write(path.join(root, file.file), Buffer.concat([...file.parts()]));
};

describe.each(["nginx", "caddy", "apache"])("%s", (name) => {
  const host = hosts.get(name);
  const program = host?.program;
  if (program === undefined) throw new Error(`${name} has no program.`);
  if (findProgram(program) === undefined) {
    return it.skip(`is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
  }

  it("sends odd texts of the declaration as they are", async () => {
    const dist = path.join(folder, name);
    const configuration = path.join(folder, `${name}.hosts`);
    for (const { file } of table.documents) write(path.join(dist, file), "{}");
    for (const { path: target } of table.operations) write(path.join(dist, `${target}.json`), "{}");
    put(dist, host?.files?.([table]) ?? []);
    put(configuration, host?.configuration?.([table]) ?? []);
    const { origin, stop } = await startProgram(program, {
      base: table.base,
      publishRoot: dist,
      configuration,
      port: 0,
    });
    try {
      for (const { path: asked, cacheControl } of [...table.operations, ...table.documents]) {
        const { status, headers } = await ask(origin, { method: "GET", path: asked, query: "" });
        expect({ asked, status, cache: headers["cache-control"] }).toEqual({ asked, status: 200, cache: cacheControl });
      }
    } finally {
      await stop();
    }
  }, 60_000);
});
