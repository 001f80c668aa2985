// The script that uploads a build to S3 with the AWS command line. `settings` precedes its bundle; see index.ts.
//
// It sends only the files of the API, and only those that differ from the last upload, in the order of publication. A list
// in the bucket has a line for each object: digest, Content-Type, Cache-Control and path, separated by vertical bars. The
// list is removed before the first change, so that the upload after an interrupted one sends everything. `aws s3 sync`
// compares times, which every checkout renews; entity tags depend on the encryption and do not cover headers.
//
// Two mistakes would empty the bucket: a folder in which the script finds no file of the build, and a build of another API.
// It refuses both.
// https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/delete-objects.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
import { spawnSync } from "node:child_process";
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
import { sha256 } from "../../files/sha256.ts";
import { apiFolder } from "../../routing/paths.ts";
import {
  baseOf,
  orderOf,
  type Presence,
  type PublicationStep,
  stepOf,
  stepOfStale,
} from "../../routing/publication.ts";
import type { Tables } from "../../routing/table.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import { filesOfWholeBuild } from "../whole-build.ts";
import { headersOfObject, listKey } from "./objects.ts";

/** `configuration` is the digest of the template, which the stack has as an output. */
declare const settings: { readonly tables: Tables; readonly configuration: string };

const { tables, configuration } = settings;
const bases = mapNonEmpty(tables, ({ base }) => base);
const replaces = process.argv.includes("--replace");
const [dist = "", stack = "", ...excess] = process.argv.slice(2).filter((argument) => argument !== "--replace");
const root = path.resolve(dist);

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

/** Runs the AWS command line, and returns what it prints. */
function aws(...args: readonly string[]): string {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const { error, status, stdout } = spawnSync("aws", args, { stdio: [...stdio], encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error !== undefined) fail(`The AWS command line cannot be started: ${error.message}.`);
  if (status !== 0) fail(`aws ${args.slice(0, 2).join(" ")} failed.`);
  // On Windows it prints other line breaks.
  return stdout.replaceAll("\r\n", "\n");
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

/** The files of the build by their paths with slashes, each with a stamp that changes if the file is written. */
const stamps = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const full = path.join(parentPath, name);
        const { ino, ctimeMs } = lstatSync(full);
        return [path.relative(root, full).replaceAll(path.sep, "/"), `${ino} ${ctimeMs}`];
      }),
  );

const work = mkdtempSync(path.join(tmpdir(), "stillapi-upload-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
process.on("uncaughtException", ({ message }) => fail(`${message.split("\n")[0]}.`));

if (stack === "" || excess.length > 0 || stack.includes(":")) {
  fail("usage: node upload.mjs [--replace] <build> <stack>, the stack that template.json made", 2);
}
if (!existsSync(path.join(root, "routing.json"))) fail(`There is no build in ${root}.`, 2);
refuseBuilding();
const before = stamps();
const { others = [], ...first } = JSON.parse(readFileSync(path.join(root, "routing.json"), "utf8"));
// What the marker has besides the tables.
const built = [first, ...others].map(({ state: _, owns: __, usage: ___, ...table }) => table);
if (JSON.stringify(built) !== JSON.stringify(tables)) {
  fail(`${root} is not the build that this script belongs to. Build again with --host cloudfront.`);
}

const described = aws(
  "cloudformation",
  "describe-stacks",
  "--stack-name",
  stack,
  "--output",
  "text",
  "--query",
  "Stacks[0].Outputs[].[OutputKey,OutputValue]",
);
const outputs = new Map([...described.matchAll(/^(.*)\t(.*)$/gm)].map(([, key, value]) => [key, value]));
const name = outputs.get("Bucket") ?? fail(`The stack ${stack} has no bucket. Was it made from template.json?`);
const bucket = `s3://${name}`;

function keysIn(prefix: string): readonly string[] {
  const asText = ["--query", "Contents[].[Key]", "--output", "text"];
  const printed = aws("s3api", "list-objects-v2", "--bucket", name, "--prefix", prefix, ...asText);
  return printed.split("\n").filter((key) => key.startsWith(prefix));
}

const listFile = path.join(work, listKey);
const list = `${bucket}/${listKey}`;
const hasList = keysIn(listKey).includes(listKey);
/** The lines of the last upload, by path; empty ones if there is no list. */
const recorded = new Map<string, string>();
if (hasList) {
  aws("s3", "cp", list, listFile, "--only-show-errors");
  for (const line of readFileSync(listFile, "utf8").trim().split("\n")) recorded.set(line.split("|")[3] ?? "", line);
} else {
  console.log(`The bucket has no ${listKey}, so everything is uploaded.`);
  for (const base of bases) for (const key of keysIn(apiFolder(base))) if (isOf(base, key)) recorded.set(key, "");
}

/** Whether a file is below the base of an API. */
function isOf(base: string, file: string): boolean {
  return `/${file}` === `${base}.json` || `/${file}`.startsWith(`${base}/`);
}

/** Whether a file is published. Without a list, it is only known that the bucket has an object with its key. */
function presenceOf(file: string): Presence {
  const line = recorded.get(file);
  if (line === undefined) return "missing";
  return line === "" ? "unknown" : "there";
}

/** See headersOfObject. */
function headersIn(file: string): ReturnType<typeof headersOfObject> {
  return tables.map((table) => headersOfObject(table, file)).find((headers) => headers !== undefined);
}

/** The lines of the build, by path. */
const lines = new Map<string, string>();
/** The files to send, copied into a folder for each step and headers. */
const changed: string[] = [];
const groups = new Map<string, { readonly step: PublicationStep; readonly type: string; readonly cache: string }>();
for (const file of before.keys()) {
  const [type, cache] = headersIn(file) ?? [];
  if (type === undefined || cache === undefined) continue;
  const bytes = readFileSync(path.join(root, file));
  const line = [sha256(bytes), type, cache, file].join("|");
  lines.set(file, line);
  if (recorded.get(file) === line) continue;
  changed.push(file);
  const step = stepOf(baseOf(bases, file), file, presenceOf(file));
  const group = path.join(work, sha256([step, type, cache].join("|")).slice(0, 16));
  groups.set(group, { step, type, cache });
  mkdirSync(path.dirname(path.join(group, file)), { recursive: true });
  writeFileSync(path.join(group, file), bytes);
}
refuseBuilding();
if (JSON.stringify([...before]) !== JSON.stringify([...stamps()])) fail(`${root} changed. Nothing was uploaded.`);
const missing = tables.flatMap(filesOfWholeBuild).find((file) => !lines.has(file));
if (missing !== undefined) {
  fail(`${root} is not a whole build: it has no ${missing}. Nothing was uploaded or removed. Build again.`);
}
const stale = [...recorded.keys()].filter((file) => !lines.has(file));
const isBelowBase = (file: string): boolean => bases.some((base) => isOf(base, file));
// The overview of /api/v1 has the path of a page of an API at /api with a collection v1.
const isAnotherApi =
  bases.every((base) => !recorded.has(`${base.slice(1)}/openapi.json`)) &&
  stale.some((file) => file.endsWith("/openapi.json"));
const keepsSome = [...recorded.keys()].some((file) => lines.has(file) && isBelowBase(file));
if (stale.length > 0 && (!keepsSome || isAnotherApi) && !replaces) {
  const [shortest] = stale.filter((file) => file.endsWith("/openapi.json")).sort((one, two) => one.length - two.length);
  const what =
    shortest === undefined ? `${stale.length} files, such as ${stale[0]}` : `/${path.posix.dirname(shortest)}`;
  fail(
    `${bucket} holds ${what}, and nothing of this build of ${bases.join(", ")}, which would remove all of it. Nothing was changed. ` +
      "Publish to another stack, or remove it with --replace.",
    2,
  );
}
const isDeployed = outputs.get("Configuration") === configuration;
if (changed.length === 0 && stale.length === 0 && isDeployed) {
  console.log(`${bucket} is up to date. Nothing was uploaded.`);
  process.exit();
}

const distribution = outputs.get("Distribution") ?? "";

/** Sends the files of the steps from one to another, in their order. */
function send(first: PublicationStep, last: PublicationStep): void {
  const chosen = [...groups].filter(
    ([, { step }]) => orderOf(step) >= orderOf(first) && orderOf(step) <= orderOf(last),
  );
  for (const [group, { type, cache }] of chosen.sort(([, one], [, two]) => orderOf(one.step) - orderOf(two.step))) {
    const headers = ["--content-type", type, "--cache-control", cache];
    aws("s3", "cp", group, bucket, "--recursive", ...headers, "--only-show-errors");
  }
}

function deploy(): void {
  console.log("The configuration has changed and is deployed now.");
  const template = path.join(path.dirname(process.argv[1] ?? ""), "template.json");
  const options = ["--stack-name", stack, "--template-file", template, "--no-fail-on-empty-changeset"];
  aws("cloudformation", "deploy", ...options);
  aws("cloudfront", "wait", "distribution-deployed", "--id", distribution);
}

/** Returns the id of an invalidation, which takes a while. A path with an asterisk costs as much as one without. */
const emptyCaches = (): string =>
  aws(
    "cloudfront",
    "create-invalidation",
    "--distribution-id",
    distribution,
    "--paths",
    "/*",
    "--query",
    "Invalidation.Id",
    "--output",
    "text",
  ).trim();

function remove(keys: readonly string[]): void {
  // Each request removes at most 1,000 objects. On Windows a command has at most 32,767 characters, so they are in a file.
  for (let start = 0; start < keys.length; start += 1_000) {
    const file = path.join(work, "stale.json");
    const objects = keys.slice(start, start + 1_000).map((Key) => ({ Key }));
    writeFileSync(file, JSON.stringify({ Objects: objects, Quiet: true }));
    const request = ["--bucket", name, "--delete", `file://${file}`];
    const printed = aws("s3api", "delete-objects", ...request, "--query", "Errors", "--output", "text");
    const errors = printed.trim();
    if (errors !== "None") fail(`S3 did not remove every stale file: ${errors}`);
  }
}

if (hasList) aws("s3", "rm", list, "--only-show-errors");
send("state", "changed");
if (!isDeployed) deploy();
if (changed.length > 0 || !isDeployed) {
  aws("cloudfront", "wait", "invalidation-completed", "--distribution-id", distribution, "--id", emptyCaches());
}
send("changes", "changes");
for (const step of ["stale", "staleLinked"])
  remove(stale.filter((file) => stepOfStale(baseOf(bases, file), file) === step));
// Caches may have stored stale files again in the meantime.
if (stale.length > 0) emptyCaches();
writeFileSync(listFile, `${[...lines.values()].join("\n")}\n`);
aws("s3", "cp", listFile, list, "--content-type", "text/plain", "--cache-control", "no-store", "--only-show-errors");
const added = changed.filter((file) => presenceOf(file) === "missing").length;
console.log(`${added} new, ${changed.length - added} changed, ${stale.length} stale files.`);
const address = outputs.get("Address");
if (address !== undefined) for (const base of bases) console.log(address + base);
