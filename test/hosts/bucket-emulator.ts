// A bucket, and what the AWS command line does to it, in memory, for tests only. It knows the
// commands and options of upload.sh and no others. https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html

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
  const { from, to, headers } = parse(args);
  const key = to.replace(/^s3:\/\/[^/]+\/?/, "");
  const files = [...disk(from)];
  if (files.length === 0) throw new Error(`The user-provided path ${from} does not exist.`);
  return files.map(([path, file]) => {
    const at = [key, path.slice(from.length + 1)].filter((part) => part !== "").join("/");
    bucket.set(at, { ...file, headers });
    return at;
  });
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
  readonly from: string;
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
}

function parse([service, command, from = "", to = "", ...options]: readonly string[]): Call {
  if (service !== "s3" || command !== "cp") throw new Error(`aws ${service} ${command}?`);
  const headers: Record<string, string> = {};
  for (let at = 0; at < options.length; at++) {
    const [option, value = ""] = options.slice(at);
    switch (option) {
      case "--only-show-errors":
      case "--recursive":
        continue;
      case "--content-type":
      case "--cache-control":
        headers[option.slice(2)] = value;
        break;
      default:
        throw new Error(`aws s3 cp ${option}?`);
    }
    at++;
  }
  return { from, to, headers };
}
