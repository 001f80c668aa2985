import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withCheckout } from "./checkout.ts";
import { execute } from "./execute.ts";

const lock = (version: string) => JSON.stringify({ name: "a", version, lockfileVersion: 3, packages: {} });

let folder: string;
let repository: string;
let to: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(realpathSync(tmpdir()), "stillapi-checkout-"));
  [repository, to] = [path.join(folder, "repository"), path.join(folder, "before")];
  mkdirSync(path.join(repository, "node_modules"), { recursive: true });
  git("init", "--quiet");
  for (const version of ["1.0.0", "2.0.0"]) {
    writeFileSync(path.join(repository, "package.json"), JSON.stringify({ name: "a", version }));
    writeFileSync(path.join(repository, "package-lock.json"), lock(version));
    writeFileSync(path.join(repository, ".gitignore"), "node_modules/\n");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", version);
  }
});

afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: repository, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const worktrees = () => git("worktree", "list", "--porcelain").match(/^worktree .*/gm);

const { signal } = new AbortController();

it.each([
  { revision: "HEAD", version: "2.0.0", shared: true },
  { revision: "HEAD~1", version: "1.0.0", shared: false },
])("checks $revision out meanwhile, and shares its packages if they are the same: $shared", async (expected) => {
  const seen: object[] = [];
  await withCheckout(repository, expected.revision, to, signal, async (checkout) => {
    const { version } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8"));
    const modules = path.join(checkout, "node_modules");
    const shared = existsSync(modules) && realpathSync(modules) === path.join(repository, "node_modules");
    seen.push({ version, shared });
  });
  expect(seen).toEqual([{ version: expected.version, shared: expected.shared }]);
  expect(existsSync(to)).toBe(false);
  expect(existsSync(path.join(repository, "node_modules"))).toBe(true);
  expect(worktrees()).toEqual([`worktree ${repository}`]);
});

it("removes the checkout if it is interrupted, once the running command has ended", async () => {
  const interruption = new AbortController();
  const note = path.join(folder, "note");
  const script = 'trap "echo ended >$0; exit 1" TERM; echo started >$0; while :; do sleep 0.05; done';
  const ended = withCheckout(repository, "HEAD", to, interruption.signal, async () => {
    const running = execute({ file: "sh", args: ["-c", script, note] }, interruption.signal);
    const interrupt = async () => {
      while (!existsSync(note)) await sleep(10);
      interruption.abort(new Error("Interrupted."));
    };
    await Promise.all([running, interrupt()]);
  });
  await expect(ended).rejects.toThrow("Interrupted.");
  expect(readFileSync(note, "utf8")).toBe("ended\n");
  expect(worktrees()).toEqual([`worktree ${repository}`]);
});

it("uses a folder with a checkout as it is", async () => {
  mkdirSync(path.join(folder, "other", "build"), { recursive: true });
  writeFileSync(path.join(folder, "other", "build", "cli.ts"), "");
  const seen: string[] = [];
  await withCheckout(repository, path.join(folder, "other"), to, signal, async (checkout) => void seen.push(checkout));
  expect(seen).toEqual([path.join(folder, "other")]);
});

it("reports what is neither a checkout nor a revision", async () => {
  await expect(withCheckout(repository, "nothing", to, signal, async () => undefined)).rejects.toThrow(
    "nothing is neither a checkout nor a revision.",
  );
});
