// Reads a content folder at a commit. git checks the folder out into a temporary folder, with a temporary index, and
// that folder is read like any other. Links and filters such as Git LFS work as in a checkout, no hook runs, and
// neither the working tree nor the repository changes.
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Api } from "../../src/api.ts";
import { type Discovery, discover } from "../content/discover.ts";
import type { Checked } from "../diagnostics.ts";
import { hasCode, MachineError } from "../machine-error.ts";
import { escaped } from "../quote.ts";
import { nearest } from "../slips.ts";

/** One side of a comparison, as it was read. */
export interface OpenedFolder {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  /** The prefix of a file's path: a folder, or `HEAD:content/` in the notation of git. */
  readonly prefix: string;
  readonly discovery: Discovery;
  /** The API of the side. Undefined: the side has no declaration. */
  readonly declared?: Checked<Api | undefined> | undefined;
}

/** Reads the declaration of the API at the commit, which is code. */
interface Declaring {
  /** The folder of the declaration in the working tree. */
  readonly folder: string;
  /**
   * `folder` is the folder of the declaration at the commit, with the code of the commit around it and the packages of the
   * working tree. `prefix` is the prefix of the paths of its files in the notation of git.
   */
  readonly read: (folder: string, prefix: string) => Promise<Checked<Api | undefined>>;
}

/**
 * A folder of a working tree at a commit. `reference` is a branch, tag or commit in any form that git accepts.
 * Rejects with MachineError if git, the repository, the reference or the folder is missing.
 */
export async function readCommitted(folder: string, reference: string, declaring?: Declaring): Promise<OpenedFolder> {
  const line = (option: string) =>
    ask(folder, ["rev-parse", option], (reason) => noRepository(folder, reason))
      .toString()
      .replace(/\n$/, "");
  if (line("--is-inside-work-tree") !== "true") throw noRepository(folder, "it is in no working tree.");
  const within = line("--show-prefix");
  const gitDir = line("--absolute-git-dir");
  const root = line("--show-toplevel");
  const tree = resolve(folder, `${reference}^{tree}`);
  if (tree === undefined) throw noReference(folder, reference);
  const commit = resolve(folder, `${reference}^{commit}`) ?? tree;
  const label = commit.startsWith(reference) ? reference.slice(0, 12) : `${reference} (${commit.slice(0, 9)})`;
  return inTemporaryFolder(async (temporary) => {
    const workTree = path.join(temporary, "tree");
    await mkdir(workTree);
    const run = (args: readonly string[], input?: Buffer) =>
      ask(workTree, args, (reason) => new MachineError(`git cannot check out ${label}: ${reason}`), input, {
        GIT_DIR: gitDir,
        GIT_WORK_TREE: workTree,
        GIT_INDEX_FILE: path.join(temporary, "index"),
      });
    // Reads the whole tree, because attributes of a file are also in the folders above it. A split index would leave a
    // part of the index in the repository.
    run(["-c", "core.splitIndex=false", "read-tree", tree]);
    const listed = run(["--literal-pathspecs", "ls-files", "-z", "--stage", "--", within || "."]);
    if (listed.length === 0) {
      const hint = "Name a reference that has it, or a folder, with --against.";
      throw new MachineError(`${label} has no folder ${within || "of content"}.`, hint);
    }
    run(["checkout-index", "-z", "--stdin"], pathsIn(listed));
    const opened = {
      label,
      prefix: `${reference}:${within}`,
      discovery: await discover(path.join(workTree, within)),
    };
    const place = declaring && path.relative(root, realpathSync(declaring.folder));
    // A folder outside of the repository has no earlier state.
    if (declaring === undefined || place === undefined || /^\.\.(?:$|[\\/])/.test(place)) return opened;
    // The content has been checked out already.
    const excluded = within === "" ? [] : [`:(top,exclude)${within}`];
    const code = run(["ls-files", "-z", "--stage", "--", ...codeFiles, ...excluded]);
    run(["checkout-index", "-z", "--stdin", "--force"], pathsIn(code));
    linkPackages(root, workTree, place);
    const prefix = place === "" ? `${reference}:` : `${reference}:${place}/`;
    return { ...opened, declared: await declaring.read(path.join(workTree, place), prefix) };
  });
}

/** The files that a declaration may import, in the notation of git. */
const codeFiles = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "json"].map((each) => `:(top)*.${each}`);

/** Links the packages of a folder and of the folders above it. */
function linkPackages(from: string, to: string, folder: string): void {
  const modules = path.join(from, folder, "node_modules");
  const place = path.join(to, folder);
  if (existsSync(modules) && existsSync(place)) symlinkSync(modules, path.join(place, "node_modules"));
  if (folder !== "" && folder !== ".") linkPackages(from, to, path.dirname(folder));
}

/** Each entry is `<mode> <object> <stage>\t<path>` and a NUL. A path need not be UTF-8. */
function pathsIn(listed: Buffer): Buffer {
  const paths: Buffer[] = [];
  for (let start = 0; start < listed.length; ) {
    const end = listed.indexOf(0, start) + 1;
    const file = listed.subarray(listed.indexOf("\t", start) + 1, end);
    if (listed.toString("latin1", start, start + 6) === "160000") {
      const name = escaped(file.subarray(0, -1).toString());
      const hint = "Check it out into a folder, and name the folder with --against.";
      throw new MachineError(`${name} is a submodule, and another repository has its files.`, hint);
    }
    paths.push(file);
    start = end;
  }
  return Buffer.concat(paths);
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the folder afterwards, also if a signal ends the program. */
async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    received = signal;
  };
  for (const signal of signals) process.on(signal, onSignal);
  const folder = await mkdtemp(path.join(tmpdir(), "stillapi-diff-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, onSignal);
    if (received !== undefined) process.kill(process.pid, received);
  }
}

/** The object of a name. `^HEAD`, which names all objects but one, is refused. */
function resolve(folder: string, name: string): string | undefined {
  if (name.startsWith("-")) return undefined;
  const { status, stdout } = run(folder, ["rev-parse", "--verify", "--quiet", name]);
  const object = stdout.toString().trim();
  return status === 0 && /^[0-9a-f]+$/.test(object) ? object : undefined;
}

function noRepository(folder: string, reason: string): MachineError {
  const hint = "Name the folder to compare with, with --against.";
  if (reason.includes("not a git repository")) return new MachineError(`${folder} is in no git repository.`, hint);
  const [, place] = /dubious ownership in repository at '(.*)'/.exec(reason) ?? [];
  if (place !== undefined) {
    const message = `${folder} is in a repository of another user, which git does not read.`;
    return new MachineError(message, `If you trust it: git config --global --add safe.directory '${place}'`);
  }
  return new MachineError(`git cannot read the repository of ${folder}: ${reason}`, hint);
}

function noReference(folder: string, reference: string): MachineError {
  const [name = ""] = reference.split(/[~^@:]/);
  if (ask(folder, ["rev-parse", "--is-shallow-repository"]).toString().trim() === "true") {
    const message = `This clone is shallow and does not have ${JSON.stringify(reference)}.`;
    const hint = `Get it: ${fetching(reference, name)}. In GitHub Actions, give actions/checkout fetch-depth: 0.`;
    return new MachineError(message, hint);
  }
  if (reference === "HEAD") return new MachineError("The repository has no commit yet.", "Commit the content first.");
  const all = ask(folder, ["for-each-ref", "--format=%(refname:short)"]).toString().split("\n");
  const known = all.filter((each) => each !== "" && each !== name);
  const meant = known.find((each) => each.endsWith(`/${name}`) && name !== "");
  const hint = meant === undefined ? nearest(name, known) : `Did you mean ${JSON.stringify(meant)}?`;
  const message = `There is no folder and no git reference ${JSON.stringify(reference)}.`;
  return new MachineError(message, hint ?? "Name a branch, a tag, a commit or a folder.");
}

/**
 * A branch or a full commit id can be fetched alone; a relative reference such as `HEAD~3` needs the commits between.
 */
function fetching(reference: string, name: string): string {
  const branch = name.replace(/^origin\//, "");
  if (reference !== name || name === "HEAD" || !/^[\w./-]+$/.test(branch)) return "git fetch --unshallow";
  if (/^[0-9a-f]{40,64}$/.test(name)) return `git fetch --depth=1 origin ${name}`;
  return `git fetch --depth=1 origin +${branch}:refs/remotes/origin/${branch}, then --against origin/${branch}`;
}

/** The output of git. Throws MachineError if git fails. */
function ask(
  folder: string,
  args: readonly string[],
  explain = (reason: string) => new MachineError(`git ${args[0]} fails: ${reason}`),
  input?: Buffer,
  variables?: Readonly<Record<string, string>>,
): Buffer {
  const { status, stdout, stderr } = run(folder, args, input, variables);
  if (status === 0) return stdout;
  const lines = stderr.toString().trim().split("\n");
  const reason = lines.find((line) => line.startsWith("fatal: ")) ?? lines[0] ?? "";
  throw explain(escaped(reason.replace(/^(?:fatal|error): /, "")));
}

function run(folder: string, args: readonly string[], input?: Buffer, variables?: Readonly<Record<string, string>>) {
  const env = { ...environment(), ...variables };
  const ran = spawnSync("git", ["-C", folder, ...args], { input, env, maxBuffer: Number.POSITIVE_INFINITY });
  if (hasCode(ran.error, "ENOENT"))
    throw new MachineError("git is not installed, or not on the PATH.", "Install it, or name a folder with --against.");
  // If git exits before it has read the whole input, the error is EPIPE, and the exit code of git says why.
  if (ran.error !== undefined && !hasCode(ran.error, "EPIPE")) throw ran.error;
  return ran;
}

/** In a hook, git sets variables that would make it treat the folder as the root of the repository. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_PREFIX: ____, ...rest } = process.env;
  return { ...rest, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
}
