// Follows extending.md to the letter on a copy of the repository: each file is written, each diff applied and each
// command run, in the order of the page: those for the whole repository on what the page changes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { edgeNetwork } from "../test/edge-network.ts";
import { copyRepository, environment } from "./copy.ts";

const copy = mkdtempSync(path.join(tmpdir(), "stillapi-extending-"));
afterAll(() => rmSync(copy, { recursive: true }));

/** A fenced block: its language, the file that it is, and its text. */
const blocks = [...readFileSync("docs/extending.md", "utf8").matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];

/** Whoever has followed the page cannot follow it again. */
const isFollowed = blocks.some(([, , file]) => file !== undefined && existsSync(file));

function run(command: string, args: readonly string[], input = ""): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: copy,
    env: environment(),
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${input}\n${stdout}\n${stderr}`);
}

const narrower: Readonly<Record<string, string>> = {
  "npm run generate": "npx vitest run docs/generated.test.ts --update",
  "npm run lint": "npx biome check build/hosts docs && npx depcruise build/hosts",
  "npm run typecheck": "npx tsc",
};

const read = (file: string): string => readFileSync(path.join(copy, file), "utf8");

it.skipIf(isFollowed)("does what the page says", { timeout: 900_000 }, () => {
  copyRepository(copy, { count: 12, pageSizes: "every" });
  const config = read("tsconfig.json");
  writeFileSync(path.join(copy, "tsconfig.json"), config.replace(/(?<="include": ).*/, '["build/hosts/hosts.ts"]'));
  const followed = { file: 0, diff: 0, sh: 0 };
  for (const [, language = "", file, text = ""] of blocks) {
    if (file !== undefined) {
      mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
      writeFileSync(path.join(copy, file), text);
      followed.file++;
    } else if (language === "diff") {
      run("git", ["apply", "-"], text);
      followed.diff++;
    } else if (language === "sh") {
      run(
        "sh",
        ["-e"],
        text.replaceAll(/^npm run (?:generate|lint|typecheck)$/gm, (command) => narrower[command] ?? ""),
      );
      followed.sh++;
    }
  }
  expect(followed).toEqual({ file: 2, diff: 1, sh: 2 });

  expect(read("dist/firebase.json")).toContain(`"source": "${edgeNetwork.base}/`);
  expect(read("README.md")).toContain("| [Firebase Hosting](docs/hosts/firebase.md) | `firebase` | Files on ");
  expect(read("docs/hosts/README.md")).toMatch(/^\| \[firebase\]\(firebase\.md\) \| /m);
  expect(read("docs/hosts/firebase.md")).toContain("\n1. query strings: ignored");
});
