import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Preview, startPreview } from "../../build/cli/preview/preview.ts";
import { resolve, settle } from "../../build/routing/resolve.ts";
import { readBuild } from "../../build/verify/build.ts";
import { verify } from "../../build/verify/verify.ts";
import { type Built, buildForTest } from "./built.ts";
import { bodyIn, conform, isFile, type Subject } from "./conform.ts";
import { serveWith } from "./published.ts";
import { conformanceRequests } from "./requests.ts";
import { singleItems, writeSingleItems } from "./single-items.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-items-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

describe("single items", () => {
  let built: Built;
  let subject: Subject;

  beforeAll(async () => {
    writeSingleItems(path.join(folder, "content"));
    built = await buildForTest(path.join(folder, "content"), dist, [], singleItems);
    const send: Subject["send"] = (request) => {
      const answer = settle(resolve(built.plan.table, request), (each) => isFile(dist, each));
      const lowercase = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
      return {
        status: answer.status,
        headers: Object.fromEntries(lowercase),
        body: bodyIn(dist, answer, request.method),
      };
    };
    subject = { dataset: built.dataset, dist, gaps: [], send };
  });

  it("have a file each, with all fields, and one for each alias that is not the key", () => {
    const read = (file: string) => readFileSync(path.join(dist, "api/v1", file), "utf8");
    const node =
      '{"name":"nodejs","vendor":"acme","aliases":["node","node.js","nodejs","io~js"],"label":"Überlang ☃ nodejs"}';
    for (const name of ["nodejs", "node", "node.js", "io~js"]) expect(read(`products/item/${name}.json`)).toBe(node);
    expect(read("releases/item/nodejs/18.20.1.json")).toBe('{"product":"nodejs","name":"18.20.1","lts":false}');
    expect(read("builds/item/a.b/20/-1.json")).toBe('{"product":"a.b","release":"20","number":-1,"size":0.5}');
    expect(read("ports/item/8080.json")).toBe(read("ports/item/80.json"));
    expect(isFile(dist, "api/v1/vendors/item/acme.json")).toBe(false);
  });

  it("are answered as the contract says", async () => {
    const requests = conformanceRequests(built.dataset);
    const { failures } = await conform(subject, requests);
    expect(failures).toEqual([]);
  });

  describe("at an address", () => {
    let preview: Preview;

    beforeAll(async () => {
      preview = await startPreview(dist, 0);
    });
    afterAll(() => preview?.stop());

    const missing = "api/v1/words/item/null.json";
    const other = "api/v1/releases/item/go/A.json";

    it.each([
      ["nothing if all are right", {}, []],
      [
        "a missing one and a different one",
        { [missing]: undefined, [other]: "{}" },
        ["The data is stale, or of another build: 1 answer.", "The status is 404 not_found, not 200: 1 answer."],
      ],
    ])("verify reports %s", async (_, files: Readonly<Record<string, string | undefined>>, expected) => {
      const build = readBuild(dist);
      const kept = new Map(Object.keys(files).map((file) => [file, readFileSync(path.join(dist, file))]));
      const asBuilt = { ...build, read: (file: string) => kept.get(file) ?? build.read(file) };
      const exists = (file: string) => kept.has(file) || build.exists(file);
      for (const [file, text] of Object.entries(files)) {
        if (text === undefined) rmSync(path.join(dist, file));
        else writeFileSync(path.join(dist, file), text);
      }
      try {
        const { findings } = await verify(new URL(preview.origin), { ...asBuilt, exists }, { all: true });
        expect(findings.map(({ message }) => message).sort()).toEqual(expected);
      } finally {
        for (const [file, bytes] of kept) writeFileSync(path.join(dist, file), bytes);
      }
    });

    it("verify asks for items of every collection", async () => {
      const server = await serveWith(preview.origin);
      onTestFinished(() => server.stop());
      await verify(new URL(server.origin), readBuild(dist));
      const asked = server.asked.map(({ url }) => url);
      for (const item of ["products/[^/]+", "releases/.*/.*", "builds/.*/.*/.*", "ports/80[80]0"]) {
        expect(asked).toContainEqual(expect.stringMatching(new RegExp(`^/api/v1/${item}$`)));
      }
    });
  });
});
