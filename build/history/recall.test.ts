// What a build learns of an earlier one, from a folder or over HTTP, and that it trusts nothing which is not such a state.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { writeSample } from "../conformance/sample.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { readCatalog } from "../content/content.ts";
import { chooseDeployment } from "../content/deployments.ts";
import { cursorsFile } from "../routing/paths.ts";
import { remember } from "./history.ts";
import { recall } from "./recall.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-history-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function sample(count: number): Promise<readonly [Catalog, Deployment]> {
  const content = path.join(folder, `content-${count}`);
  writeSample(content, { count, pageSizes: [5] });
  const [catalog, faults] = await readCatalog(content);
  expect(faults).toEqual([]);
  return [catalog, chooseDeployment(catalog, undefined)];
}

const [before, after] = [await sample(30), await sample(20)];
const most = Number.POSITIVE_INFINITY;
const now = 1_700_000_000;

/** The files that a build leaves for the next one. */
const stateOf = (content: typeof before, mostBytes = most): ReadonlyMap<string, Uint8Array> =>
  new Map(
    remember(...content, { kind: "none" }, now, mostBytes).documents.map((each) => [
      each.file,
      Buffer.concat(each.parts()),
    ]),
  );

function lay(files: ReadonlyMap<string, string | Uint8Array>): string {
  const root = mkdtempSync(path.join(folder, "root-"));
  mkdirSync(path.join(root, path.dirname(cursorsFile())), { recursive: true });
  for (const [file, bytes] of files) writeFileSync(path.join(root, file), bytes);
  return root;
}

/** A server that is stopped after the test; its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

const files =
  (of: ReadonlyMap<string, Uint8Array>): RequestListener =>
  (request, response) => {
    const bytes = of.get((request.url ?? "").slice(1));
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  };

async function recalled(from: string, isExpected = true, content = after) {
  const [history, faults] = await recall({ kind: "previous", from, now, isExpected }, ...content, most);
  expect(faults).toEqual([]);
  return history;
}

const text = (value: unknown) => new Map([[cursorsFile(), typeof value === "string" ? value : JSON.stringify(value)]]);

it("knows the build in a folder, at an address, and at the address of its API", async () => {
  const state = stateOf(before);
  const origin = await serve(files(state));
  const fromFolder = await recalled(lay(state));
  expect(fromFolder).toMatchObject({ earlier: [expect.any(Map)], warnings: [] });
  for (const address of [origin, `${origin}/`, `${origin}/api/v1`, `${origin}/api/v1/`]) {
    expect((await recalled(address)).earlier).toEqual(fromFolder.earlier);
  }
});

it("keeps the state in several files where one is too large, and reads them", async () => {
  const state = stateOf(before, 2_000);
  expect(state.size).toBeGreaterThan(3);
  for (const bytes of state.values()) {
    expect(bytes.length).toBeLessThanOrEqual(2_000);
    JSON.parse(Buffer.from(bytes).toString());
  }
  const whole = await recalled(lay(stateOf(before)));
  expect((await recalled(lay(state))).earlier).toEqual(whole.earlier);
  expect((await recalled(await serve(files(state)))).earlier).toEqual(whole.earlier);
  const torn = new Map([...state, [cursorsFile(3), stateOf(after, 2_000).get(cursorsFile(3)) ?? Buffer.of()]]);
  expect(await recalled(lay(torn))).toMatchObject({
    earlier: [],
    warnings: [expect.stringContaining("not of one build")],
  });
  const missing = new Map([...state].filter(([file]) => file !== cursorsFile(2)));
  expect(await recalled(lay(missing))).toMatchObject({
    warnings: [expect.stringContaining("is missing or damaged")],
  });
});

it("takes a build for the first one where there is none, and says so where one was named", async () => {
  for (const from of [lay(new Map()), path.join(folder, "nowhere"), await serve(files(new Map()))]) {
    expect(await recalled(from, false)).toMatchObject({ earlier: [], warnings: [] });
    const warning = `There is no previous build at ${from}. This build counts as the first.`;
    expect(await recalled(from)).toMatchObject({ earlier: [], warnings: [warning] });
  }
});

describe("goes on without", () => {
  const own = JSON.parse(Buffer.from(stateOf(before).get(cursorsFile()) ?? Buffer.of()).toString());
  const [name = ""] = Object.keys(own.operations);
  const [, ...keys] = own.operations[name].keys;
  const withOperation = (change: object) => ({
    ...own,
    operations: { ...own.operations, [name]: { ...own.operations[name], ...change } },
  });
  const withEarlier = (change: object) => ({ ...own, earlier: [{ superseded: now, operations: { [name]: change } }] });

  it.each<[string, string | object, string]>([
    ["a text", "hello", "it is not a file of this program"],
    ["a page of HTML", "<!doctype html>", "it is not a file of this program"],
    ["an empty file", "", "it is not a file of this program"],
    ["another program's", { ...own, generator: "other" }, "it is not a file of this program"],
    ["a later form", { ...own, form: 2 }, "it is of a later version of this program, in form 2 instead of 1"],
    ["another deployment's", { ...own, deployment: "media" }, 'it is of the deployment "media"'],
    ["a torn file", JSON.stringify(own).slice(0, -20), "it is not a file of this program"],
    ["keys without values", withOperation({ keys }), "it is damaged"],
    ["keys in disorder", withOperation({ keys: ["b", "a"], values: {}, known: {} }), "it is damaged"],
    ["sizes out of range", withOperation({ sizes: [0, 1_000] }), "it is damaged"],
    ["edits of more items than there are", withEarlier({ edits: [1_000_000] }), "it is damaged"],
    ["edits of fewer items than there are", withEarlier({ edits: [1] }), "it is damaged"],
    ["edits that put in keys without values", withEarlier({ edits: [["x"]] }), "it is damaged"],
    ["earlier builds that are none", { ...own, earlier: [1] }, "it is damaged"],
  ])("%s", async (_, value, reason) => {
    const { earlier, warnings, documents } = await recalled(lay(text(value)));
    expect(warnings).toEqual([`Could not read the previous build (${reason}). Existing cursors will stop working.`]);
    // What follows a damaged build is as good as it was.
    expect(earlier.length).toBeLessThanOrEqual(1);
    expect(Buffer.concat(documents[0]?.parts() ?? []).subarray(0, 30)).toEqual(
      Buffer.from('{"generator":"edge-api","form"'),
    );
  });

  it("a folder in its place, and a file of 2 GB", async () => {
    const root = lay(new Map());
    mkdirSync(path.join(root, cursorsFile()));
    expect((await recalled(root)).warnings).toEqual([
      expect.stringMatching(/is not a file\)\. Existing cursors will stop working\.$/),
    ]);
    const large = lay(text("{}"));
    truncateSync(path.join(large, cursorsFile()), 2 ** 31);
    expect((await recalled(large)).warnings).toEqual([expect.stringContaining("it is longer than 500 MB")]);
  });
});

it("reports a fault if the build is required and cannot be read", async () => {
  const required = (from: string) => ({ kind: "previous", from, now, isExpected: true, isRequired: true }) as const;
  for (const from of [lay(new Map()), lay(text("hello"))]) {
    const [, faults] = await recall(required(from), ...after, most);
    expect(faults).toMatchObject([{ code: "previous-lost", message: expect.stringContaining(from) }]);
  }
  expect((await recall(required(lay(stateOf(before))), ...after, most))[1]).toEqual([]);
});

it("takes a time in the future for now", async () => {
  const state = stateOf(before);
  const later = remember(...after, { kind: "state", bytes: state.get(cursorsFile()) ?? Buffer.of() }, now + 10_000);
  const left = Buffer.concat(later.documents[0]?.parts() ?? []);
  const again = remember(...after, { kind: "state", bytes: left }, now);
  expect(again.earlier).toEqual(later.earlier);
  expect(Buffer.concat(again.documents[0]?.parts() ?? []).toString()).toContain(`"superseded":${now},`);
  expect(remember(...after, { kind: "state", bytes: left }, now + 10_900).earlier).toEqual([]);
});
