// Every host answers the whole list as the contract says if not everybody may read, or not from every origin.
import { describe, expect, it } from "vitest";
import { conform } from "../check/conform.ts";
import { describeRows } from "./subjects.ts";

/** Lines of api.yaml. */
const settings = [
  "access: { description: Ask., scheme: basic }",
  "access: { description: Ask., scheme: { header: X-API-Key } }\norigins: none",
  "access: { description: Ask., scheme: { cookie: session } }\norigins: https://one.example",
];

describe.each(settings)("with %s", (lines) => {
  describeRows(
    ({ ci, isShared }) => (isShared ? "none" : ci),
    ({ subject, requests }) => {
      it("answers the requests as the contract or a declared gap says", async () => {
        expect((await conform(subject(), requests())).failures).toEqual([]);
      });
    },
    undefined,
    `${lines}\n`,
  );
});
