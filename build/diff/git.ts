// Checks a commit out into a temporary folder, which is read like any other. Filters such as Git LFS work as in a
// checkout, no hook runs, and neither the working tree nor the repository changes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";
import { escaped } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";

/** A commit, checked out: a folder of content, and the files that declarations import. */
export interface Checkout {
  /** The name for readers: `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  /** The folder of the content. */
  readonly content: string;
  /** The folder of the declaration. Undefined: the working tree has it outside of the repository. */
  readonly declaration: string | undefined;
  /** The path of a file of the checkout in the notation of git: `HEAD:content/api.yaml`. */
  nameOf(file: string): string;
}

/** The files that a declaration may import, in the notation of git. */
const code = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "json"].map((each) => `:(top)*.${each}`);

/**
 * A commit of the repository that has the folder of the content. `reference` is a branch, tag or commit in any form that
 * git accepts. The checkout is removed afterwards. Rejects with MachineError if git, the repository, the reference or the
 * folder is missing.
 */
export async function withCheckout<T>(
  folders: { readonly content: string; readonly declaration: string },
  reference: string,
  use: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  const { content } = folders;
  const about = ["rev-parse", "--show-prefix", "--absolute-git-dir", "--show-toplevel"];
  const failure = `git cannot read the repository of ${content}`;
  const [within = "", gitDir = "", root = ""] = ask(content, about, failure).toString().split("\n");
  const tree = objectOf(content, `${reference}^{tree}`);
  if (tree === undefined) throw noReference(content, reference);
  const commit = objectOf(content, `${reference}^{commit}`) ?? tree;
  const label = commit.startsWith(reference) ? reference.slice(0, 12) : `${reference} (${commit.slice(0, 9)})`;
  if (run(content, ["ls-tree", "--full-tree", tree, "--", within || "."]).stdout.length === 0)
    throw new MachineError(`${label} has no folder ${within || "of content"}.`, otherFolder);
  return inTemporaryFolder(async (temporary) => {
    const workTree = path.join(temporary, "tree");
    mkdirSync(workTree);
    const variables = { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: path.join(temporary, "index") };
    const inTree = (args: readonly string[], input?: Buffer) =>
      ask(workTree, args, `git cannot check out ${label}`, input, variables);
    // Reads the whole tree, because attributes of a file are also in the folders above it. A split index would leave a
    // part of the index in the repository.
    inTree(["-c", "core.splitIndex=false", "read-tree", tree]);
    const files = inTree(["ls-files", "-z", "--stage", "--", within ? `:(top,literal)${within}` : ".", ...code]);
    // Each entry is `<mode> <object> <stage>\t<path>` and a NUL. A path need not be UTF-8: each byte is a character.
    const entries = [...files.toString("latin1").matchAll(/(\d+) [^\t]*\t([^\0]*\0)/g)];
    const submodule = entries.find(([, mode]) => mode === "160000");
    if (submodule !== undefined) {
      const name = escaped(Buffer.from(submodule[2]?.slice(0, -1) ?? "", "latin1").toString());
      throw new MachineError(`${name} is a submodule, and another repository has its files.`, otherFolder);
    }
    inTree(["checkout-index", "-z", "--stdin"], Buffer.from(entries.map(([, , file]) => file).join(""), "latin1"));
    const place = path.relative(root, realpathSync(folders.declaration));
    const isOutside = /^\.\.(?:$|[\\/])/.test(place);
    if (!isOutside) linkPackages(root, workTree, place);
    return use({
      label,
      content: path.join(workTree, within),
      declaration: isOutside ? undefined : path.join(workTree, place),
      nameOf: (file) => `${reference}:${path.relative(workTree, file).split(path.sep).join("/")}`,
    });
  });
}

const otherFolder = "Name a folder, or a reference that has the content, with --against.";

/** Links the packages of a folder of the working tree and of the folders above it. */
function linkPackages(from: string, to: string, folder: string): void {
  const modules = path.join(from, folder, "node_modules");
  const place = path.join(to, folder);
  if (existsSync(modules) && existsSync(place)) symlinkSync(modules, path.join(place, "node_modules"));
  if (folder !== "" && folder !== ".") linkPackages(from, to, path.dirname(folder));
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the folder afterwards, also if a signal ends the program. */
async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  const remove = () => folder && rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  // Before there is a folder, so that no signal comes in between.
  for (const signal of signals) process.once(signal, end);
  try {
    folder = mkdtempSync(path.join(tmpdir(), "stillapi-diff-"));
    return await use(realpathSync(folder));
  } finally {
    remove();
    for (const signal of signals) process.off(signal, end);
  }
}

/** Whether git knows the name. False without git or a repository. */
export const isReference = (folder: string, name: string): boolean => {
  try {
    return objectOf(folder, `${name}^{tree}`) !== undefined;
  } catch (error) {
    if (error instanceof MachineError) return false;
    throw error;
  }
};

/** The object of a name. `^HEAD`, which names all objects but one, is refused. */
function objectOf(folder: string, name: string): string | undefined {
  if (name.startsWith("-")) return undefined;
  const { status, stdout } = run(folder, ["rev-parse", "--verify", "--quiet", name]);
  const object = stdout.toString().trim();
  return status === 0 && /^[0-9a-f]+$/.test(object) ? object : undefined;
}

function noReference(folder: string, reference: string): MachineError {
  const message = `There is no folder and no git reference ${JSON.stringify(reference)}.`;
  if (ask(folder, ["rev-parse", "--is-shallow-repository"]).toString().trim() === "true") {
    const hint = "Get it: git fetch --unshallow. In GitHub Actions, give actions/checkout fetch-depth: 0.";
    return new MachineError(`${message} This clone is shallow.`, hint);
  }
  if (reference === "HEAD") return new MachineError("The repository has no commit yet.", "Commit the content first.");
  const [name = ""] = reference.split(/[~^@:]/);
  const all = ask(folder, ["for-each-ref", "--format=%(refname:short)"]).toString().split("\n");
  const known = all.filter((each) => each !== "" && each !== name);
  const meant = known.find((each) => each.endsWith(`/${name}`) && name !== "");
  const hint = meant === undefined ? nearest(name, known) : `Did you mean ${JSON.stringify(meant)}?`;
  return new MachineError(message, hint ?? "Name a branch, a tag, a commit or a folder.");
}

/** The output of git. Throws MachineError if git fails. */
function ask(
  folder: string,
  args: readonly string[],
  failure = `git ${args[0]} fails`,
  input?: Buffer,
  variables?: Readonly<Record<string, string>>,
): Buffer {
  const { status, stdout, stderr } = run(folder, args, input, variables);
  if (status === 0) return stdout;
  const lines = stderr.toString().trim().split("\n");
  const reason = lines.find((line) => line.startsWith("fatal: ")) ?? lines[0] ?? "";
  const [advice] = /git config --global .*/.exec(stderr.toString()) ?? [];
  const hint = advice === undefined ? otherFolder : `If you trust it: ${advice}`;
  throw new MachineError(`${failure}: ${escaped(reason.replace(/^(?:fatal|error): |\.$/g, ""))}.`, hint);
}

function run(folder: string, args: readonly string[], input?: Buffer, variables?: Readonly<Record<string, string>>) {
  // In a hook, git sets variables that would make it treat the folder as the root of the repository.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_PREFIX: ____, ...rest } = process.env;
  const env = { ...rest, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", ...variables };
  const ran = spawnSync("git", ["-C", folder, ...args], { input, env, maxBuffer: Number.POSITIVE_INFINITY });
  if (hasCode(ran.error, "ENOENT"))
    throw new MachineError("git is not installed, or not on the PATH.", "Install it, or name a folder with --against.");
  // If git exits before it has read the whole input, the error is EPIPE, and the exit code of git says why.
  if (ran.error !== undefined && !hasCode(ran.error, "EPIPE")) throw ran.error;
  return ran;
}
