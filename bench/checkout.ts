// The checkout to compare with: a folder, or a revision of the repository in a temporary worktree.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../build/machine-error.ts";
import { execute } from "./execute.ts";

/**
 * Calls `use` with the checkout. `against` is a folder with a checkout and its node_modules, or a revision of the
 * repository, which is checked out into the folder `to` meanwhile.
 */
export async function withCheckout(
  repository: string,
  against: string,
  to: string,
  signal: AbortSignal,
  use: (checkout: string) => Promise<void>,
): Promise<void> {
  if (existsSync(path.join(against, "build/cli.ts"))) return use(path.resolve(against));
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: repository, encoding: "utf8" });
  const commit = git("rev-parse", "--verify", "--quiet", `${against}^{commit}`);
  if (commit.status !== 0) throw new MachineError(`${against} is neither a checkout nor a revision.`);
  const { status, stderr } = git("worktree", "add", "--quiet", "--detach", to, commit.stdout.trim());
  if (status !== 0) throw new MachineError(`git cannot check ${against} out: ${stderr.trim()}`);
  try {
    await addPackages(repository, to, signal);
    await use(to);
  } finally {
    git("worktree", "remove", "--force", to);
  }
}

/** The same packages are shared, others are installed. */
async function addPackages(repository: string, checkout: string, signal: AbortSignal): Promise<void> {
  const [now, before] = [repository, checkout].map((each) =>
    readFileSync(path.join(each, "package-lock.json"), "utf8"),
  );
  if (now === before) symlinkSync(path.join(repository, "node_modules"), path.join(checkout, "node_modules"));
  else {
    const args = ["ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    await execute({ file: "npm", args, cwd: checkout }, signal);
  }
}
