// Publishing single items: new ones precede the pages that lead to them, and stale ones follow.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { singleItems, singleItemsContent, writeSingleItems } from "../../test/check/single-items.ts";
import { missing } from "../../test/hosts/publish.ts";
import { filesIn, newCloud, upload } from "../../test/hosts/upload.ts";
import { apache } from "./apache/index.ts";
import { cloudfront } from "./cloudfront/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-publishing-"));
const at = (name: string): string => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const { words, ports } = singleItemsContent;
const [first, ...others] = words;

beforeAll(async () => {
  for (const [name, own] of [
    ["one", {}],
    ["two", { words: [...others, { word: "z~1" }] }],
    ["edited", { ports: ports.map((each) => (each.port === 443 ? { ...each, name: "https" } : each)) }],
  ] as const) {
    writeSingleItems(at(`content-${name}`), { ...singleItemsContent, ...own });
    await buildForTest(at(`content-${name}`), at(name), [apache, cloudfront], singleItems);
  }
});

const pages = (names: readonly string[]): readonly string[] =>
  names.filter((file) => file.startsWith("api/v1/") && file.endsWith(".json"));

it("CloudFront's script sends all of them, new ones first, and removes stale ones last", async () => {
  const cloud = newCloud(at("cloud"));
  const sent = await upload(at("one"), cloud);
  expect(sent, sent.printed).toMatchObject({ code: 0 });
  expect(pages(filesIn(cloud.objects))).toEqual(pages(filesIn(at("one"))));
  const again = await upload(at("two"), cloud, { keepSent: true });
  expect(again, again.printed).toMatchObject({ code: 0 });
  expect(pages(filesIn(cloud.objects))).toEqual(pages(filesIn(at("two"))));
  const steps = again.calls.map((call) => {
    const from = call[2] ?? "";
    return call[1] === "cp" && !from.endsWith(".list") ? filesOf(from) : [call.join(" ")];
  });
  const place = (file: string) => steps.findIndex((step) => step.some((each) => each.includes(file)));
  expect(place("api/v1/words/item/z~1.json")).toBeGreaterThan(-1);
  expect(place("api/v1/words/item/z~1.json")).toBeLessThan(place("api/v1/words.json"));
  expect(place(`api/v1/words/item/${first?.word}.json`)).toBeGreaterThan(place("api/v1/words.json"));
});

it("CloudFront's script invalidates the address of an edited item and the path of its file", async () => {
  const cloud = newCloud(at("edited-cloud"));
  expect(await upload(at("one"), cloud)).toMatchObject({ code: 0 });
  const { code, invalidated } = await upload(at("edited"), cloud);
  expect(code).toBe(0);
  expect(invalidated).toEqual(expect.arrayContaining(["/api/v1/ports/443", "/api/v1/ports/item/443.json"]));
});

/** The files of a folder that was sent, or the file. */
const filesOf = (sent: string): readonly string[] => (statSync(sent).isDirectory() ? filesIn(sent) : [sent]);

describe.skipIf(missing !== undefined)("publish.sh --in-place", () => {
  it("has every item that a page lists, whenever one looks", () => {
    const target = at("target");
    const script = (name: string) => path.join(`${at(name)}.hosts`, "apache", "publish.sh");
    const publish = (name: string, env = {}) =>
      spawnSync("sh", [script(name), "--in-place", target], { env: { ...process.env, ...env }, encoding: "utf8" });
    expect(publish("one")).toMatchObject({ status: 0 });
    mkdirSync(at("bin"));
    const counted = `case "$*" in *--include-from*) echo >>"$STEPS"; [ "$(grep -c "" "$STEPS")" -le "$LAST" ] || exit 1 ;; esac`;
    writeFileSync(at("bin/rsync"), `#!/bin/sh\n${counted}\nexec ${whichRsync()} "$@"\n`, { mode: 0o755 });
    const gone: string[] = [];
    for (let last = 1, status: number | null = 1; status !== 0; last++) {
      writeFileSync(at("steps"), "");
      const env = { PATH: `${at("bin")}:${process.env["PATH"]}`, STEPS: at("steps"), LAST: String(last) };
      ({ status } = publish("two", env));
      const files = new Set(filesIn(target));
      const listed: { data: { word: string }[] } = JSON.parse(
        readFileSync(path.join(target, "api/v1/words.json"), "utf8"),
      );
      gone.push(...listed.data.map(({ word }) => `api/v1/words/item/${word}.json`).filter((file) => !files.has(file)));
    }
    expect(gone).toEqual([]);
    expect(pages(filesIn(target))).toEqual(pages(filesIn(at("two"))));
  });
});

const whichRsync = (): string => spawnSync("sh", ["-c", "command -v rsync"], { encoding: "utf8" }).stdout.trim();
