// Follows internals.md to the letter on a copy of the repository: each file is written, each diff applied and each command
// run, in the order of the page. Commands for the whole repository only run on the files that the page changes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, inject, it } from "vitest";
import { edgeNetwork } from "../test/edge-network.ts";
import { skipWithoutTools } from "../test/tools/skip.ts";
import { copyRepository, environment, writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const blocks = blocksOf(readPage("docs/internals.md"));
const copy = mkdtempSync(path.join(tmpdir(), "stillapi-internals-"));
const cwd = process.cwd();

afterAll(() => {
  process.chdir(cwd);
  rmSync(copy, { recursive: true });
});

/** Whoever has followed the page cannot follow it again. */
const isFollowed = blocks.some(({ language }) => existsSync(language.split(" ")[1] ?? ""));

/** The newest compiler takes a fifth of the time. */
const compiler = path.join(inject("toolPackages"), "typescript-7/bin/tsc");

const narrower: Readonly<Record<string, string>> = {
  "npm run generate": "npx vitest run docs/generated.test.ts --update",
  "npm run lint": "npx biome check build/hosts docs",
  "npm run typecheck": `node '${compiler}'`,
};

const read = (file: string): string => readFileSync(file, "utf8");

it.skipIf(isFollowed)("does what the page says", { timeout: 900_000 }, ({ skip }) => {
  skipWithoutTools(skip);
  copyRepository(copy, { count: 12, pageSizes: "every" });
  process.chdir(copy);
  writeFileSync("tsconfig.json", read("tsconfig.json").replace(/(?<="include": ).*/, '["build/hosts/hosts.ts"]'));
  const followed = { file: 0, diff: 0, sh: 0 };
  for (const block of blocks) {
    if (block.language === "sh") {
      const commands = block.text.replaceAll(/^npm run \w+$/gm, (command) => narrower[command] ?? command);
      execFileSync("sh", ["-e"], { env: environment(), input: commands });
      followed.sh++;
    } else {
      const written = writeBlock(block);
      if (written !== undefined) followed[written]++;
    }
  }
  expect(followed).toEqual({ file: 2, diff: 1, sh: 2 });

  expect(read("dist/firebase.json")).toContain(`"source": "${edgeNetwork.base}/`);
  expect(read("docs/hosts/README.md")).toContain("| [Firebase Hosting](firebase.md) | `firebase` | Files on ");
  expect(read("docs/hosts/README.md")).toMatch(/^\| \[firebase\]\(firebase\.md#gaps\) \| /m);
  expect(read("docs/hosts/firebase.md")).toContain("\n1. query strings: ignored");
});
