// Reads a content folder out of git's objects, into memory: no checkout, index or file is touched.
import { spawn } from "node:child_process";
import type { Discovery } from "../content/discover.ts";
import { hasCode, MachineError } from "../machine-error.ts";
import { nearest } from "../slips.ts";
import { discoveryOf, objectsIn, type TreeEntry } from "./tree.ts";

export interface CommittedFolder {
  /** `HEAD (1a2b3c4d5)` */
  readonly label: string;
  /** What precedes the path of a file, as git names it: `HEAD:content/`. */
  readonly prefix: string;
  readonly discovery: Discovery;
}

/**
 * A folder of a working tree as a commit has it. `reference` is a branch, tag or commit in any form that git knows.
 * Rejects with MachineError where git, the repository, the reference or the folder is not there.
 */
export async function readCommitted(folder: string, reference: string): Promise<CommittedFolder> {
  const place = await ask(folder, ["rev-parse", "--show-prefix"], (reason) => noRepository(folder, reason));
  const within = place.toString().replace(/\n$/, "");
  const tree = await resolve(folder, `${reference}^{tree}`);
  if (reference.startsWith("-") || tree === undefined) throw await noReference(folder, reference);
  const commit = (await resolve(folder, `${reference}^{commit}`)) ?? tree;
  const label = commit.startsWith(reference) ? reference.slice(0, 12) : `${reference} (${commit.slice(0, 9)})`;
  const own = `${tree}:${within}`;
  if ((await resolve(folder, own)) === undefined) {
    throw new MachineError(
      `${label} has no folder ${within}.`,
      "Name a reference that has it, or a folder, with --against.",
    );
  }
  // From a folder within the repository, git would look for that folder in the tree.
  const entries = parseTree(await ask(folder, ["ls-tree", "-r", "-z", "-l", "--full-tree", own]));
  const objects = await readObjects(folder, objectsIn(entries));
  for (const { object, path } of entries) {
    const bytes = objects.get(object);
    if (bytes === undefined || !isPointer(bytes)) continue;
    objects.set(object, await ask(folder, ["cat-file", "--filters", `${own}${Buffer.from(path)}`]));
  }
  const discovery = discoveryOf(entries, (object) => objects.get(object) ?? new Uint8Array());
  return { label, prefix: `${reference}:${within}`, discovery };
}

/** What Git LFS has in the place of a file. https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const pointer = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

const isPointer = (bytes: Uint8Array): boolean => Buffer.compare(bytes.subarray(0, pointer.length), pointer) === 0;

/** Lines of `<mode> <type> <object> <size>\t<path>`, each ended by a NUL. */
function parseTree(listed: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < listed.length; ) {
    const end = listed.indexOf(0, start);
    const tab = listed.indexOf("\t", start);
    const [mode = "", , object = "", size = ""] = listed.toString("latin1", start, tab).split(/ +/);
    entries.push({
      path: listed.subarray(tab + 1, end),
      mode,
      object,
      size: /^\d+$/.test(size) ? Number(size) : undefined,
    });
    start = end + 1;
  }
  return entries;
}

/** By object. https://git-scm.com/docs/git-cat-file#_batch_output */
async function readObjects(folder: string, objects: readonly string[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  if (objects.length === 0) return found;
  const output = await ask(folder, ["cat-file", "--batch"], undefined, objects.map((each) => `${each}\n`).join(""));
  let start = 0;
  for (const object of objects) {
    const end = output.indexOf("\n", start);
    const [, type, size] = output.toString("latin1", start, end).split(" ");
    if (type !== "blob") {
      throw new MachineError(
        `The repository has lost the object ${object}.`,
        "Fetch it again: git fetch --refetch origin",
      );
    }
    start = end + 1;
    found.set(object, output.subarray(start, start + Number(size)));
    start += Number(size) + 1;
  }
  return found;
}

/** The object that a name leads to. */
async function resolve(folder: string, name: string): Promise<string | undefined> {
  if (name.startsWith("-")) return undefined;
  const { code, output } = await run(folder, ["rev-parse", "--verify", "--quiet", name]);
  return code === 0 ? output.toString().trim() : undefined;
}

function noRepository(folder: string, reason: string): MachineError {
  const hint = "Name the folder to compare with, with --against.";
  if (reason.includes("not a git repository")) return new MachineError(`${folder} is in no git repository.`, hint);
  return new MachineError(`git cannot read the repository of ${folder}: ${reason}`, hint);
}

async function noReference(folder: string, reference: string): Promise<MachineError> {
  const isAnswered = async (args: readonly string[], answer: string) =>
    (await ask(folder, args)).toString().trim() === answer;
  const [name = ""] = reference.split(/[~^@:]/);
  if (await isAnswered(["rev-parse", "--is-shallow-repository"], "true")) {
    return new MachineError(
      `This clone is shallow and does not have ${JSON.stringify(reference)}.`,
      `Get it: ${fetching(reference, name)}. In GitHub Actions, give actions/checkout fetch-depth: 0.`,
    );
  }
  if (reference === "HEAD") return new MachineError("The repository has no commit yet.", "Commit the content first.");
  const known = (await ask(folder, ["for-each-ref", "--format=%(refname:short)"])).toString().split("\n");
  const meant = known.find((each) => each.endsWith(`/${name}`) && name !== "");
  const hint = meant === undefined ? nearest(name, known.filter(Boolean)) : `Did you mean ${JSON.stringify(meant)}?`;
  return new MachineError(
    `There is no folder and no git reference ${JSON.stringify(reference)}.`,
    hint ?? "Name a branch, a tag, a commit or a folder.",
  );
}

/** A branch or a whole commit can be fetched by itself; what is counted from another needs the commits between. */
function fetching(reference: string, name: string): string {
  const branch = name.replace(/^origin\//, "");
  if (reference !== name || name === "HEAD" || !/^[\w./-]+$/.test(branch)) return "git fetch --unshallow";
  if (/^[0-9a-f]{40,64}$/.test(name)) return `git fetch --depth=1 origin ${name}`;
  return `git fetch --depth=1 origin +${branch}:refs/remotes/origin/${branch}, then --against origin/${branch}`;
}

/** What git prints. Rejects with MachineError where it fails. */
async function ask(
  folder: string,
  args: readonly string[],
  explain = (reason: string) => new MachineError(`git ${args[0]} fails: ${reason}`),
  input = "",
): Promise<Buffer> {
  const { code, output, complaint } = await run(folder, args, input);
  if (code !== 0) throw explain(complaint.replace(/^fatal: /, "").split("\n")[0] ?? "");
  return output;
}

interface Ran {
  readonly code: number | null;
  readonly output: Buffer;
  readonly complaint: string;
}

function run(folder: string, args: readonly string[], input = ""): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["-C", folder, ...args], { env: environment() });
    const output: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaint.push(chunk));
    child.on("error", (error) => reject(hasCode(error, "ENOENT") ? noGit() : error));
    child.on("close", (code) =>
      resolve({ code, output: Buffer.concat(output), complaint: Buffer.concat(complaint).toString() }),
    );
    // Where git ends before it has read everything, its exit code tells why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

const noGit = () =>
  new MachineError("git is not installed, or not on the PATH.", "Install it, or name a folder with --against.");

/** In a hook, git sets variables that would make it take the folder for the root of the repository. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_PREFIX: ____, ...rest } = process.env;
  return { ...rest, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
}
