// Publishes a build to a server, over ssh or on this machine.
//
//   TARGET/releases/TIME-DIGEST   the pages of a publication and their configuration; unchanged pages are hard links
//   TARGET/DIGEST                 the link to the release that a server with this configuration answers from
//   TARGET/current                the link to the DIGEST whose configuration the server includes
//   TARGET/loaded                 the DIGEST that the server has loaded; missing if unknown
//
// New data switches the link DIGEST. A new configuration switches `current` and reloads the server. Until then, and in
// its old workers, the server answers from the old release by the old rules.
//
// Relied on: without --times rsync gives a transferred file the present time, and --link-dest makes a hard link to a
// file with the same content, whatever its time. nginx, Caddy and Apache derive entity tags from time and size, so an
// entity tag changes if and only if the content changes. https://download.samba.org/pub/rsync/rsync.1
import path from "node:path";
import { asset } from "../files/asset.ts";
import { bytesOf } from "../files/file.ts";
import { MachineError } from "../files/machine-error.ts";
import { sha256 } from "../files/sha256.ts";
import type { HostAdapter, PublishedServer } from "../hosts/host.ts";
import { shellWord } from "../text/shell.ts";
import { type BuildToPublish, openToPublish } from "./build-to-publish.ts";
import { outputOf, runProgram } from "./programs.ts";
import type { Outcome, Tell } from "./publication.ts";

export interface ServerOptions {
  /** The folder of the build. */
  readonly out: string;
  /** Whether the server may load a new configuration. */
  readonly reload: boolean;
  /** The commands that check and load the configuration, if not the usual ones. Variables of a workflow may be empty. */
  readonly checkCommand?: string;
  readonly reloadCommand?: string;
  /** Whether to go back to the release before. */
  readonly back: boolean;
  /** Whether another API at the target may be removed. */
  readonly replace: boolean;
}

/** `name` is the target as the user names it: a folder, or `host:folder` over ssh. */
export function publishToServer(
  host: HostAdapter,
  server: PublishedServer,
  name: string,
  options: ServerOptions,
  tell: Tell,
): Outcome {
  const build = options.back ? undefined : openToPublish(options.out, host);
  const { target, state } = readState(parseTarget(name));
  if (server.syntax.test(target.folder)) {
    throw new MachineError(
      `${host.name} cannot be configured for the folder ${target.folder}.`,
      "Name another folder.",
    );
  }
  const loading: Loading = {
    check: options.checkCommand || server.check,
    reload: options.reloadCommand || server.reload,
    isAllowed: options.reload,
  };
  if (build === undefined) return goBack(target, state, loading, tell);
  const { digest, file, text } = newRelease(build, server, target);
  const changes = changesOf(build, target);
  if (state.live !== none && !options.replace) refuseOther(build, changes, target);
  const args = loadingArguments(loading, digest, state);
  if (changes.length === 0 && state.loaded === digest) {
    tell(`${name} is up to date. Nothing was sent.`);
    return "unchanged";
  }
  runStep(target, "activate", send(build, target, state), state.earlier, state.live, ...args, file, text);
  if (state.loaded === neverLoaded && !loading.isAllowed) {
    tell(`Load the configuration in ${target.folder}/current now: ${commandOf(loading)}`);
  }
  const back = `To go back: npm run publish -- ${host.name} ${shellWord(name)} --back`;
  tell(`Published to ${name}.${state.live === none ? "" : ` ${back}`}`);
  return "published";
}

function goBack(target: Target, state: State, loading: Loading, tell: Tell): Outcome {
  const { live, earlier } = state;
  if (earlier === none) throw new MachineError(`${target.name} has no earlier release.`);
  const args = loadingArguments(loading, earlier.replace(/^.*-/, ""), state);
  // The file that names the folder of the pages is there.
  runStep(target, "activate", "", earlier, live, ...args, "", "");
  tell(`Went back to ${earlier}.`);
  return "back";
}

/** How the server loads a configuration. */
interface Loading {
  readonly check: string;
  readonly reload: string;
  /** Whether publishing may do it. */
  readonly isAllowed: boolean;
}

const commandOf = ({ check, reload }: Loading): string => `${check} && ${reload}`;

/** The arguments of target.sh about the configuration with this digest. Throws MachineError if the server may not load it. */
function loadingArguments(loading: Loading, digest: string, { loaded }: State): readonly string[] {
  const { check, reload, isAllowed } = loading;
  if (loaded !== digest && loaded !== neverLoaded && !isAllowed) {
    throw new MachineError(
      "Nothing was sent, because the configuration changes.",
      `With --reload the server runs: ${commandOf(loading)}`,
    );
  }
  return [digest, loaded === digest ? "" : loaded, check, isAllowed ? reload : ""];
}

interface Target {
  readonly name: string;
  /** Undefined: this machine. */
  readonly host: string | undefined;
  readonly folder: string;
}

function parseTarget(name: string): Target {
  if (/::|^rsync:/.test(name)) throw new MachineError("The target must be a folder, or host:folder.");
  const [, host, folder] = /^([^/:]+):(.*)$/s.exec(name) ?? [];
  if (host === undefined || folder === undefined) return { name, host: undefined, folder: path.resolve(name) };
  if (folder === "") throw new MachineError(`Name a folder after ${name}`);
  return { name, host, folder: folder.replace(/^~\//, "") };
}

/** What target.sh prints for a release that does not exist. */
const none = "-";

/** What target.sh prints in place of the loaded configuration before the first publication. */
const neverLoaded = "none";

/** What target.sh says of the target. */
interface State {
  readonly live: string;
  /** The release before it. */
  readonly earlier: string;
  /** The digest of the configuration that the server has loaded, `unknown` or `none`. */
  readonly loaded: string;
  /** The pages of the live release. */
  readonly pages: string;
}

/** The target with the absolute path of its folder, and its state. */
function readState(target: Target): { readonly target: Target; readonly state: State } {
  const [folder = "", live = "", earlier = "", loaded = "", pages = ""] = runStep(target, "state").split("\n");
  return { target: { ...target, folder }, state: { live, earlier, loaded, pages } };
}

interface Release {
  /** Of the configuration. */
  readonly digest: string;
  /** The file that names the folder of the pages, and its text. */
  readonly file: string;
  readonly text: string;
}

function newRelease(build: BuildToPublish, { rootFile }: PublishedServer, { folder }: Target): Release {
  const { tables, configuration } = build;
  const digest = sha256(...configuration.map(bytesOf), bytesOf(rootFile(tables, ""))).slice(0, 32);
  const named = rootFile(tables, `${folder}/${digest}/pages`);
  return { digest, file: named.file, text: bytesOf(named).toString() };
}

/** The differences from the live release, as rsync lists them. */
const changesOf = ({ folder }: BuildToPublish, target: Target): readonly string[] =>
  rsync(folder, target, "current/pages", "--dry-run", "--itemize-changes", "--delete").split("\n").filter(Boolean);

/**
 * If OpenAPI of every API is new beside a live release, that release is of another API. The overview may have the path of a
 * page of another API: /api/v1 is also the collection v1 of /api.
 */
function refuseOther({ tables }: BuildToPublish, changes: readonly string[], { name }: Target): void {
  const isNew = (base: string) => changes.some((line) => line.endsWith(`+++++++++ ${base.slice(1)}/openapi.json`));
  const bases = tables.map(({ base }) => base);
  if (!bases.every(isNew)) return;
  throw new MachineError(
    `${name} has another API, and nothing of ${bases.join(" ")}. Nothing was sent.`,
    "Publish to another folder, or replace that API with --replace.",
  );
}

/** Returns the name of the folder that was sent. */
function send(build: BuildToPublish, target: Target, { live, pages }: State): string {
  const sent = runStep(target, "new").trim();
  rsync(build.configurationFolder, target, `releases/${sent}`);
  // Security patches of rsync 3.2.7 and others discard changed files if the path of --link-dest is relative or has links.
  rsync(build.folder, target, `releases/${sent}/pages`, ...(live === none ? [] : [`--link-dest=${pages}`]));
  build.refuseChanged();
  return sent;
}

/** Compares contents. A sent file gets the present time, any other file keeps its time and ETag. */
function rsync(from: string, { host, folder }: Target, to: string, ...more: readonly string[]): string {
  const options = ["-s", "--rsh=ssh", "--recursive", "--links", "--checksum", "--chmod=D755,F644", ...more];
  return outputOf("rsync", [...options, `${from}/`, `${host === undefined ? "" : `${host}:`}${folder}/${to}/`]);
}

/** The exit code of target.sh if it refuses a step. */
const refused = 3;

/** Runs a step of target.sh at the target, and returns what it prints. */
function runStep({ name, host, folder }: Target, step: string, ...words: readonly string[]): string {
  const command = ["-c", asset("publish/target.sh"), "sh", step, folder, ...words];
  const { status, printed } =
    host === undefined
      ? runProgram("sh", command)
      : runProgram("ssh", [host, ["sh", ...command].map(shellWord).join(" ")]);
  if (status === refused) throw new MachineError(printed.trim());
  if (status !== 0) throw new MachineError(`Publishing to ${name} failed.`, "Publish again to complete it.");
  return printed;
}
