// Whenever a build is stopped, the cursors of the pages in its folder lead to pages.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { deadEnds } from "../../test/check/dead-ends.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { contentsOf, type Files, lay, temporaryFolder } from "../../test/output/folder.ts";
import { changing, intercept } from "../../test/output/intercept.ts";
import { earlyIn } from "../../test/output/publication.ts";
import { messagesOfBuild } from "../../test/plan.ts";
import { rounds } from "../../test/seed.ts";

async function buildAt(content: string, out: string, now: number): Promise<void> {
  const history = { from: out, now } as const;
  expect(await messagesOfBuild({ api: edgeNetwork, content, out, history })).toEqual([]);
}

/** Stale pages are deleted last, in any order: no request leads to pages of a size whose first page is gone. */
const pagesIn = (files: Files): readonly string[] =>
  Object.keys(files).filter((file) => file.replace(/\/cursor\/\w+(?=\.json$)/, "") in files);

it("every cursor leads to a page and the changes name what is there wherever a build stops", async () => {
  const parent = temporaryFolder();
  const a = path.join(parent, "a");
  const b = path.join(parent, "b");
  const first = path.join(parent, "first");
  writeSample(a, { count: 12, pageSizes: [2, 5] });
  writeSample(b, { count: 12, pageSizes: [2, 3] });
  const [one = "", two = ""] = ["a", "b"].map((name) => path.join(parent, name));
  // The items near the front come and go, so that nearly all pages of both differ.
  for (const [folder, gone] of [
    [one, 1],
    [two, 3],
  ] as const) {
    for (const name of ["nodes.json", "records.json", "images.json"]) {
      const file = path.join(folder, name);
      const items: unknown[] = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify(items.toSpliced(gone, 1)));
    }
  }
  await buildAt(a, first, 1_700_000_000);
  const before = contentsOf(first);
  expect(deadEnds(before, pagesIn(before))).toEqual([]);
  const complete = path.join(parent, "complete");
  lay(complete, before);
  await buildAt(b, complete, 1_700_000_060);
  const after = contentsOf(complete);
  let wasKilled = true;
  let kills = 0;
  // Every fourth change is the last one if this runs in .ci/run.
  for (let changes = 0; wasKilled; changes += Math.max(3, Math.ceil(12 / rounds))) {
    const out = path.join(parent, `dist-${changes}`);
    lay(out, before);
    wasKilled = false;
    await intercept(
      () => buildAt(b, out, 1_700_000_060),
      changing,
      (index) => {
        if (index < changes) return;
        wasKilled = true;
        throw new Error("killed");
      },
    ).catch((error) => {
      if (!wasKilled) throw error;
    });
    const files = contentsOf(out);
    expect({ changes, dead: deadEnds(files, pagesIn(files)) }).toEqual({ changes, dead: [] });
    expect({ changes, early: earlyIn(files, before, after) }).toEqual({ changes, early: [] });
    if (wasKilled) kills++;
    // Every page behind a cursor that was there is there, but for those whose size answers no limit any more.
    const isKept = (file: string) => file.includes("/cursor/") && !file.includes("/limit/5/");
    const gone = Object.keys(before).filter((file) => isKept(file) && !(file in files));
    expect(gone).toEqual([]);
  }
  expect(kills).toBeGreaterThan(8);
});
