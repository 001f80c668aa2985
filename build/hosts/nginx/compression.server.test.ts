// The recipe of docs/hosts/README.md, as it is written, for an API with another base.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { everythingAt, writeEverything } from "../../../test/check/everything.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { findProgram, type RunningProgram, startProgram } from "../../cli/preview/program.ts";
import { textFile } from "../../files/file.ts";
import type { HostProgram } from "../host.ts";
import { nginx } from "./index.ts";

const folder = temporaryFolder();
const dist = path.join(folder, "dist");
const api = everythingAt("/data/v3");
const recipe = readFileSync("docs/hosts/README.md", "utf8").split("\n## Compression\n")[1] ?? "";
const [, directives = ""] = /`(gzip_static [^`]*)`/.exec(recipe) ?? [];
const [, command = ""] = /```sh\n(.*?)```/s.exec(recipe) ?? [];

const { program } = nginx as { readonly program: HostProgram };

describe.skipIf(findProgram(program) === undefined)("nginx with compressed copies", () => {
  let server: RunningProgram;

  beforeAll(async () => {
    const content = path.join(folder, "content");
    writeEverything(content);
    await buildForTest(content, dist, [nginx], api);
    execFileSync("sh", ["-euc", command], { cwd: folder });
    const run: HostProgram["run"] = (site) => {
      const { files, ...rest } = program.run(site);
      const configured = files.map(({ file, parts }) =>
        textFile(
          file,
          Buffer.concat([...parts()])
            .toString()
            .replace("server {", `server { ${directives}`),
        ),
      );
      return { ...rest, files: configured };
    };
    const place = { base: api.base, publishRoot: dist, configuration: path.join(`${dist}.hosts`, "nginx"), port: 0 };
    server = await startProgram({ ...program, run }, place);
  });

  afterAll(async () => {
    await server?.stop();
  });

  it.each([
    ["/data/v3/things", "", "data/v3/things.json"],
    ["/data/v3/things", "region=us&limit=25", "data/v3/things/region/us/limit/25.json"],
    ["/data/v3", "", "data/v3.json"],
    ["/data/v3/openapi.json", "", "data/v3/openapi.json"],
    ["/data/v3/dumps/things.ndjson", "", "data/v3/dumps/things.ndjson"],
    ["/data/v3/docs/", "", "data/v3/docs/index.html"],
    ["/data/v3/docs/data/things", "", "data/v3/docs/data/things.html"],
    ["/", "", "index.html"],
  ])("sends %s?%s compressed to those who accept it, with its own ETag", async (asked, query, file) => {
    const request = { method: "GET", path: asked, query };
    const whole = readFileSync(path.join(dist, file), "utf8");
    const plain = await ask(server.origin, request);
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(plain.body).toBe(whole);
    const packed = await ask(server.origin, request, { "accept-encoding": "gzip" });
    expect(packed).toMatchObject({ status: 200, headers: { "content-encoding": "gzip", vary: "Accept-Encoding" } });
    expect(packed.headers["content-type"]).toBe(plain.headers["content-type"]);
    expect(Number(packed.headers["content-length"])).toBeLessThan(whole.length);
    expect(packed.body).toBe(whole);
    const { etag = "" } = packed.headers;
    expect(etag).not.toBe(plain.headers["etag"]);
    const again = await ask(server.origin, request, { "accept-encoding": "gzip", "if-none-match": etag });
    expect(again).toMatchObject({ status: 304, headers: { etag } });
  });

  it("replaces the copies when the command is run again, and makes the same of the same files", () => {
    const copy = path.join(dist, "data/v3/things.json.gz");
    const before = readFileSync(copy);
    writeFileSync(path.join(dist, "index.html"), `<!doctype html>${" ".repeat(2_000)}`);
    execFileSync("sh", ["-euc", command], { cwd: folder });
    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(gunzipSync(readFileSync(path.join(dist, "index.html.gz"))).toString()).toMatch(/^<!doctype html> +$/);
  });
});
