// Every host answers the whole list as the contract says if not everybody may read, or not from every origin.
import { describe, expect, it } from "vitest";
import { conform } from "../check/conform.ts";
import { rounds } from "../seed.ts";
import { describeRows } from "./subjects.ts";

/** Lines of api.yaml. The first change most headers. Each further round tries the next ones. */
const settings = [
  "access: { description: Ask., scheme: { cookie: session } }\norigins: https://one.example",
  "access: { description: Ask., scheme: { header: X-API-Key } }\norigins: none",
  "access: { description: Ask., scheme: basic }",
];

describe.each(settings.slice(0, rounds))("with %s", (lines) => {
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
