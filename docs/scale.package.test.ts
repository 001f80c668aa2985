// Follows the section of scale.md about several builds with one declaration, with small data.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBuild } from "../build/published/build.ts";
import { run } from "../test/cli/run-command.ts";
import { writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const page = readPage("docs/scale.md");
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-scale-"));
const cwd = process.cwd();
const years = ["2024", "2025"];

beforeAll(() => {
  // A declaration imports packages from there.
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  process.chdir(folder);
  for (const year of years) {
    mkdirSync(path.join("content", year), { recursive: true });
    writeFileSync(path.join("content", year, "api.yaml"), "front_page: false\n");
    const records = Array.from({ length: 150 }, (_, index) => ({
      id: `rec_${index}`,
      created_at: `${year}-01-02T03:04:05Z`,
      collection: "os",
      revision: index,
    }));
    writeFileSync(path.join("content", year, "records.json"), JSON.stringify(records));
  }
});

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

it("builds an API for each year, which one front page names", async () => {
  const start = page.split("\n").indexOf("## More than one build holds");
  const end = page.split("\n").findIndex((line, index) => index > start && line.startsWith("## "));
  expect(start).toBeGreaterThan(0);
  for (const block of blocksOf(page).filter(({ line }) => line > start && line <= end)) {
    if (block.language !== "sh") {
      writeBlock(block);
      continue;
    }
    for (const command of block.text.trim().split("\n")) {
      const [, year = "", args = ""] = /^YEAR=(\d+) npm run (.*)$/.exec(command.replace(" -- ", " ")) ?? [];
      const { status, stderr } = await run(args.split(" "), { YEAR: year });
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: "" });
    }
  }
  for (const year of years) {
    const build = openBuild(path.join("dist", year));
    expect(build.tables().map(({ base }) => base)).toEqual([`/api/${year}`]);
    expect(build.has(`api/${year}/docs/index.html`)).toBe(true);
    expect(readFileSync("front/index.html", "utf8")).toContain(`href="/api/${year}/docs/"`);
    const filtered = await build.read(`api/${year}/records/collection/os.json`);
    expect(JSON.parse(String(filtered)).pagination).toMatchObject({ count: 100, has_more: true });
  }
});
