import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { withCheckout } from "./git.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-git-"));
/** The parent of the temporary folders. */
const temporary = path.join(folder, "temporary");
const repository = path.join(folder, "repository");
const content = path.join(repository, "content");

/** Ignores the user's configuration. */
const environment = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
  TMPDIR: temporary,
};

const left = () => readdirSync(temporary).filter((name) => name.startsWith("stillapi-diff-"));

beforeEach(() => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  expect(left()).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function git(at: string, ...args: readonly string[]): string {
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync("git", ["-C", at, ...args], { encoding: "utf8", env });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

function write(at: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), text);
  }
}

/** The texts of the files, and the targets of links. */
const filesOf = (at: string, reference = "HEAD") =>
  withCheckout({ content: at, declaration: at }, reference, async ({ content }) =>
    Object.fromEntries(
      readdirSync(content, { recursive: true, encoding: "utf8" }).flatMap((file) => {
        const place = path.join(content, file);
        const state = lstatSync(place);
        if (state.isDirectory()) return [];
        return [[file, state.isSymbolicLink() ? `→ ${readlinkSync(place)}` : readFileSync(place, "utf8")]];
      }),
    ),
  );

const errorOf = async (at: string, reference = "HEAD") => {
  const error = await filesOf(at, reference).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { message, hint } = Object(error);
  return [message, hint].join(" ");
};

const committed = { "a.json": "[1]\n", "b/c.yaml": "a: 1\n" };

describe("a folder of a commit", () => {
  beforeAll(() => {
    mkdirSync(temporary);
    git(folder, "init", "--quiet", "--initial-branch=main", repository);
    write(content, committed);
    write(repository, { "other.txt": "x", ".gitattributes": "content/crlf.json text eol=crlf\n" });
    git(repository, "add", ".");
    git(repository, "commit", "--quiet", "--message=one");
    git(repository, "tag", "--annotate", "--message=tag", "v1");
    git(repository, "tag", "blob", "HEAD:other.txt");
    git(repository, "update-ref", "refs/heads/-odd", "HEAD");
    git(repository, "commit", "--quiet", "--allow-empty", "--message=two");
  });

  it.each(["HEAD", "@", "HEAD~1", "v1", "v1^{tag}", "HEAD^{tree}", "HEAD^{/one}", "refs/heads/-odd", "heads/main"])(
    "is that of %s",
    async (reference) => expect(await filesOf(content, reference)).toEqual(committed),
  );

  it.each([
    ..."HEAD~99 HEAD^{blob} HEAD:content :content main..HEAD main...HEAD ^HEAD --all -odd deadbeef * blob".split(" "),
    "",
    "a\nb",
    "main main",
    "$(id)",
    "\u001b[2J",
    "0".repeat(40),
  ])("is not taken for that of %j", async (reference) => {
    const message = `There is no folder and no git reference ${JSON.stringify(reference)}. `;
    expect((await errorOf(content, reference)).startsWith(message)).toBe(true);
  });

  it("is read in a hook, for which git sets variables", async () => {
    for (const [name, value] of Object.entries({ GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index", GIT_PREFIX: "" }))
      vi.stubEnv(name, value);
    expect(await filesOf(content)).toEqual(committed);
  });

  it("has links, odd names and filters like a checkout", async () => {
    const clone = path.join(folder, "odd");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, "content");
    write(cloneContent, { "crlf.json": "[\n1]\n", '"é\\ .json': "2", ".hidden.json": "3" });
    symlinkSync("../other.txt", path.join(cloneContent, "link.json"));
    git(clone, "add", ".");
    git(clone, "commit", "--quiet", "--message=odd");
    expect(await filesOf(cloneContent)).toEqual({
      ...committed,
      "crlf.json": "[\r\n1]\r\n",
      '"é\\ .json': "2",
      ".hidden.json": "3",
      // Links stay links: their targets are not read.
      "link.json": "→ ../other.txt",
    });
  });

  it("is whole in a sparse checkout and in another working tree, and leaves no trace in the repository", async () => {
    const clone = path.join(folder, "sparse");
    git(folder, "clone", "--quiet", repository, clone);
    git(clone, "config", "core.splitIndex", "true");
    git(clone, "sparse-checkout", "set", "content/b");
    write(path.join(clone, ".git", "hooks"), { "post-checkout": "#!/bin/sh\nfalse\n" });
    const inside = path.join(clone, "content", "b");
    const state = () => [readdirSync(path.join(clone, ".git")).sort(), readFileSync(path.join(clone, ".git", "index"))];
    const before = state();
    expect(await filesOf(path.join(clone, "content"))).toEqual(committed);
    expect(await filesOf(inside)).toEqual({ "c.yaml": "a: 1\n" });
    expect(state()).toEqual(before);
    const linked = path.join(folder, "linked");
    git(repository, "worktree", "add", "--quiet", "--detach", linked);
    expect(await filesOf(path.join(linked, "content"), "main")).toEqual(committed);
  });

  it("has the whole tree of the commit around it, with filters, whatever the modules of a declaration read", async () => {
    const clone = path.join(folder, "whole");
    git(folder, "clone", "--quiet", repository, clone);
    git(clone, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "elsewhere");
    write(clone, {
      ".gitattributes": "data/prices.csv text eol=crlf\n",
      "data/prices.csv": "lamp,20\n",
      "node_modules/kept/index.js": "",
    });
    git(clone, "add", "--force", ".");
    git(clone, "commit", "--quiet", "--message=data");
    const place = { content: path.join(clone, "content"), declaration: clone };
    await withCheckout(place, "HEAD", async ({ declaration = "" }) => {
      const names = ["node_modules", "content", "data", "elsewhere", "other.txt"];
      expect(readdirSync(declaration)).toEqual(expect.arrayContaining(names));
      expect(readFileSync(path.join(declaration, "data/prices.csv"), "utf8")).toBe("lamp,20\r\n");
      expect(readdirSync(path.join(declaration, "node_modules"))).toEqual(["kept"]);
      expect(readdirSync(path.join(declaration, "elsewhere"))).toEqual([]);
    });
  });

  it("has the packages of the folders above the repository", async () => {
    const above = path.join(folder, "above");
    const clone = path.join(above, "apis", "one");
    git(folder, "clone", "--quiet", repository, clone);
    write(above, { "node_modules/outer/index.js": "", "apis/node_modules/inner/index.js": "" });
    const place = { content: path.join(clone, "content"), declaration: clone };
    await withCheckout(place, "HEAD", async ({ declaration = "" }) => {
      const { resolve } = createRequire(path.join(declaration, "api.config.ts"));
      expect(["outer", "inner"].map((name) => resolve(name))).toEqual([
        path.join(above, "node_modules/outer/index.js"),
        path.join(above, "apis/node_modules/inner/index.js"),
      ]);
    });
  });

  it("is refused if it is unreadable in git", async () => {
    const clone = path.join(folder, "refused");
    git(folder, "clone", "--quiet", repository, clone);
    const cloneContent = path.join(clone, "content");
    git(clone, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "content/sub");
    git(clone, "commit", "--quiet", "--message=sub");
    expect(await errorOf(cloneContent)).toMatch(
      /^content\/sub is a submodule, and another repository has its files\. /,
    );
    expect(await filesOf(path.join(cloneContent, "sub", "content"))).toEqual(committed);
    expect(await errorOf(cloneContent, "HEAD~1")).toBe(" ");

    const bare = path.join(folder, "bare.git");
    git(folder, "clone", "--quiet", "--bare", repository, bare);
    expect(await errorOf(bare)).toBe(
      `git cannot read the repository of ${bare}: this operation must be run in a work tree. Name a folder, or a reference that has the content, with --against.`,
    );
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    expect(await errorOf(cloneContent)).toBe(
      `git cannot read the repository of ${cloneContent}: detected dubious ownership in repository at '${clone}'. If you trust it: git config --global --add safe.directory ${clone}`,
    );
  });

  it("is refused with git's reason if a filter or an object is missing", async () => {
    const broken = path.join(folder, "broken");
    git(folder, "init", "--quiet", broken);
    write(broken, { "content/a.json": "[1]\n", ".gitattributes": "*.json filter=own\n" });
    git(broken, "add", ".");
    git(broken, "commit", "--quiet", "--message=one");
    git(broken, "config", "filter.own.smudge", "false");
    git(broken, "config", "filter.own.required", "true");
    expect(await errorOf(path.join(broken, "content"))).toMatch(
      /^git cannot check out HEAD \([0-9a-f]{9}\): content\/a\.json: smudge filter own failed/,
    );
    git(broken, "config", "--unset", "filter.own.required");
    const object = git(broken, "rev-parse", "HEAD:content/a.json");
    rmSync(path.join(broken, ".git", "objects", object.slice(0, 2), object.slice(2)));
    expect(await errorOf(path.join(broken, "content"))).toMatch(
      /^git cannot check out HEAD \([0-9a-f]{9}\): unable to read sha1 file of content\/a\.json/,
    );
  });
});
