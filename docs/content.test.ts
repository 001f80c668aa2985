import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { declarationCodes, faultCodes } from "../build/diagnostics.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { between } from "./between.ts";
import { contentTables } from "./content-tables.ts";

const { operations } = edgeNetwork;

it("tells the fields that there are: npm run generate writes the tables", async () => {
  const page = readFileSync("docs/content.md", "utf8");
  // An operation that was added may be missing until someone writes the tables again.
  const listed =
    process.env["npm_lifecycle_event"] === "generate"
      ? operations
      : operations.filter(({ name }) => page.includes(`\n## ${name}\n`));
  await expect(between(page, "fields", contentTables(listed))).toMatchFileSnapshot("content.md");
});

it("lists the codes of all faults", () => {
  const page = readFileSync("docs/faults.md", "utf8");
  const listed = [...page.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)]);
  const codes = [...faultCodes, "over-budget", "previous-lost", ...declarationCodes];
  expect(listed.map(([, code]) => code).sort()).toEqual(codes.sort());
});
