// What the commands say of an address at which there is something else than the API.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../../test/cli/run-command.ts";
import { serve } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { startPreview } from "../preview/preview.ts";

const folder = temporaryFolder();

/** A repository whose API has one collection. */
function repository(name: string): readonly string[] {
  const project = path.join(folder, name);
  mkdirSync(path.join(project, "content"), { recursive: true });
  writeFileSync(
    path.join(project, "api.config.ts"),
    `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi"; import { slug } from "stillapi/forms";
const ${name} = defineCollection({ purpose: "All.", schema: z.strictObject({ id: slug.describe("Names it.") }), key: "id" });
export default defineApi({ collections: { ${name} } });`,
  );
  writeFileSync(path.join(project, "content", `${name}.json`), '[{"id":"one"}]');
  return ["--config", path.join(project, "api.config.ts"), "--content", path.join(project, "content")];
}

let towns: readonly string[];
let lakes: readonly string[];
const dist = path.join(folder, "dist");

beforeAll(async () => {
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  towns = repository("towns");
  lakes = repository("lakes");
  expect(await run(["build", ...towns, "--out", dist])).toMatchObject({ status: 0, stderr: "" });
});

/** What the three commands that read an address print about it. */
async function printed(address: string) {
  const verify = await run(["verify", address, "--out", dist]);
  const diff = await run(["diff", ...towns, "--against", address]);
  const build = await run(["build", ...towns, "--out", path.join(folder, "next"), "--previous", address]);
  return { verify, diff, build };
}

const refused = (stderr: string) => ({ status: 2, stdout: "", stderr });

const lost = (address: string, reason: string) => ({
  status: 1,
  stdout: "",
  stderr: `previous-lost Could not read the previous build at ${address} (${reason}). Build again when it can be read. With --previous none, the build starts anew, and existing cursors may stop working.\n✗ 1 fault; nothing was built.\n`,
});

const unused = (reason: string) => ({
  status: 0,
  stderr: `previous-unread (warning) Could not read the previous build (${reason}), so earlier pages are not kept, and the list of changes starts with this build. Existing cursors only work if a page of the new build starts at their position.\n`,
});

describe("of an address that asks for a password", () => {
  const locked = () =>
    serve((request, response) => {
      requests.push(String(request.url));
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    });
  const requests: string[] = [];

  it("they say so at once, and how to give one", async () => {
    const origin = await locked();
    const { host } = new URL(origin);
    const reason = `the server at ${host} asks who reads (401): write a name and a password before the host, as in http://NAME:PASSWORD@${host}, or another header in STILLAPI_HEADERS`;
    const sentence = `✗ T${reason.slice(1)}.\n`;
    const said = await printed(origin);
    expect(said).toMatchObject({ verify: refused(sentence), diff: refused(sentence), build: lost(origin, reason) });
    expect(requests).toEqual(["/api/v1", "/api/v1", "/api/v1/cursors.json"]);
  });

  it("they say that the one of the address is wrong, without it", async () => {
    const origin = await locked();
    const reason = `the server at ${new URL(origin).host} does not accept the name and the password of the address (401)`;
    const sentence = `✗ T${reason.slice(1)}.\n`;
    const said = await printed(origin.replace("//", "//user:secret@"));
    expect(said).toMatchObject({ verify: refused(sentence), diff: refused(sentence), build: lost(origin, reason) });
  });
});

describe("with the name and the password of an address, or headers of the variable", () => {
  const authorization = `Basic ${Buffer.from("user:secret").toString("base64")}`;
  const withPassword = (origin: string) => origin.replace("//", "//user:secret@");

  it("they read what is published, and neither print them nor write them into a file", async () => {
    const { origin, stop } = await startPreview(dist, 0);
    onTestFinished(stop);
    const locked = await serve((request, response) => {
      const { authorization: sent, "x-key": key } = request.headers;
      if (sent !== authorization && key !== "secret") return response.writeHead(401).end();
      fetch(origin + request.url, { method: request.method ?? "GET" }).then(async (answer) =>
        response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())),
      );
      return response;
    });
    const next = path.join(folder, "next");
    for (const [address, env] of [
      [withPassword(locked), {}],
      [locked, { STILLAPI_HEADERS: "X-Key: secret\n" }],
    ] as const) {
      const printedTexts = [
        // The server in front leaves out all headers, so the answers differ.
        await run(["verify", address, "--out", dist], env),
        await run(["verify", address, "--out", dist, "--format", "json"], env),
        await run(["diff", ...towns, "--against", address], env),
        await run(["diff", ...towns, "--against", address, "--format", "json"], env),
        await run(["diff", ...towns, "--against", address, "--format", "markdown"], env),
        await run(["build", ...towns, "--out", next, "--previous", address], env),
        await run(["build", ...towns, "--out", next, "--previous", address, "--format", "json"], env),
      ];
      expect(printedTexts.map(({ status }) => status)).toEqual([1, 1, 0, 0, 0, 0, 0]);
      for (const { stdout, stderr } of printedTexts) expect(stdout + stderr).not.toMatch(/secret|user|dXNlcjpz/);
      const files = readdirSync(next, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files.length).toBeGreaterThan(0);
      for (const { parentPath, name } of files)
        expect(readFileSync(path.join(parentPath, name), "latin1")).not.toMatch(/secret|dXNlcjpz/);
    }
  });

  it("they send them to no other origin, and not where a redirect leads", async () => {
    const asked: string[] = [];
    const other = await serve((request, response) => {
      asked.push(String(request.url));
      response.end();
    });
    const headers = { location: `${other}/api/v1` };
    const moved = await serve((_, response) => response.writeHead(302, headers).end());
    const { verify, diff, build } = await printed(withPassword(moved));
    expect([verify.status, diff.status, build.status]).toEqual([2, 2, 1]);
    for (const { stdout, stderr } of [verify, diff, build]) expect(stdout + stderr).not.toContain("secret");
    expect(asked).toEqual([]);
  });

  it.each([
    "http://user:secret@preview.example.com",
    "https://user:secret@[preview",
    "https//user:secret@preview.example.com",
    "ftp://user:secret@preview.example.com",
  ])("they refuse %s, and do not print the password", async (address) => {
    const { verify, diff, build } = await printed(address);
    for (const { status, stdout, stderr } of [verify, diff, build]) {
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^✗ /);
      expect(stderr).not.toContain("secret");
    }
  });

  it("they end with 2 if a line of the variable is no header, and send nothing", async () => {
    const env = { STILLAPI_HEADERS: "X-Key: secret\nsecret" };
    const sentence = "✗ Line 2 of STILLAPI_HEADERS is not a header. Write Name: value, in ASCII, one a line.\n";
    const address = "https://preview.invalid";
    for (const args of [
      ["verify", address, "--out", dist],
      ["diff", ...towns, "--against", address],
      ["build", ...towns, "--out", path.join(folder, "next"), "--previous", address],
    ]) {
      expect(await run(args, env)).toEqual(refused(sentence));
    }
  });
});

it("say that an address has no API, and what it has instead", async () => {
  const empty = await serve((_, response) => response.writeHead(404).end());
  expect(await printed(empty)).toMatchObject({
    verify: refused(`✗ There is no API of stillapi at ${empty}/api/v1: the status is 404. Check the URL.\n`),
    diff: refused(`✗ There is no API of stillapi at ${empty}/api/v1. Check the address and its base.\n`),
    build: {
      status: 0,
      stderr: `previous-unread (warning) There is no previous build at ${empty}. This build counts as the first.\n`,
    },
  });
  const site = await serve((_, response) => response.end("<!doctype html>"));
  expect(await printed(`${site}/api/v1`)).toMatchObject({
    verify: refused(`✗ There is no API of stillapi at ${site}/api/v1: its answer describes none. Check the URL.\n`),
    diff: refused(`✗ There is no API of stillapi at ${site}/api/v1. Check the address and its base.\n`),
    build: lost(`${site}/api/v1`, "stillapi did not write it"),
  });
});

it("say of an address with another API which one it is", async () => {
  const other = path.join(folder, "other");
  expect(await run(["build", ...lakes, "--out", other])).toMatchObject({ status: 0 });
  const { origin, stop } = await startPreview(other, 0);
  onTestFinished(stop);
  const { verify, diff, build } = await printed(origin);
  expect(verify).toEqual(
    refused(`✗ Another API is published at ${origin}/api/v1: API, with lakes. The API in ${dist} has towns.\n`),
  );
  expect(diff).toMatchObject({ status: 0, stderr: "" });
  expect(diff.stdout).toContain(
    `\n! Another API may be published at ${origin}/api/v1: it has lakes, and this API has none of them.\n`,
  );
  expect(build).toMatchObject(unused("it belongs to another API, with lakes"));
});
