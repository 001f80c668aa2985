// Checks a commit out into a temporary folder, which is read like any other. Filters such as Git LFS work as in a
// checkout, no hook runs, and neither the working tree nor the repository changes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { slashed } from "../files/folders.ts";
import { hasCode, MachineError } from "../files/machine-error.ts";
import { withoutPassword } from "../published/place.ts";
import { escaped } from "../text/quote.ts";

/** A folder of content and its declaration. */
export interface Checkout {
  /** The name for readers: `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  /** The folder of the content. */
  readonly content: string;
  /** The folder of the declaration. Undefined: it is in no commit of this repository. */
  readonly declaration: string | undefined;
  /** Whether it has the files of a folder. A submodule has none. */
  has(folder: string): boolean;
  /** The path of a file as reports name it: `HEAD:content/api.yaml`. */
  nameOf(file: string): string;
  /** A message with such names of files. */
  wordsOf(message: string): string;
}

const otherFolder = "Name a folder, or a reference that has the content, with --against.";

/**
 * Checks out a commit of the repository that has the folder of the content, and removes the checkout after `use`.
 * `reference` is a branch, tag or commit in any form that git accepts. Rejects with MachineError if git, the repository,
 * the reference or the folder is missing.
 */
export async function withCheckout<T>(
  folders: { readonly content: string; readonly declaration: string },
  reference: string,
  use: (place: Checkout) => Promise<T>,
): Promise<T> {
  const { content } = folders;
  const about = ["rev-parse", "--show-prefix", "--absolute-git-dir", "--show-toplevel"];
  const failure = `git cannot read the repository of ${content}`;
  const [within = "", gitDir = "", root = ""] = ask(content, about, failure).toString().split("\n");
  const tree = objectOf(content, `${reference}^{tree}`);
  if (tree === undefined) throw noReference(content, reference);
  const commit = objectOf(content, `${reference}^{commit}`) ?? tree;
  const label = commit.startsWith(reference) ? reference.slice(0, 12) : `${reference} (${commit.slice(0, 9)})`;
  const temporary = realpathSync(mkdtempSync(path.join(tmpdir(), "stillapi-diff-")));
  try {
    // Folders above the repository may have packages, too, so the checkout has as many folders above it.
    const top = path.parse(root).root;
    const everything = path.join(temporary, "tree");
    const repository = path.relative(top, root);
    const workTree = path.join(everything, repository);
    mkdirSync(workTree, { recursive: true });
    const variables = { GIT_DIR: gitDir, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: path.join(temporary, "index") };
    const inTree = (args: readonly string[]) => ask(workTree, args, `git cannot check out ${label}`, variables);
    inTree(["read-tree", tree]);
    const inside = within === "" ? "." : `:(top,literal)${within}`;
    const entries = inTree(["ls-files", "-z", "--stage", "--", inside]).toString();
    if (entries === "") throw new MachineError(`${label} has no folder ${within || "of content"}.`, otherFolder);
    const [, submodule] = /(?:^|\0)160000 [^\t]*\t([^\0]*)/.exec(entries) ?? [];
    if (submodule !== undefined)
      throw new MachineError(
        `${escaped(submodule)} is a submodule, and another repository has its files.`,
        otherFolder,
      );
    // The whole tree, because modules of the declaration may read any file of it.
    inTree(["checkout-index", "--all"]);
    const place = path.relative(root, realpathSync(folders.declaration));
    const isOutside = isAbove(place);
    if (!isOutside) linkPackages(top, everything, path.join(repository, place));
    const isIn = (folder: string, inner: string) => !isAbove(path.relative(folder, inner));
    return await use({
      label,
      has(folder) {
        const modules = inTree(["ls-files", "-z", "--stage"])
          .toString()
          .matchAll(/(?:^|\0)160000 [^\t]*\t([^\0]*)/g);
        const places = [...modules].map(([, module = ""]) => path.join(workTree, module));
        const isApart = places.every((place) => !isIn(place, folder) && !isIn(folder, place));
        return isApart && isIn(workTree, folder) && existsSync(folder);
      },
      content: path.join(workTree, within),
      declaration: isOutside ? undefined : path.join(workTree, place),
      nameOf: (file) => `${reference}:${slashed(path.relative(workTree, file))}`,
      wordsOf: (message) => message.replaceAll(`${workTree}${path.sep}`, `${reference}:`),
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Whether a relative path leads out of its folder. */
const isAbove = (place: string): boolean => /^\.\.(?:$|[\\/])/.test(place);

/** Links the packages of a folder and of the folders above it. */
function linkPackages(from: string, to: string, folder: string): void {
  const modules = path.join(from, folder, "node_modules");
  const place = path.join(to, folder);
  if (existsSync(modules) && existsSync(place)) {
    const link = path.join(place, "node_modules");
    // The commit may have some of the packages.
    rmSync(link, { recursive: true, force: true });
    symlinkSync(modules, link);
  }
  if (folder !== "") linkPackages(from, to, path.dirname(folder).replace(/^\.$/, ""));
}

/** The object of a name. `^HEAD`, which names all objects but one, is refused. */
function objectOf(folder: string, name: string): string | undefined {
  if (name.startsWith("-")) return undefined;
  const { status, stdout } = run(folder, ["rev-parse", "--verify", "--quiet", name]);
  const object = status === 0 ? stdout.toString().trim() : "";
  return /^[0-9a-f]+$/.test(object) ? object : undefined;
}

function noReference(folder: string, reference: string): MachineError {
  const message = `There is no folder and no git reference ${JSON.stringify(withoutPassword(reference))}.`;
  if (ask(folder, ["rev-parse", "--is-shallow-repository"]).toString().trim() === "true") {
    const hint = "Get it: git fetch --unshallow. In GitHub Actions, give actions/checkout fetch-depth: 0.";
    return new MachineError(`${message} This clone is shallow.`, hint);
  }
  return new MachineError(message, "Name a branch, a tag, a commit or a folder. A branch of a remote is origin/NAME.");
}

type Variables = Readonly<Record<string, string>>;

/** The output of git. Throws MachineError if git fails. */
function ask(folder: string, args: readonly string[], failure = `git ${args[0]} fails`, variables?: Variables): Buffer {
  const { status, stdout, stderr, error } = run(folder, args, variables);
  if (hasCode(error, "ENOENT"))
    throw new MachineError("git is not installed, or not on the PATH.", "Install it, or name a folder with --against.");
  if (status === 0) return stdout;
  if (error !== undefined) throw error;
  const lines = stderr.toString().trim().split("\n");
  const reason = lines.find((line) => line.startsWith("fatal: ")) ?? lines[0] ?? "";
  const [advice] = /git config --global .*/.exec(stderr.toString()) ?? [];
  const hint = advice === undefined ? otherFolder : `If you trust it: ${advice}`;
  throw new MachineError(`${failure}: ${escaped(reason.replace(/^(?:fatal|error): |\.$/g, ""))}.`, hint);
}

/** Git sets these variables for a hook. With them, it would treat the folder as the root of the repository. */
const hookVariables: ReadonlySet<string> = new Set(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]);

function run(folder: string, args: readonly string[], variables: Variables = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !hookVariables.has(name));
  const env = {
    ...Object.fromEntries(inherited),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    ...variables,
  };
  return spawnSync("git", ["-C", folder, ...args], { env, maxBuffer: Number.POSITIVE_INFINITY });
}
