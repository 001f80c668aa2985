// Publishes a build to a bucket of S3 behind CloudFront, with the AWS command line.
//
// It sends only the files of the API, and only those that differ from the last publication, in the order of publication. A
// list in the bucket has a line for each object: digest, Content-Type, Cache-Control and path, separated by vertical bars.
// The list is removed before the first change, so that the publication after an interrupted one sends everything. `aws s3
// sync` compares times, which every checkout renews; entity tags depend on the encryption and do not cover headers.
//
// A build of another API would empty the bucket, so it is refused.
// https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
// https://docs.aws.amazon.com/cli/latest/reference/s3api/delete-objects.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MachineError } from "../files/machine-error.ts";
import { sha256 } from "../files/sha256.ts";
import type { HostAdapter, PublishedBucket } from "../hosts/host.ts";
import { apiFolder } from "../routing/paths.ts";
import { baseOf, orderOf, type Presence, type PublicationStep, stepOf, stepOfStale } from "../routing/publication.ts";
import { mapNonEmpty } from "../values/non-empty.ts";
import { type BuildToPublish, openToPublish } from "./build-to-publish.ts";
import { outputOf } from "./programs.ts";
import type { Outcome, Tell } from "./publication.ts";

export interface BucketOptions {
  /** The folder of the build. */
  readonly out: string;
  /** Whether another API in the bucket may be removed. */
  readonly replace: boolean;
}

/** `name` is the name of the stack that the template made. */
export function publishToBucket(
  host: HostAdapter,
  bucket: PublishedBucket,
  name: string,
  { out, replace }: BucketOptions,
  tell: Tell,
): Outcome {
  const build = openToPublish(out, host);
  const work = mkdtempSync(path.join(tmpdir(), "stillapi-publish-"));
  try {
    const stack = openStack(name);
    const published = publishedIn(stack, bucket, build, work);
    const upload = prepare(build, bucket, published, work);
    build.refuseChanged();
    if (!replace) refuseOther(build, upload, published, stack);
    const isDeployed = stack.configuration === bucket.digest(build.tables);
    const { changed, stale } = upload;
    if (changed.length === 0 && stale.length === 0 && isDeployed) {
      tell(`${stack.url} is up to date. Nothing was sent.`);
      return "unchanged";
    }
    if (!published.hasList) tell(`The bucket has no ${bucket.list}, so everything is sent.`);
    const list = `${stack.url}/${bucket.list}`;
    if (published.hasList) aws("s3", "rm", list, "--only-show-errors");
    send(upload, stack, "state", "changed");
    if (!isDeployed) {
      tell("The configuration has changed and is deployed now.");
      deploy(stack, path.join(build.configurationFolder, "template.json"));
    }
    if (changed.length > 0 || !isDeployed) {
      const id = emptyCaches(stack);
      aws("cloudfront", "wait", "invalidation-completed", "--distribution-id", stack.distribution, "--id", id);
    }
    send(upload, stack, "changes", "changes");
    const bases = basesOf(build);
    for (const step of ["stale", "staleLinked"]) {
      const keys = stale.filter((file) => stepOfStale(baseOf(bases, file), file) === step);
      remove(stack, keys, work);
    }
    // Caches may have stored stale files again in the meantime.
    if (stale.length > 0) emptyCaches(stack);
    const listFile = path.join(work, bucket.list);
    writeFileSync(listFile, `${[...upload.lines.values()].join("\n")}\n`);
    const headers = ["--content-type", "text/plain", "--cache-control", "no-store"];
    aws("s3", "cp", listFile, list, ...headers, "--only-show-errors");
    const added = changed.filter((file) => presenceOf(file, published) === "missing").length;
    tell(`${added} new, ${changed.length - added} changed, ${stale.length} stale files.`);
    if (stack.address !== undefined) for (const base of bases) tell(stack.address + base);
    return "published";
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs the AWS command line, and returns what it prints. On Windows it prints other line breaks. */
const aws = (...words: readonly string[]): string => outputOf("aws", words).replaceAll("\r\n", "\n");

const basesOf = ({ tables }: BuildToPublish) => mapNonEmpty(tables, ({ base }) => base);

/** What the template has made. */
interface Stack {
  readonly name: string;
  readonly bucket: string;
  readonly url: string;
  readonly distribution: string;
  /** The digest of the configuration. */
  readonly configuration: string | undefined;
  /** The address of the distribution. */
  readonly address: string | undefined;
}

function openStack(name: string): Stack {
  const query = ["--query", "Stacks[0].Outputs[].[OutputKey,OutputValue]", "--output", "text"];
  const described = aws("cloudformation", "describe-stacks", "--stack-name", name, ...query);
  const outputs = new Map([...described.matchAll(/^(.*)\t(.*)$/gm)].map(([, key, value]) => [key, value]));
  const bucket = outputs.get("Bucket");
  const distribution = outputs.get("Distribution");
  if (bucket === undefined || distribution === undefined) {
    throw new MachineError(`The stack ${name} has no bucket.`, "Name the stack that template.json made.");
  }
  return {
    name,
    bucket,
    url: `s3://${bucket}`,
    distribution,
    configuration: outputs.get("Configuration"),
    address: outputs.get("Address"),
  };
}

/** The objects of the last publication. */
interface Published {
  readonly hasList: boolean;
  /** Their lines in the list, by path; empty ones if there is no list. */
  readonly lines: ReadonlyMap<string, string>;
}

function publishedIn(stack: Stack, { list }: PublishedBucket, build: BuildToPublish, work: string): Published {
  if (!keysIn(stack, list).includes(list)) {
    const keys = basesOf(build).flatMap((base) => keysIn(stack, apiFolder(base)).filter((key) => isOf(base, key)));
    return { hasList: false, lines: new Map(keys.map((key) => [key, ""])) };
  }
  const file = path.join(work, list);
  aws("s3", "cp", `${stack.url}/${list}`, file, "--only-show-errors");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return { hasList: true, lines: new Map(lines.map((line) => [line.split("|")[3] ?? "", line])) };
}

function keysIn({ bucket }: Stack, prefix: string): readonly string[] {
  const asText = ["--query", "Contents[].[Key]", "--output", "text"];
  const printed = aws("s3api", "list-objects-v2", "--bucket", bucket, "--prefix", prefix, ...asText);
  return printed.split("\n").filter((key) => key.startsWith(prefix));
}

/** Whether a file is below the base of an API. */
const isOf = (base: string, file: string): boolean =>
  `/${file}` === `${base}.json` || `/${file}`.startsWith(`${base}/`);

/** Whether a file is published. Without a list, it is only known that the bucket has an object with its key. */
function presenceOf(file: string, { lines }: Published): Presence {
  const line = lines.get(file);
  if (line === undefined) return "missing";
  return line === "" ? "unknown" : "present";
}

interface Upload {
  /** The lines of the build in the list, by path. */
  readonly lines: ReadonlyMap<string, string>;
  readonly changed: readonly string[];
  readonly stale: readonly string[];
  /** By folder, what the changed files in it have in common. */
  readonly groups: ReadonlyMap<string, Group>;
}

interface Group {
  readonly step: PublicationStep;
  readonly type: string;
  readonly cache: string;
}

/** Copies the changed files into a folder for each step and headers. */
function prepare(build: BuildToPublish, { headers }: PublishedBucket, published: Published, work: string): Upload {
  const bases = basesOf(build);
  const lines = new Map<string, string>();
  const changed: string[] = [];
  const groups = new Map<string, Group>();
  for (const file of build.files) {
    const [type, cache] = build.tables.map((table) => headers(table, file)).find((found) => found !== undefined) ?? [];
    if (type === undefined || cache === undefined) continue;
    const bytes = readFileSync(path.join(build.folder, file));
    const line = [sha256(bytes), type, cache, file].join("|");
    lines.set(file, line);
    if (published.lines.get(file) === line) continue;
    changed.push(file);
    const step = stepOf(baseOf(bases, file), file, presenceOf(file, published));
    const folder = path.join(work, sha256([step, type, cache].join("|")).slice(0, 16));
    groups.set(folder, { step, type, cache });
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
  return { lines, changed, stale: [...published.lines.keys()].filter((file) => !lines.has(file)), groups };
}

/** Throws MachineError if the build would remove all that the bucket has of an API. */
function refuseOther(build: BuildToPublish, { lines, stale }: Upload, published: Published, { url }: Stack): void {
  const bases = basesOf(build);
  const before = [...published.lines.keys()];
  const documents = stale.filter((file) => file.endsWith("/openapi.json"));
  // The overview of /api/v1 has the path of a page of an API at /api with a collection v1.
  const isAnotherApi = documents.length > 0 && bases.every((base) => !before.includes(`${base.slice(1)}/openapi.json`));
  const keepsSome = before.some((file) => lines.has(file) && bases.some((base) => isOf(base, file)));
  if (stale.length === 0 || (keepsSome && !isAnotherApi)) return;
  const [shortest] = documents.sort((one, two) => one.length - two.length);
  const what =
    shortest === undefined ? `${stale.length} files, such as ${stale[0]}` : `/${path.posix.dirname(shortest)}`;
  throw new MachineError(
    `${url} holds ${what}, and nothing of this build of ${bases.join(", ")}, which would remove all of it. Nothing was sent.`,
    "Publish to another stack, or remove it with --replace.",
  );
}

/** Sends the files of the steps from one to another, in their order. */
function send({ groups }: Upload, { url }: Stack, first: PublicationStep, last: PublicationStep): void {
  const chosen = [...groups].filter(
    ([, { step }]) => orderOf(step) >= orderOf(first) && orderOf(step) <= orderOf(last),
  );
  for (const [folder, { type, cache }] of chosen.sort(([, one], [, two]) => orderOf(one.step) - orderOf(two.step))) {
    const headers = ["--content-type", type, "--cache-control", cache];
    aws("s3", "cp", folder, url, "--recursive", ...headers, "--only-show-errors");
  }
}

function deploy({ name, distribution }: Stack, template: string): void {
  const options = ["--stack-name", name, "--template-file", template, "--no-fail-on-empty-changeset"];
  aws("cloudformation", "deploy", ...options);
  aws("cloudfront", "wait", "distribution-deployed", "--id", distribution);
}

/** Returns the id of an invalidation, which takes a while. A path with an asterisk costs as much as one without. */
function emptyCaches({ distribution }: Stack): string {
  const asText = ["--query", "Invalidation.Id", "--output", "text"];
  const all = ["--distribution-id", distribution, "--paths", "/*"];
  return aws("cloudfront", "create-invalidation", ...all, ...asText).trim();
}

function remove({ bucket }: Stack, keys: readonly string[], work: string): void {
  // Each request removes at most 1,000 objects. On Windows a command has at most 32,767 characters, so they are in a file.
  for (let start = 0; start < keys.length; start += 1_000) {
    const file = path.join(work, "stale.json");
    const objects = keys.slice(start, start + 1_000).map((Key) => ({ Key }));
    writeFileSync(file, JSON.stringify({ Objects: objects, Quiet: true }));
    const request = ["--bucket", bucket, "--delete", `file://${file}`];
    const printed = aws("s3api", "delete-objects", ...request, "--query", "Errors", "--output", "text");
    const errors = printed.trim();
    if (errors !== "None") throw new MachineError(`S3 did not remove every stale file: ${errors}`);
  }
}
