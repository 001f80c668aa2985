import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { one, writeContent } from "../../test/cli/content-folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { differences } from "../../test/output/cli.ts";
import { contentsOf, lay, temporaryFolder } from "../../test/output/folder.ts";
import { build } from "../build.ts";
import { eachFile, type OutputFile, textFile } from "../file.ts";
import { nginx } from "../hosts/nginx/index.ts";
import { withSidecars } from "./precompress.ts";

const page = "api/v1/nodes.json";

/** The sidecars of a page with this text, by their paths. */
function sidecars(text: string, encodings: Parameters<typeof withSidecars>[2] = ["br", "gzip"]) {
  const [first, ...rest] = eachFile(withSidecars(edgeNetwork.base, [textFile(page, text)], encodings));
  expect(first?.entry).toEqual(textFile(page, text).entry);
  return new Map(rest.map(({ entry: { file }, parts }) => [file, Buffer.concat(parts())]));
}

/** A text of which a share compresses to nearly nothing and the rest hardly compresses. */
const textOf = (length: number, share: number): string => {
  const random = Array.from({ length: Math.ceil(length / 64) }, (_, index) =>
    createHash("sha256").update(String(index)).digest("hex"),
  );
  return "a".repeat(Math.floor(length * share)) + random.join("").slice(0, Math.ceil(length * (1 - share)));
};

it("creates sidecars that decompress to the page, save at least a tenth, and differ in length", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (length, share) => {
      const text = textOf(length, share);
      const made = sidecars(text);
      const [br, gz] = [made.get(`${page}.br`), made.get(`${page}.gz`)];
      expect(made.size).toBe([br, gz].filter((each) => each !== undefined).length);
      for (const bytes of made.values()) expect(bytes.length * 10).toBeLessThanOrEqual(Buffer.byteLength(text) * 9);
      if (br !== undefined) expect(brotliDecompressSync(br).toString()).toBe(text);
      if (gz !== undefined) expect(gunzipSync(gz).toString()).toBe(text);
      if (br !== undefined && gz !== undefined) expect(br.length).toBeLessThan(gz.length);
    }),
    { numRuns: 200 },
  );
});

it("creates none for a page that compresses by less than a tenth", () => {
  expect([...sidecars("[]").keys()]).toEqual([]);
  expect([...sidecars("a".repeat(1_000)).keys()]).toEqual([`${page}.gz`, `${page}.br`]);
});

it("creates only the requested encodings, and only for pages", () => {
  const text = "a".repeat(1_000);
  expect([...sidecars(text, ["gzip"]).keys()]).toEqual([`${page}.gz`]);
  expect([...sidecars(text, []).keys()]).toEqual([]);
  const others: readonly OutputFile[] = ["api/v1/errors/not_found.json", "404.html"].map((file) =>
    textFile(file, text),
  );
  expect([...withSidecars(edgeNetwork.base, others, ["br", "gzip"])]).toEqual(others);
});

it("writes no time and no system into the header of gzip", () => {
  const header = sidecars("a".repeat(1_000)).get(`${page}.gz`)?.subarray(0, 10);
  // As in RFC 1952, section 2.3: the magic number, deflate, no flags, no time, slowest, unknown system.
  expect([...(header ?? [])]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
});

it("gives the same files whatever the folder held before, and repairs files that were tampered with", async () => {
  const parent = temporaryFolder();
  const content = path.join(parent, "content");
  writeContent(content);
  const events = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };
  const buildInto = async (out: string, precompress: boolean, deployment = one) => {
    const [, faults] = await build({ api: edgeNetwork, content, out, deployment, hosts: [nginx], precompress }, events);
    expect(faults).toEqual([]);
    return contentsOf(out);
  };
  const clean = await buildInto(path.join(parent, "clean"), true);
  const plain = await buildInto(path.join(parent, "plain"), false);
  const out = path.join(parent, "out");
  await buildInto(out, true, "edge");
  expect(differences(await buildInto(out, true), clean)).toEqual([]);
  for (const file of Object.keys(clean).filter((each) => each.endsWith(".json.gz"))) {
    expect(gunzipSync(readFileSync(path.join(out, file))).toString()).toBe(clean[file.slice(0, -".gz".length)]);
  }
  lay(out, {
    [`api/v1/${one}.json.gz`]: "torn",
    [`api/v1/${one}/limit/77.json.br`]: "stale",
    "notes.json.gz": "not of this program",
  });
  expect(differences(await buildInto(out, true), clean)).toEqual(["notes.json.gz"]);
  expect(differences(await buildInto(out, false), plain)).toEqual(["notes.json.gz"]);
});
