// A bucket, and what the AWS command line does to it, in memory, for tests only. It knows the
// commands and options of upload.sh and no others. https://docs.aws.amazon.com/cli/latest/reference/s3/sync.html

export interface StoredFile {
  readonly size: number;
  readonly body: () => string;
}

export interface StoredObject extends StoredFile {
  readonly headers: Readonly<Record<string, string>>;
}

/** By its key. */
export type Bucket = Map<string, StoredObject>;

/** The files on this machine, by their paths. */
export type Disk = ReadonlyMap<string, StoredFile>;

/** Does what `aws <args>` would, and returns the keys that it has put or removed. */
export function runAws(bucket: Bucket, disk: Disk, args: readonly string[]): readonly string[] {
  const { command, from, to, headers, filters, removes, bySize } = parse(args);
  const key = to.replace(/^s3:\/\/[^/]+\//, "");
  const changed: string[] = [];
  const put = (at: string, file: StoredFile) => {
    bucket.set(at, { ...file, headers });
    changed.push(at);
  };
  if (command === "cp") {
    const file = disk.get(from);
    if (file === undefined) throw new Error(`The user-provided path ${from} does not exist.`);
    put(key, file);
    return changed;
  }
  const here = [...disk].flatMap(([path, file]) =>
    path.startsWith(`${from}/`) ? [{ name: path.slice(from.length + 1), file }] : [],
  );
  if (here.length === 0) throw new Error(`The user-provided path ${from} does not exist.`);
  // The last filter that matches decides, on both sides.
  const passes = (name: string) => filters.findLast(({ pattern }) => pattern.test(name))?.kind !== "exclude";
  for (const { name, file } of here) {
    // What a test has built is newer than all that it has uploaded.
    const same = bySize && bucket.get(`${key}/${name}`)?.size === file.size;
    if (passes(name) && !same) put(`${key}/${name}`, file);
  }
  const kept = new Set(here.map(({ name }) => `${key}/${name}`));
  for (const each of removes ? [...bucket.keys()] : []) {
    if (!each.startsWith(`${key}/`) || kept.has(each) || !passes(each.slice(key.length + 1))) continue;
    bucket.delete(each);
    changed.push(each);
  }
  return changed;
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
