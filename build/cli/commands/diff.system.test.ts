import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Item } from "../../../src/model/key.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { run as runCommand } from "../../../test/cli/run-command.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const folder = temporaryFolder();

/** Nothing of the user's own configuration counts. */
const environment = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

function git(at: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["-C", at, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const diff = (content: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runCommand(["diff", "--content", content, ...args], { ...environment, ...env });

/** The data of a comparison, with those of its only API. */
async function dataOf(content: string, args: readonly string[] = []) {
  const { apis, ...data } = JSON.parse((await diff(content, [...args, "--format", "json"])).stdout);
  return { ...data, ...apis?.[0] };
}

const [one] = edgeNetwork.lists.filter(({ paged }) => paged);
if (one === undefined) throw new Error("No operation is paged.");
const { name, key } = one;

const fileOf = (content: string) => path.join(content, `${name}.json`);
const itemsIn = (content: string): readonly Item[] => JSON.parse(readFileSync(fileOf(content), "utf8"));

/** Leaves out the first of its items. */
function shorten(content: string): string {
  const [first, ...rest] = itemsIn(content);
  writeFileSync(fileOf(content), JSON.stringify(rest));
  return String(first?.[key]);
}

const unchanged = /^✓ .* → [^,]*: nothing changes in the API\.\n$/;

describe("between a git reference and the working tree", () => {
  const repository = path.join(folder, "repository");
  // A name that git would quote.
  const content = path.join(repository, "data", 'the "content" é');
  let first = "";
  let gone = "";

  beforeAll(() => {
    writeSample(content, { count: 30, pageSizes: [10] });
    git(folder, "init", "--quiet", "--initial-branch=main", repository);
    git(repository, "add", ".");
    git(repository, "commit", "--quiet", "--message=one");
    git(repository, "tag", "v1");
    first = git(repository, "rev-parse", "HEAD");
    gone = shorten(content);
    git(repository, "commit", "--quiet", "--all", "--message=two");
  });

  it("compares with HEAD unless another is named", async () => {
    expect(await diff(content)).toEqual({ status: 0, stdout: expect.stringMatching(unchanged), stderr: "" });
    const removed = [{ code: "item-removed", operations: [name], values: [gone] }];
    expect(await dataOf(content, ["--against", "v1"])).toMatchObject({
      messages: [],
      omitted: [],
      breaking: removed,
      before: `v1 (${first.slice(0, 9)})`,
    });
  });

  it("touches no checkout, and sees what is not committed, or not even added", async () => {
    const clone = path.join(folder, "dirty");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, path.relative(repository, content));
    const lost = shorten(cloneContent);
    const fresh = { ...itemsIn(cloneContent)[0], [key]: `${itemsIn(cloneContent).at(-1)?.[key]}9` };
    mkdirSync(path.join(cloneContent, name));
    writeFileSync(path.join(cloneContent, name, "fresh.json"), JSON.stringify(fresh));
    const state = () => [
      git(clone, "--no-optional-locks", "status", "--porcelain"),
      statSync(path.join(clone, ".git", "index")).mtimeMs,
    ];
    const before = state();
    const { items } = await dataOf(cloneContent);
    expect(items[name].changes.map(({ kind, key }: Item) => [kind, key])).toEqual([
      ["removed", lost],
      ["added", fresh[key]],
    ]);
    expect(state()).toEqual(before);
  });

  it("sees no change if files are renamed", async () => {
    const clone = path.join(folder, "renamed");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, path.relative(repository, content));
    mkdirSync(path.join(cloneContent, name));
    renameSync(fileOf(cloneContent), path.join(cloneContent, name, "elsewhere.json"));
    expect(await diff(cloneContent)).toMatchObject({ status: 0, stdout: expect.stringMatching(unchanged) });
  });

  it("folds faults of one kind, and reports each with --all", async () => {
    const clone = path.join(folder, "folded");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, path.relative(repository, content));
    const faulty = itemsIn(cloneContent).map((item) => ({ ...item, unknown_field: 1 }));
    writeFileSync(fileOf(cloneContent), JSON.stringify(faulty));
    const lines = async (...args: readonly string[]) =>
      (await diff(cloneContent, args)).stderr.split("\n").filter((line) => line.includes("unknown_field"));
    expect(await lines()).toHaveLength(1);
    expect(await lines("--all")).toHaveLength(faulty.length);
  });

  it("ends with 1 and the faults of a side, those of today first", async () => {
    const clone = path.join(folder, "faults");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, path.relative(repository, content));
    const right = readFileSync(fileOf(cloneContent), "utf8");
    writeFileSync(fileOf(cloneContent), "[");
    git(clone, "commit", "--quiet", "--all", "--message=wrong");
    const filesWithErrors = async () => (await dataOf(cloneContent)).messages.map(({ file }: Item) => file);
    expect(await filesWithErrors()).toEqual([`${cloneContent}/${name}.json`]);
    writeFileSync(fileOf(cloneContent), right);
    const fileBefore = `HEAD:${path.relative(clone, cloneContent)}/${name}.json`;
    expect(await filesWithErrors()).toEqual([fileBefore]);
    const markdown = await diff(cloneContent, ["--format", "markdown"]);
    expect(markdown).toMatchObject({ status: 1, stderr: expect.stringMatching(/\n✗ 1 fault in 1 file\.\n/) });
    expect(markdown.stdout).toContain(
      `<!-- stillapi diff -->\n### The content has faults\n\n1 fault in 1 file.\n\n- \`${fileBefore}:1:2\` `,
    );
  });

  describe("that cannot be read ends with 2 and says what to do", () => {
    it("in a shallow clone", async () => {
      const shallow = path.join(folder, "shallow");
      git(folder, "clone", "--quiet", "--depth=1", `file://${repository}`, shallow);
      const shallowContent = path.join(shallow, path.relative(repository, content));
      const hint = "In GitHub Actions, give actions/checkout fetch-depth: 0.";
      const said = async (reference: string) => (await diff(shallowContent, ["--against", reference])).stderr;
      expect(await said("HEAD~1")).toBe(
        `✗ There is no folder and no git reference "HEAD~1". This clone is shallow. Get it: git fetch --unshallow. ${hint}\n`,
      );
      git(shallow, "fetch", "--quiet", "--depth=1", "origin", first);
      expect(await dataOf(shallowContent, ["--against", first])).toMatchObject({ breaking: [{ values: [gone] }] });
    });

    it.each(["mian", "-o"])("with the reference %s", async (reference) => {
      const hint = "Name a branch, a tag, a commit or a folder. A branch of a remote is origin/NAME.";
      const stderr = `✗ There is no folder and no git reference "${reference}". ${hint}\n`;
      expect(await diff(content, [`--against=${reference}`])).toEqual({ status: 2, stdout: "", stderr });
    });

    it.each([
      ["http://", "http://"],
      ["https://user:secret@host:99999", "…@host:99999"],
    ])("with the address %s", async (address, shown) => {
      const stderr = `✗ ${shown} is not a valid address. An address is written like https://api.example.com.\n`;
      expect(await diff(content, ["--against", address])).toEqual({ status: 2, stdout: "", stderr });
    });

    it("without a commit, a folder in it, or a repository", async () => {
      const fresh = path.join(folder, "new");
      const freshContent = path.join(fresh, "content");
      writeSample(freshContent, { count: 3, pageSizes: [10] });
      expect(await diff(freshContent, [], { GIT_CEILING_DIRECTORIES: folder })).toMatchObject({
        status: 2,
        stderr: `✗ git cannot read the repository of ${freshContent}: not a git repository (or any of the parent directories): .git. Name a folder, or a reference that has the content, with --against.\n`,
      });
      git(folder, "init", "--quiet", fresh);
      expect(await diff(freshContent)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('reference "HEAD".'),
      });
      git(fresh, "commit", "--quiet", "--allow-empty", "--message=empty");
      expect(await diff(freshContent)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(
          /^✗ HEAD \([0-9a-f]{9}\) has no folder content\/\. Name a folder, or a reference/,
        ),
      });
    });
  });
});

describe("between two folders", () => {
  const before = path.join(folder, "before");
  const after = path.join(folder, "after");
  let gone = "";

  beforeAll(() => {
    writeSample(before, { count: 30, pageSizes: [10] });
    cpSync(before, after, { recursive: true });
    gone = shorten(after);
  });

  it("needs no git", async () => {
    expect(await diff(after, ["--against", before], { PATH: "/nowhere" })).toMatchObject({ status: 0, stderr: "" });
    expect(await diff(after, [], { PATH: "/nowhere" })).toMatchObject({
      status: 2,
      stderr: "✗ git is not installed, or not on the PATH. Install it, or name a folder with --against.\n",
    });
  });

  it("tells of each change, in each format, always alike", async () => {
    const text = await diff(after, ["--against", before]);
    expect(text.stdout).toContain(`✗ 1 breaking change for consumers\n  item-removed 1 ${one.noun} is gone`);
    expect(text.stdout).toContain(`\n${name}\n  − ${gone}\n`);
    expect(await diff(after, ["--against", before])).toEqual(text);
    const { stdout } = await diff(after, ["--against", before, "--format", "markdown"]);
    expect(stdout).toMatch(/^<!-- stillapi diff -->\n### 1 breaking change for consumers of the API\n/);
    expect(stdout).toContain(`\n- removed \`${gone}\`\n`);
  });

  it("ends with 1 on a breaking change with --fail-on", async () => {
    const args = ["--against", before, "--fail-on", "breaking"];
    expect((await diff(after, args)).status).toBe(1);
    expect((await diff(before, args)).status).toBe(0);
    const wrong = await diff(after, ["--fail-on", "anything"]);
    expect(wrong).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("The kinds are breaking, operation-removed,"),
    });
    const others = ["--against", before, "--fail-on", "breaking,-item-removed"];
    expect((await diff(after, others)).status).toBe(0);
    expect((await diff(after, [...others.slice(0, 3), "item-removed,-breaking,item-removed"])).status).toBe(1);
  });

  it("counts the retired pages that a build makes, and the files that it writes", async () => {
    const dist = (side: string) => path.join(folder, `${side}-dist`);
    const build = async (side: string, previous: string) => {
      const args = ["build", "--content", path.join(folder, side), "--out", dist(side), "--previous", previous];
      return JSON.parse((await runCommand([...args, "--format", "json"])).stdout);
    };
    await build("before", "none");
    const { apis, written } = await build("after", dist("before"));
    const [{ retired }] = apis;
    const { cursors, files } = await dataOf(after, ["--against", before]);
    expect(cursors.pages).toBe(retired);
    expect(cursors.pages).toBeGreaterThan(0);
    expect(files.after.files).toBe(written - retired);
  });
});
