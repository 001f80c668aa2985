// What the tests of emulated hosts share: those whose answers come from an emulator and not over HTTP.
import path from "node:path";
import { describe, expect, it } from "vitest";
import { conform, type Subject } from "./conform.ts";
import { datasets } from "./fixture.ts";
import { conformanceRequests } from "./requests.ts";
import { type Sample, writeSample } from "./sample.ts";

/** Writes a sample below a folder and returns the folder of its content. */
export function makeSample(folder: string, sample: Sample): string {
  const content = path.join(folder, `content-${sample.count}-${sample.pageSizes}`);
  writeSample(content, sample);
  return content;
}

/** The conformance list on every dataset and with several page sizes. `folder` is the test's own. */
export function describeConformance(
  host: string,
  folder: string,
  makeSite: (content: string) => Promise<Subject>,
): void {
  const pageSizes = [
    [1, 5, 10, 25, 50, 100],
    [5, 100],
  ];
  const samples = pageSizes.map((sizes) => ({
    name: `a sample with the page sizes ${sizes.join(", ")}`,
    content: makeSample(folder, { count: 130, pageSizes: sizes }),
    missing: undefined,
    everyGap: true,
  }));
  const real = datasets.map((dataset) => ({ ...dataset, everyGap: false }));
  describe.each([...real, ...samples])(`${host} with $name`, ({ content, missing, everyGap }) => {
    if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);

    it("answers every request of the conformance list as the contract or a declared gap says", async () => {
      const site = await makeSite(content);
      const requests = conformanceRequests(site.dataset);
      const { failures, occurrences } = await conform(site, requests);
      expect(failures).toEqual([]);
      const unseen = [...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests);
      if (everyGap) expect(unseen).toEqual([]);
    }, 180_000);
  });
}
