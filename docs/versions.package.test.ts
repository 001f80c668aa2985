// Follows versions.md in an empty folder: the life of a version from its first day to the day on which it goes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPreview } from "../build/cli/preview/preview.ts";
import { ask } from "../test/ask.ts";
import { run } from "../test/cli/run-command.ts";
import { typeCheck } from "../test/client/type-check.ts";
import { compareQuotation, environment, expectOutput, writeBlock } from "./follow.ts";
import { blocksOf, quotationsFor, readPage } from "./pages.ts";

const page = readPage("docs/versions.md");
const blocks = blocksOf(page);
const [removed = ""] = quotationsFor("docs/versions.package.test.ts");
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-versions-"));
const cwd = process.cwd();

beforeAll(() => {
  // A declaration imports packages from there.
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  process.chdir(folder);
  git("init", "--quiet");
  writeFileSync(".gitignore", "node_modules\ndist*\n.schemas\n");
});

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { env: environment() });

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "State");
}

/** The time at the start of a day, in UTC. */
const on = (day: string) => ({ SOURCE_DATE_EPOCH: String(Date.parse(day) / 1_000) });

const read = (file: string) => readFileSync(path.join("dist", file), "utf8");

/** Follows the blocks of a section, and returns what its commands print, each on its day. */
async function follow(heading: string, days: readonly string[], later = ""): Promise<readonly string[]> {
  const start = page.split("\n").indexOf(`## ${heading}`) + 1;
  const end = page.split("\n").findIndex((line, index) => index >= start && line.startsWith("## "));
  expect(start).toBeGreaterThan(0);
  const printed: string[] = [];
  for (const block of blocks.filter(({ line }) => line > start && (end === -1 || line <= end))) {
    if (block.language !== "sh") {
      compareQuotation(block, printed.at(-1) ?? "");
      writeBlock(block);
      continue;
    }
    if (later !== "") rmSync(later);
    for (const command of block.text.trim().split("\n")) {
      const args = command.replace(/^npm run (\w+)(?: --)?/, "$1").split(" ");
      const { status, stdout, stderr } = await run(args, on(days[printed.length] ?? ""));
      expect({ command, status, stderr: stderr.replace(/^.*undescribed.*\n/gm, "") }).toMatchObject({ status: 0 });
      printed.push(stdout + stderr);
    }
  }
  return printed;
}

it("does what the page says", { timeout: 120_000 }, async () => {
  await follow("The first version", ["2026-11-20"]);
  const answers = ["api/v1/plants.json", "api/v1/plants/item/mint.json", "api/v1/plants/colour/white/limit/1.json"];
  const before = answers.map(read);
  commit();

  const [compared = ""] = await follow(
    "A second version beside it",
    ["2027-01-15", "2027-01-15"],
    "content/plants.yaml",
  );
  expect(compared).toMatch(/^\+ The API \/api\/v2 is new\.\n\n\/api\/v1\n/);
  expect(compared).toContain("✓ No breaking changes for consumers.");
  expect(compared).toContain("The API /api/v1 is deprecated as of 2027-01-15; may be gone from 2027-07-15 on.");
  expect(compared).not.toMatch(/^plants\b(?! +3 +3)/m);
  expect(answers.map(read)).toEqual(before);
  expect(JSON.parse(read("api/v2/trees.json")).data).toEqual([
    { id: "linden", title: "Linden", colour: "yellow" },
    { id: "plum", title: "Plum", colour: "white" },
  ]);
  const why = "Trees and herbs have lists of their own.";
  const notice = { name: "/api/v1", since: "2027-01-15", sunset: "2027-07-15", use: "/api/v2", why };
  const { data: entries } = JSON.parse(read("api/v1/changes.json"));
  expect(entries).toMatchObject([
    { at: "2027-01-15T00:00:00Z", declared: { added: [], deprecated: [notice], removed: [] } },
  ]);
  const told = "The API <code>/api/v1</code> is deprecated as of 2027-01-15; may be gone from 2027-07-15 on.";
  expect(read("api/v1/docs/changes.html")).toContain(told);
  expect(read("api/v1/changes.xml")).toContain("may be gone from 2027-07-15 on.");
  expect(JSON.parse(read("api/v1.json")).deprecated).toMatchObject({ sunset: "2027-07-15", use: "/api/v2" });
  commit();

  const { origin, stop } = await startPreview("dist", 0);
  const get = async (target: string) => ask(origin, { method: "GET", path: target, query: "" });
  try {
    for (const target of ["/api/v1/plants", "/api/v1/plants/mint"]) {
      const { headers } = await get(target);
      expect(headers).toMatchObject({ deprecation: "@1799971200", sunset: "Thu, 15 Jul 2027 00:00:00 GMT" });
      expect(headers["link"]).toContain('</api/v2>; rel="successor-version"');
    }
    expect((await get("/api/v2/trees")).headers).not.toHaveProperty("deprecation");
    expect((await get("/llms.txt")).body).toMatch(
      /^# Garden\n[\s\S]*\(\/api\/v2\/docs\/index\.md\)[\s\S]*\(\/api\/v1\/docs\/index\.md\)/,
    );
    expect((await get("/")).body).toContain(
      '<a href="/api/v1/docs/">Garden <code>/api/v1</code> <span class="bad">deprecated</span></a>',
    );
    expect((await get("/api/v1/docs/")).body).toContain("This API is deprecated</strong> as of 2027-01-15;");
  } finally {
    await stop();
  }
  const sources = Object.fromEntries(
    ["api.config.ts", "v1.ts", "v2.ts"].map((file) => [file, readFileSync(file, "utf8")]),
  );
  const consumer = blocks.find(({ text }) => text.includes("createClient"))?.text ?? "";
  process.chdir(cwd);
  expect(typeCheck({ ...sources, "consumer.ts": consumer }).errors).toEqual([]);
  const wrong = consumer.replace("garden.trees", "garden.plants");
  expect(typeCheck({ ...sources, "consumer.ts": wrong }).errors.join("\n")).toContain(
    "Property 'plants' does not exist",
  );
  process.chdir(folder);

  const late = await run(["check"], on("2027-07-15"));
  expect(late).toMatchObject({
    status: 0,
    stderr: expect.stringContaining("sunset of the API /api/v1 was on 2027-07-15"),
  });

  const goes = "The day version 1 goes";
  const [announced = ""] = await follow(goes, ["2027-07-16", "2027-07-16"]);
  expect(announced).toContain("~ As announced: The API /api/v1 is removed: its paths are answered with 404.\n");
  const early = await run(["diff", "--fail-on", "api-removed"], on("2027-07-14"));
  expect(early.status).toBe(1);
  expectOutput(early.stdout, `…${removed}…`);
  expect(existsSync("dist/api/v1")).toBe(false);
});
