// What answers requests in this process, and each server that is installed, answers one request of each kind as the contract
// or its declared gaps say. In CI they get the whole list: see test/conformance/.
import { expect, it } from "vitest";
import { conform } from "../check/conform.ts";
import { describeRows, get } from "../conformance/subjects.ts";

describeRows(
  ({ npmTest }) => npmTest,
  ({ row, subject, requests }) => {
    it("answers the requests as the contract or a declared gap says", async () => {
      expect((await conform(subject(), requests())).failures).toEqual([]);
    });

    if (row.title !== "the routing table") return;
    it("is found to be wrong if an answer is", async () => {
      const { base } = subject().dataset.api;
      const asked = ["things", "health", "nope"].map((name) => get(`${base}/${name}`));
      const { failures } = await conform(
        {
          ...subject(),
          async send(request) {
            const answer = await subject().send(request);
            return { ...answer, headers: { ...answer.headers, "cache-control": "no-cache" }, body: `${answer.body} ` };
          },
        },
        asked,
      );
      expect(failures).toHaveLength(asked.length);
      for (const failure of failures) expect(failure).toMatch(/^GET .*: cache-control: no-cache, not /);
    });
  },
);
