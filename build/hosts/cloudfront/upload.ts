// The script that uploads a build to S3 with the AWS command line. `settings` precedes its bundle; see index.ts.
//
// It sends only the files of the API, and only those that differ from the last upload, in the order of publication. A list
// in the bucket has a line for each object: digest, Content-Type, Cache-Control and path, separated by vertical bars. A
// path whose digest is "-" may hold any bytes: an upload was interrupted. `aws s3 sync` compares times, which every
// checkout renews; entity tags depend on the encryption and do not cover headers.
// https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/delete-objects.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { apiFolder, isLinked, publicationStep } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { sha256 } from "../../sha256.ts";
import { headersOfObject, listKey } from "./objects.ts";

/** `configuration` is the digest of the template, which the stack has as an output. */
declare const settings: { readonly table: RoutingTable; readonly configuration: string };

const { table, configuration } = settings;
const { base } = table;
const [dist = "", stack = "", ...excess] = process.argv.slice(2);
const root = path.resolve(dist);

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

let running: ChildProcess | undefined;

/** Runs the AWS command line, and returns what it prints. */
async function aws(...args: readonly string[]): Promise<string> {
  const child = spawn("aws", args, { stdio: ["ignore", "pipe", "inherit"] });
  child.on("error", ({ message }) => fail(`The AWS command line cannot be started: ${message}.`));
  running = child;
  const closed = once(child, "close");
  let printed = "";
  for await (const text of child.stdout.setEncoding("utf8")) printed += text;
  const [code] = await closed;
  if (code !== 0) fail(`aws ${args.slice(0, 2).join(" ")} failed.`);
  return printed;
}

/** Fails while a build holds its lock, whose name build/output/location.ts defines. */
function refuseBuilding(): void {
  const name = path.basename(root);
  const cut = name.length > 32 ? `${name.slice(0, 32)}-${sha256(Buffer.from(name)).slice(0, 8)}` : name;
  const isLock = (entry: string) => entry === `.${cut}.staging`;
  const lock = readdirSync(path.dirname(root)).find(isLock) ?? readdirSync(root).find((entry) => entry === ".staging");
  if (lock !== undefined)
    fail(`A build is writing ${root}, or was killed: there is ${lock}. Upload when it has finished.`);
}

/** The files of the build, each with what changes if a build or an editor changes it. */
const stamps = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const { ino, ctimeMs } = lstatSync(path.join(parentPath, name));
        return [path.relative(root, path.join(parentPath, name)), `${ino} ${ctimeMs}`];
      }),
  );

const work = mkdtempSync(path.join(tmpdir(), "stillapi-upload-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    running?.kill();
    process.exit(1);
  });
}
process.on("uncaughtException", ({ message }) => fail(`${message.split("\n")[0]}.`));

if (stack === "" || excess.length > 0 || stack.includes(":")) {
  fail("usage: node upload.mjs <build> <stack>, the stack that template.json made", 2);
}
if (!existsSync(path.join(root, "routing.json"))) fail(`There is no build in ${root}.`, 2);
refuseBuilding();
const before = stamps();
const { state: _, owns: __, ...built } = JSON.parse(readFileSync(path.join(root, "routing.json"), "utf8"));
if (JSON.stringify(built) !== JSON.stringify(table)) {
  fail(`${root} is not the build that this script belongs to. Build again with --host cloudfront.`);
}

const query = "Stacks[0].Outputs[].[OutputKey,OutputValue]";
const described = await aws(
  "cloudformation",
  "describe-stacks",
  "--stack-name",
  stack,
  "--output",
  "text",
  "--query",
  query,
);
const outputs = new Map([...described.matchAll(/^(.*)\t(.*)$/gm)].map(([, key, value]) => [key, value]));
const name = outputs.get("Bucket") ?? fail(`The stack ${stack} has no bucket. Was it made from template.json?`);
const bucket = `s3://${name}`;

async function keysIn(prefix: string): Promise<readonly string[]> {
  const asText = ["--query", "Contents[].[Key]", "--output", "text"];
  const printed = await aws("s3api", "list-objects-v2", "--bucket", name, "--prefix", prefix, ...asText);
  return printed.split("\n").filter((key) => key.startsWith(prefix));
}

/** The lines of the last upload, by path. */
const recorded = new Map<string, string>();
const uncertain = (file: string): string => `-|-|-|${file}`;
const listFile = path.join(work, listKey);
if ((await keysIn(listKey)).includes(listKey)) {
  await aws("s3", "cp", `${bucket}/${listKey}`, listFile, "--only-show-errors");
  for (const line of readFileSync(listFile, "utf8").split("\n")) {
    const [, , , file] = line.split("|");
    if (file !== undefined) recorded.set(file, line);
  }
}
const isCertain = recorded.size > 0 && ![...recorded.values()].some((line) => line.startsWith("-"));
const present = new Set(isCertain ? recorded.keys() : await keysIn(apiFolder(base)));
if (recorded.size === 0) {
  console.log(`The bucket has no ${listKey}, so everything is uploaded.`);
  const own = [...present].filter((key) => `/${key}` === `${base}.json` || `/${key}`.startsWith(`${base}/`));
  for (const key of own) recorded.set(key, uncertain(key));
}

/** The lines of the build, by path. */
const lines = new Map<string, string>();
/** The files to send, with their lines, and copied into a folder for each step and headers. */
const changed: { readonly file: string; readonly step: number; readonly isNew: boolean }[] = [];
const groups = new Map<string, { readonly step: number; readonly type: string; readonly cache: string }>();
for (const file of before.keys()) {
  const [type, cache] = headersOfObject(table, file) ?? [];
  if (type === undefined || cache === undefined) continue;
  const bytes = readFileSync(path.join(root, file));
  const line = [sha256(bytes), type, cache, file].join("|");
  lines.set(file, line);
  const known = recorded.get(file) ?? uncertain(file);
  const isNew = !present.has(file);
  if (!isNew && known === line) continue;
  // Pages that an interrupted upload may have sent follow the new ones to which they lead, and precede those that lead
  // to them.
  const step = !isNew && known.startsWith("-") && isLinked(base, file) ? 1.5 : publicationStep(base, file, !isNew);
  changed.push({ file, step, isNew });
  const group = path.join(work, sha256([step, type, cache].join("|")).slice(0, 16));
  groups.set(group, { step, type, cache });
  mkdirSync(path.dirname(path.join(group, file)), { recursive: true });
  writeFileSync(path.join(group, file), bytes);
}
refuseBuilding();
if (JSON.stringify([...before]) !== JSON.stringify([...stamps()])) fail(`${root} changed. Nothing was uploaded.`);
const stale = [...recorded.keys()].filter((file) => !lines.has(file));
const isDeployed = outputs.get("Configuration") === configuration;
if (changed.length === 0 && stale.length === 0 && isDeployed) {
  console.log(`${bucket} is up to date. Nothing was uploaded.`);
  process.exit();
}

/** Records the objects of the bucket. */
async function record(objects: Iterable<string>): Promise<void> {
  writeFileSync(listFile, `${[...objects].join("\n")}\n`);
  const headers = ["--content-type", "text/plain", "--cache-control", "no-store"];
  await aws("s3", "cp", listFile, `${bucket}/${listKey}`, ...headers, "--only-show-errors");
}

// The bucket holds old and new files until the new configuration is deployed.
const underway = new Set([...changed.map(({ file }) => file), ...stale]);
await record([
  ...[...lines.keys(), ...stale].map((file) => (underway.has(file) ? uncertain(file) : (lines.get(file) ?? ""))),
]);
for (const [group, { type, cache }] of [...groups].sort(([, one], [, other]) => one.step - other.step)) {
  const headers = ["--content-type", type, "--cache-control", cache];
  await aws("s3", "cp", group, bucket, "--recursive", ...headers, "--only-show-errors");
}
const distribution = outputs.get("Distribution") ?? "";
if (!isDeployed) {
  console.log("The configuration has changed and is deployed now.");
  const template = path.join(path.dirname(process.argv[1] ?? ""), "template.json");
  const options = ["--stack-name", stack, "--template-file", template, "--no-fail-on-empty-changeset"];
  await aws("cloudformation", "deploy", ...options);
  await aws("cloudfront", "wait", "distribution-deployed", "--id", distribution);
}
for (const keys of [stale.filter((file) => !isLinked(base, file)), stale.filter((file) => isLinked(base, file))]) {
  // Each request removes at most 1,000 objects, and an argument has at most 128 kB.
  for (let start = 0; start < keys.length; start += 300) {
    const objects = keys.slice(start, start + 300).map((key) => `{Key=${key}}`);
    const request = ["--bucket", name, "--delete", `Objects=[${objects}],Quiet=true`];
    const printed = await aws("s3api", "delete-objects", ...request, "--query", "Errors", "--output", "text");
    const errors = printed.trim();
    if (errors !== "None") fail(`S3 did not remove every stale file: ${errors}`);
  }
}
// One path with an asterisk costs as much as one without, and a thousand a month cost nothing.
await aws("cloudfront", "create-invalidation", "--distribution-id", distribution, "--paths", "/*");
await record(lines.values());
const added = changed.filter(({ isNew }) => isNew).length;
console.log(`${added} new, ${changed.length - added} changed, ${stale.length} stale files.`);
const address = outputs.get("Address");
if (address !== undefined) console.log(address + base);
