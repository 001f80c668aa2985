// The script that publishes a build to a server of one's own. Like the output folder of a build, the target is at every
// moment one where each cursor on a page leads to a page, and what the program has not written there stays.
//
// Relied on: rsync writes a file beside its place and renames it; without --times a file that is sent gets the present
// time and one that is not keeps its own, so entity tags, which nginx, Caddy and Apache make of time and size, change with
// the content and only then; --out-format=%i tells new files from changed ones; --link-dest links what is the same.
// https://download.samba.org/pub/rsync/rsync.1
import { type OutputFile, textFile } from "../../file.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { apart } from "./apart.ts";
import { configuration } from "./configuration.ts";
import { formsOf } from "./forms.ts";
import { lists } from "./lists.ts";
import { steps } from "./steps.ts";
import { target } from "./target.ts";

/** The server whose host's folder the script is in. */
export interface Server {
  /** As people write it. */
  readonly title: string;
  /** The files of its configuration that go to a place of their own. */
  readonly files: readonly string[];
  /** Where they are as a rule. */
  readonly folder: string;
  /** Looks for faults in the configuration. */
  readonly check: string;
  readonly reload: string;
  /** Files that it reads in the publish root. */
  readonly owns: readonly string[];
}

export const publishScript = (table: RoutingTable, server: Server): OutputFile =>
  textFile(
    "publish.sh",
    [head(server, formsOf(table, server.owns)), target, apart, lists, configuration, steps].join("\n"),
  );

const head = ({ title, files, folder, check, reload }: Server, forms: readonly string[]): string => `#!/bin/sh
# Publishes this build of edge-api to a server with ${title}. sh publish.sh --help says how.
#
# TARGET/.edge-api is the script's own folder:
#   files   the paths of what is published
#   back/   what --back needs: the paths of what was not there before the last publish (new) and of what has changed or
#           left since (saved), links to the latter (files/), the configuration before (config/)
#   lock    the process that is publishing
set -eu
LC_ALL=C
export LC_ALL

usage() {
  cat <<'TEXT'
Usage: sh publish.sh [--dry-run] [--config FOLDER [--reload]] TARGET
       sh publish.sh --back [--dry-run] [--reload] TARGET

Sends what has changed since the last publish, and then removes what is stale.
Files at the target that edge-api did not write stay as they are.

  TARGET           the publish root: a folder, or host:folder over ssh
  --config FOLDER  publishes the configuration, too, into this folder of the
                   target's machine (such as ${folder}), and checks
                   it. Without this option the configuration stays as it is.
  --reload         makes the server use the configuration if it has changed
  --back           restores the state before the last publish
  --dry-run        says what would be done, and does nothing

CHECK and RELOAD are the commands for the configuration, in their absence
'${check}' and '${reload}'.
RSYNC_RSH is the command for remote targets, in its absence ssh.
Needs rsync 3.1 or later on both machines.
TEXT
}
check=\${CHECK:-${check}}
reload_command=\${RELOAD:-${reload}}
config_files='${files.join(" ")}'

# What edge-api may have written there.
forms() {
  cat <<'TEXT'
${forms.join("\n")}
TEXT
}

say() { printf '%s\\n' "$*"; }
fail() {
  printf 'publish.sh: %s\\n' "$*" >&2
  exit 1
}
wrong() {
  usage >&2
  exit 2
}

dry='' back='' reload='' config='' target=''
while [ $# -gt 0 ]; do
  case $1 in
    --help)
      usage
      exit
      ;;
    --dry-run) dry=yes ;;
    --back) back=yes ;;
    --reload) reload=yes ;;
    --config)
      [ $# -gt 1 ] || wrong
      shift
      config=$1
      ;;
    -*) wrong ;;
    *)
      [ -z "$target" ] || wrong
      target=$1
      ;;
  esac
  shift
done
[ -n "$target" ] || wrong
[ -z "$back$config" ] || [ -z "$back" ] || [ -z "$config" ] || wrong
[ -z "$reload" ] || [ -n "$back$config" ] || wrong
`;
