// The shared tests of emulated hosts, whose answers come from an emulator and not over HTTP.
import { describe, expect, it } from "vitest";
import { realContent, sampleContent } from "./built.ts";
import { conform, type Subject } from "./conform.ts";
import { conformanceRequests } from "./requests.ts";

/** Runs the conformance list on the real dataset and on samples with several page sizes, below the folder. */
export function describeConformance(
  host: string,
  folder: string,
  makeSite: (content: string) => Promise<Subject>,
): void {
  const samples = [
    sampleContent(folder, { count: 130, pageSizes: [1, 5, 10, 25, 50, 100], paging: "both" }),
    sampleContent(folder, { count: 130, pageSizes: [5, 100] }),
  ];
  describe.each([...samples, realContent(folder)])(`${host} with $name`, ({ content, missing, isComplete }) => {
    if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);

    it("answers every request of the conformance list as the contract or a declared gap says", async () => {
      const site = await makeSite(content);
      const requests = conformanceRequests(site.dataset);
      const { failures, occurrences } = await conform(site, requests);
      expect(failures).toEqual([]);
      const unseen = [...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests);
      if (isComplete) expect(unseen).toEqual([]);
    }, 180_000);
  });
}
