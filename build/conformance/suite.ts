// What the tests of hosts have in common that are asked through an engine on this machine and not over HTTP.
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
  }));
  describe.each([...datasets, ...samples])(`${host} with $name`, ({ content, missing }) => {
    if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);

    it("answers every request of the conformance list as the contract or a declared gap says", async () => {
      const site = await makeSite(content);
      const requests = conformanceRequests(site.dataset);
      const { failures, occurrences } = await conform(site, requests);
      expect(failures).toEqual([]);
      expect([...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests)).toEqual([]);
      expect(requests.length).toBeGreaterThan(1000);
    }, 180_000);
  });
}
