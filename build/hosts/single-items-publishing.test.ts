// Publishing single items: new ones precede the pages that lead to them, and stale ones follow.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { singleItems, singleItemsContent, writeSingleItems } from "../../test/check/single-items.ts";
import { filesIn, newCloud, upload } from "../../test/hosts/upload.ts";
import { cloudfront } from "./cloudfront/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-publishing-"));
const at = (name: string): string => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const { words } = singleItemsContent;
const [first, ...others] = words;

beforeAll(async () => {
  for (const [name, own] of [
    ["one", {}],
    ["two", { words: [...others, { word: "z~1" }] }],
  ] as const) {
    writeSingleItems(at(`content-${name}`), { ...singleItemsContent, ...own });
    await buildForTest(at(`content-${name}`), at(name), [cloudfront], singleItems);
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

/** The files of a folder that was sent, or the file. */
const filesOf = (sent: string): readonly string[] => (statSync(sent).isDirectory() ? filesIn(sent) : [sent]);
