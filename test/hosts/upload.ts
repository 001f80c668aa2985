// Runs upload.mjs with an `aws` that keeps the bucket in a folder and records each call; for tests only.
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { cloudfront } from "../../build/hosts/cloudfront/index.ts";
import { buildAt, writeEdited } from "./publish.ts";

/** Builds a sample without the items at these positions, later than the build whose cursors remain valid. */
export async function buildEdited(
  folder: string,
  gone: readonly number[],
  pageSizes: readonly number[],
  previous?: string,
): Promise<string> {
  const [content, dist] = [path.join(folder, "content"), path.join(folder, "dist")];
  writeEdited(content, { count: 8, pageSizes }, gone);
  const now = 1_700_000_000 + 60 * builds++;
  await buildAt(content, dist, { hosts: [cloudfront], previous: previous ?? dist, now });
  return dist;
}

let builds = 0;

/** A bucket and the live configuration. The folder contains `objects`, `deployed`, and records of the calls. */
export interface Cloud {
  readonly folder: string;
  /** The folder of the objects. */
  readonly objects: string;
}

export interface Uploaded {
  readonly code: number | null;
  /** The requests that changed the bucket, with the uploaded files or the removed keys. */
  readonly calls: readonly (readonly string[])[];
  /** The invalidated paths. */
  readonly invalidated: readonly string[];
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
note() {
  { printf '%s\\0' "$@"; echo; } >>"$CLOUD/calls"
}
# With HALF, a command is interrupted after every other object.
some() { if [ -n "$HALF" ]; then sed -n 'p;n'; else cat; fi; }
object() { echo "$CLOUD/objects$(echo "$1" | sed 's|^s3://[^/]*||')"; }
case "$1 $2" in
  "cloudformation describe-stacks")
    printf 'Bucket\\tstack-bucket\\nDistribution\\tD1\\nAddress\\thttps://d1.example\\n'
    [ ! -e "$CLOUD/deployed" ] || printf 'Configuration\\t%s\\n' "$(cat "$CLOUD/deployed")" ;;
  "cloudformation deploy")
    note "$@"
    sed -n '/"Configuration": {/{n;s/.*"Value": "\\(.*\\)".*/\\1/p;}' "$6" >"$CLOUD/deployed" ;;
  "cloudfront wait") ;;
  "cloudfront create-invalidation") note "$@" ;;
  "s3api list-objects-v2")
    (cd "$CLOUD/objects" && find . -type f) | sed 's/^..//' | awk -v prefix="$6" '
      index($0, prefix) == 1 { n++; print } END { if (!n) print "None" }' ;;
  "s3api delete-objects")
    note "$@"
    echo "$6" | grep -o '{Key=[^}]*}' | sed 's/{Key=//;s/}$//' | some |
      (cd "$CLOUD/objects" && xargs rm -f)
    echo None ;;
  "s3 cp")
    case $3 in s3://*) cp "$(object "$3")" "$4"; exit ;; esac
    to=$(object "$4")
    mkdir -p "\${to%/*}"
    if [ -d "$3" ]; then
      (cd "$3" && find . -type f | some | tar -cf - -T -) | { mkdir -p "$to"; tar -xf - -C "$to"; }
    else
      [ -n "$HALF" ] || cp "$3" "$to"
    fi
    [ -z "$KEEP_SENT" ] || {
      sent=$(mktemp -d "$CLOUD/sent-XXXXXX")/put
      cp -R "$3" "$sent"
      shift 3
      note s3 cp "$sent" "$@"
    } ;;
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
  readonly keepSent?: boolean;
  readonly uid?: number;
}

/** Runs the script of a build. */
export async function upload(
  dist: string,
  cloud: Cloud,
  { commands, env, keepSent = false, uid }: UploadOptions = {},
): Promise<Uploaded> {
  const bin = writeCommands(path.join(cloud.folder, "bin"), { aws });
  const notes = path.join(cloud.folder, "calls");
  writeFileSync(notes, "");
  if (uid !== undefined) chownSync(notes, uid, uid);
  const child = spawn(process.execPath, [path.join(`${dist}.hosts`, "cloudfront", "upload.mjs"), dist, "stack"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid }),
    env: {
      PATH: [...(commands === undefined ? [] : [commands]), bin, "/usr/bin:/bin"].join(":"),
      TMPDIR: path.dirname(cloud.folder),
      CLOUD: cloud.folder,
      KEEP_SENT: keepSent ? "1" : "",
      ...env,
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const lines = readFileSync(notes, "utf8").split("\n").slice(0, -1);
  const calls = lines.map((line) => line.split("\0").slice(0, -1));
  const invalidations = calls.filter(([, command]) => command === "create-invalidation");
  return {
    code,
    calls: calls.filter(([service]) => service === "s3" || service === "s3api"),
    invalidated: invalidations.flatMap((call) => call.slice(call.indexOf("--paths") + 1)),
    printed,
  };
}

export const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(path.join(root, file)).isFile())
    .sort();
