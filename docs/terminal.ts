// What a reader types, typed: the blocks of a page one after another, in a copy of the repository. Only addresses, and
// what comes from a registry, are the test's.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { environment } from "./copy.ts";
import type { Block } from "./pages.ts";

export interface Places {
  /** The copy of the repository. */
  readonly copy: string;
  /** Stands for the root of the machine that commands publish to. */
  readonly server: string;
  /** Commands in place of those that would install something. */
  readonly bin: string;
  /** Stands for the address of a published API. */
  readonly published: string;
}

/**
 * Writes the commands that a reader has from elsewhere: npm, which installs nothing here, because all packages are in the
 * copy; npx for the program as a package; and tsx. Each of them starts in a fraction of the usual time.
 */
export function writeCommands({ copy, bin }: Pick<Places, "copy" | "bin">): void {
  const program = `exec node ${compiledStart(copy)} "$@"`;
  const commands = {
    npm: `case $1 in
ci) ;;
install)
  mkdir -p node_modules/.bin
  printf '%s\\n' '#!/bin/sh' '${program}' >node_modules/.bin/stillapi
  chmod +x node_modules/.bin/stillapi
  ;;
run)
  shift
  [ "$1" != --silent ] || shift
  script=$(sed -n "s/^    \\"$1\\": \\"\\(.*\\)\\",*$/\\1/p" package.json)
  [ -n "$script" ] || exit 1
  shift
  [ "$1" != -- ] || shift
  PATH=$PATH:$PWD/node_modules/.bin exec sh -c "$script \\"\\$@\\"" "$script" "$@"
  ;;
*) exit 1 ;;
esac`,
    tsx: `[ "$1" = build/cli.ts ] || exit 1
shift
${program}`,
    npx: `while [ "$1" != stillapi ]; do shift; done
shift
${program}`,
  };
  mkdirSync(bin);
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
}

/** build/cli.ts of the copy as JavaScript, which starts without tsx. */
function compiledStart(copy: string): string {
  const outfile = path.join(copy, "node_modules", ".cache", "cli.mjs");
  buildSync({
    absWorkingDir: copy,
    entryPoints: ["build/cli.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // start.ts finds the other files of the copy with it.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(path.join(copy, "build", "start", "start.ts")).href) },
    outfile,
  });
  return outfile;
}

/** The address at which commands that keep running serve, as pages write it. */
const local = "http://127.0.0.1:3000";

/** Runs the blocks of a page. Throws what a command has printed if it fails. */
export async function runBlocks(blocks: readonly Block[], places: Places): Promise<void> {
  let serving: Serving | undefined;
  try {
    for (const { text, mark } of blocks) {
      const here = withAddresses(text, { ...places, local: serving?.origin });
      if (mark === undefined) {
        await runBlock(here, places);
      } else {
        // A reader presses Ctrl-C before the next server.
        await serving?.stop();
        serving = await serve(here, places);
      }
    }
  } finally {
    await serving?.stop();
  }
}

interface Addresses extends Pick<Places, "server" | "published"> {
  readonly local: string | undefined;
}

const withAddresses = (text: string, { server, published, local: origin = local }: Addresses): string =>
  text
    .replaceAll(/(?<= )(?:server:)?(?=\/(?:srv|var|etc)\/)/g, server)
    .replaceAll("https://api.example.com", published)
    .replaceAll(local, origin);

async function runBlock(text: string, { copy, bin }: Places): Promise<void> {
  const child = spawn("sh", ["-ec", text], { cwd: copy, env: environmentIn(bin), stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => printed.push(chunk));
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`A block ended with ${status}:\n${text}\n${Buffer.concat(printed)}`);
}

const environmentIn = (bin: string): NodeJS.ProcessEnv => ({
  ...environment(),
  // A reader has told git a name.
  GIT_AUTHOR_NAME: "Reader",
  GIT_AUTHOR_EMAIL: "reader@example.com",
  GIT_COMMITTER_NAME: "Reader",
  GIT_COMMITTER_EMAIL: "reader@example.com",
  PATH: `${bin}${path.delimiter}${process.env["PATH"]}`,
});

interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Starts a command that keeps running, on any free port, and waits until it tells its address. */
function serve(text: string, { copy, bin }: Places): Promise<Serving> {
  const command = text.trimEnd().replace(/ +#.*$/, "");
  const onAnyPort = `${command}${command.includes(" -- ") ? "" : " --"} --port 0`;
  const child = spawn("sh", ["-ec", onAnyPort], { cwd: copy, env: environmentIn(bin), detached: true });
  const ended = new Promise<void>((over) => child.once("close", () => over()));
  const stop = async () => {
    interrupt(child);
    await ended;
  };
  return new Promise((ready, failed) => {
    let printed = "";
    const onData = (chunk: Buffer) => {
      printed += chunk.toString();
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (origin !== undefined) ready({ origin, stop });
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.once("error", failed);
    child.once("close", () => failed(new Error(`A command that keeps running ended:\n${text}\n${printed}`)));
  });
}

/** As Ctrl-C does: the signal goes to the shell and to what it has started. */
function interrupt({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGINT");
}
