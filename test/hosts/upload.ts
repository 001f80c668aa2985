// Publishes to a bucket with an `aws` that keeps the bucket in a folder and records each change; for tests only.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { cloudfront } from "../../build/hosts/cloudfront/index.ts";
import type { Api } from "../../src/model/api.ts";
import { buildAt, run, runHere, writeEdited } from "./publish.ts";

/** Builds a sample without the items at these positions, later than the build whose cursors remain valid. */
export async function buildEdited(
  folder: string,
  gone: readonly number[],
  pageSizes: readonly number[],
  previous?: string,
  api?: Api,
): Promise<string> {
  const content = path.join(folder, "content");
  const dist = path.join(folder, "dist");
  writeEdited(content, { count: 8, pageSizes }, gone);
  const now = 1_700_000_000 + 60 * builds++;
  await buildAt(content, dist, { hosts: [cloudfront], previous: previous ?? dist, now, ...(api && { api }) });
  return dist;
}

let builds = 0;

/** A bucket and the live configuration. The folder contains `objects`, `deployed`, and `changes`. */
export interface Cloud {
  readonly folder: string;
  /** The folder of the objects. */
  readonly objects: string;
}

/** A change of the bucket, or of the distribution. */
export interface Change {
  readonly verb: "put" | "rm" | "deploy" | "invalidate" | "wait";
  /** The key of an object, the path of an invalidation, or the number of the one that is waited for. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Uploaded {
  readonly code: number | null;
  readonly changes: readonly Change[];
  readonly printed: string;
}

/** A copy of another cloud's objects and configuration, if there is one. */
export function newCloud(folder: string, from?: Cloud): Cloud {
  const objects = path.join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  if (from !== undefined) {
    cpSync(from.objects, objects, { recursive: true });
    const deployed = path.join(from.folder, "deployed");
    if (existsSync(deployed)) cpSync(deployed, path.join(folder, "deployed"));
  }
  return { folder, objects };
}

const aws = `#!/bin/sh
set -e
cd "$CLOUD/objects"
# With HALF, a command is interrupted after every other object.
some() { if [ -n "$HALF" ]; then sed -n 'p;n'; else cat; fi; }
# Notes a change for each key of the input.
note() { sed "s#^#$1\t#; s#\\$#\t$2\t$3#" >>"$CLOUD/changes"; }
case "$1 $2" in
  "cloudformation describe-stacks")
    printf 'Bucket\\tstack-bucket\\nDistribution\\tD1\\nAddress\\thttps://d1.example\\n'
    [ ! -e "$CLOUD/deployed" ] || printf 'Configuration\\t%s\\n' "$(cat "$CLOUD/deployed")" ;;
  "cloudformation deploy")
    echo | note deploy
    sed -n '/"Configuration": {/{n;s/.*"Value": "\\(.*\\)".*/\\1/p;}' "$6" >"$CLOUD/deployed" ;;
  "cloudfront wait") [ "$3" != invalidation-completed ] || echo "$7" | note wait ;;
  "cloudfront create-invalidation") echo "$6" | note invalidate; echo I1 ;;
  "s3api list-objects-v2")
    find . -type f | sed 's/^..//' | awk -v prefix="$6" '
      index($0, prefix) == 1 { n++; print } END { if (!n) print "None" }' ;;
  "s3api delete-objects")
    keys=$(grep -o '"Key":"[^"]*"' "\${6#file://}" | sed 's/"Key":"//;s/"$//' | some)
    echo "$keys" | note rm
    echo "$keys" | xargs rm -f
    echo None ;;
  "s3 rm")
    [ -n "$HALF" ] || { echo "\${3#s3://*/}" | note rm; rm "\${3#s3://*/}"; } ;;
  "s3 cp")
    from=$3 key=\${4#s3://*/} to=$4 type='' cache=''
    case $from in s3://*) cp "\${from#s3://*/}" "$to"; exit ;; esac
    while [ $# -gt 0 ]; do
      case $1 in --content-type) type=$2 ;; --cache-control) cache=$2 ;; esac
      shift
    done
    if [ -d "$from" ]; then
      keys=$(cd "$from" && find . -type f | sed 's/^..//' | some)
      [ -z "$keys" ] || (cd "$from" && echo "$keys" | tar -cf - -T -) | tar -xf -
    else
      [ -z "$HALF" ] || exit 0
      keys=$key
      cp "$from" "$key"
    fi
    echo "$keys" | note put "$type" "$cache" ;;
  *) echo "aws $*?" >&2; exit 1 ;;
esac
`;

/** A folder with commands that precede the system's in PATH. */
export function writeCommands(folder: string, commands: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(path.join(folder, name), text);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

export interface UploadOptions {
  /** A folder of replaced commands. */
  readonly commands?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The words before the command. */
  readonly prefix?: readonly string[];
  readonly replaces?: boolean;
  /** Whether to run the command in another process, which may be killed, and runs while others do. */
  readonly isApart?: boolean;
}

/** Publishes a build to the stack, in this process unless the options need another one. */
export async function upload(
  dist: string,
  cloud: Cloud,
  { commands, env, prefix = [], replaces, isApart = prefix.length > 0 }: UploadOptions = {},
): Promise<Uploaded> {
  const bin = writeCommands(path.join(cloud.folder, "bin"), { aws });
  const notes = path.join(cloud.folder, "changes");
  writeFileSync(notes, "");
  // The command may run as another user.
  chmodSync(notes, 0o666);
  const words = ["publish", "cloudfront", "stack", "--out", dist, ...(replaces ? ["--replace"] : [])];
  const variables = {
    PATH: [...(commands === undefined ? [] : [commands]), bin, "/usr/bin:/bin"].join(":"),
    TMPDIR: path.dirname(cloud.folder),
    CLOUD: cloud.folder,
    ...env,
  };
  const { code, stdout, stderr } = isApart
    ? await run("env", [...prefix, process.execPath, inject("program"), ...words], { env: variables })
    : await runHere(words, variables);
  const lines = readFileSync(notes, "utf8").split("\n").slice(0, -1);
  const changes = lines.map((line) => {
    const [verb, key = "", type = "", cache = ""] = line.split("\t");
    return { verb, key, headers: { "content-type": type, "cache-control": cache } } as Change;
  });
  return { code, changes, printed: stdout + stderr };
}

export const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(path.join(root, file)).isFile())
    .sort();
