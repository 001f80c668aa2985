// A bucket, and what the AWS command line does to it, in memory, for tests only. It knows the
// commands and options of upload.sh and no others. https://docs.aws.amazon.com/cli/latest/reference/s3/sync.html

import * as z from "zod";

export interface StoredFile {
  readonly size: number;
  readonly body: () => string;
}

export interface StoredObject extends StoredFile {
  readonly headers: Readonly<Record<string, string>>;
}

/** By its key. */
export type Bucket = Map<string, StoredObject>;

/** The files at or below a path of this machine, by their paths. */
export type Disk = (root: string) => ReadonlyMap<string, StoredFile>;

/** Does what `aws <args>` would, and returns the keys that it has put or removed. */
export function runAws(bucket: Bucket, disk: Disk, args: readonly string[]): readonly string[] {
  if (args[0] === "s3api") return removeObjects(bucket, args);
  const { command, from, to, headers, filters, removes, bySize } = parse(args);
  const key = to.replace(/^s3:\/\/[^/]+\/?/, "");
  const changed: string[] = [];
  const put = (at: string, file: StoredFile) => {
    bucket.set(at, { ...file, headers });
    changed.push(at);
  };
  const below = key === "" ? "" : `${key}/`;
  const here = [...disk(from)].map(([path, file]) => ({ name: path.slice(from.length + 1), file }));
  if (here.length === 0) throw new Error(`The user-provided path ${from} does not exist.`);
  // The last filter that matches decides, on both sides.
  const passes = (name: string) => filters.findLast(({ pattern }) => pattern.test(name))?.kind !== "exclude";
  for (const { name, file } of here) {
    // What a test has built is newer than all that it has uploaded.
    const same = bySize && bucket.get(below + name)?.size === file.size;
    if (command === "cp" && name === "") put(key, file);
    else if (passes(name) && !same) put(below + name, file);
  }
  const kept = new Set(here.map(({ name }) => below + name));
  for (const each of removes ? [...bucket.keys()] : []) {
    if (!each.startsWith(below) || kept.has(each) || !passes(each.slice(below.length))) continue;
    bucket.delete(each);
    changed.push(each);
  }
  return changed;
}

const removal = z.strictObject({
  Quiet: z.literal(true),
  Objects: z.array(z.strictObject({ Key: z.string() })).max(1_000),
});

/** The text of its file is in the place of the file's name. */
function removeObjects(bucket: Bucket, [, command, , , option, text = ""]: readonly string[]): readonly string[] {
  if (command !== "delete-objects" || option !== "--delete") throw new Error(`aws s3api ${command} ${option}?`);
  const keys = removal.parse(JSON.parse(text)).Objects.map(({ Key }) => Key);
  for (const key of keys) bucket.delete(key);
  return keys;
}

interface Call {
  readonly command: "cp" | "sync";
  readonly from: string;
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly filters: readonly { readonly kind: "include" | "exclude"; readonly pattern: RegExp }[];
  readonly removes: boolean;
  readonly bySize: boolean;
}

function parse([service, command, from = "", to = "", ...options]: readonly string[]): Call {
  if (service !== "s3" || (command !== "cp" && command !== "sync")) throw new Error(`aws ${service} ${command}?`);
  let call: Call = { command, from, to, headers: {}, filters: [], removes: false, bySize: false };
  for (let at = 0; at < options.length; at++) {
    const [option, value = ""] = options.slice(at);
    switch (option) {
      case "--only-show-errors":
      case "--recursive":
        continue;
      case "--delete":
        call = { ...call, removes: true };
        continue;
      case "--size-only":
        call = { ...call, bySize: true };
        continue;
      case "--include":
      case "--exclude": {
        const kind = option === "--include" ? "include" : "exclude";
        call = { ...call, filters: [...call.filters, { kind, pattern: glob(value) }] };
        break;
      }
      case "--content-type":
      case "--cache-control":
        call = { ...call, headers: { ...call.headers, [option.slice(2)]: value } };
        break;
      default:
        throw new Error(`aws s3 ${command} ${option}?`);
    }
    at++;
  }
  return call;
}

const glob = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
