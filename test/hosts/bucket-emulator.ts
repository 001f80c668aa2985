// An in-memory bucket with the AWS command line's effects on it, for tests only. It supports the commands and options
// of upload.mjs and no others. https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html

export interface StoredFile {
  readonly size: number;
  readonly body: () => string;
}

export interface StoredObject extends StoredFile {
  readonly headers: Readonly<Record<string, string>>;
}

/** Objects by key. */
export type Bucket = Map<string, StoredObject>;

/** The files at or below a local path, by path. */
export type Disk = (root: string) => ReadonlyMap<string, StoredFile>;

/** Applies `aws <args>`, and returns the keys of the objects that it put or removed. */
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

/** The shorthand of the command line: https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-shorthand.html */
const removal = /^Objects=\[(\{Key=[^{},=]+\}(?:,\{Key=[^{},=]+\}){0,999})\],Quiet=true$/;

function removeObjects(bucket: Bucket, [, command, , , option, text = ""]: readonly string[]): readonly string[] {
  if (command !== "delete-objects" || option !== "--delete") throw new Error(`aws s3api ${command} ${option}?`);
  const [, objects] = removal.exec(text) ?? [];
  if (objects === undefined) throw new Error(`aws s3api delete-objects --delete ${text}?`);
  const keys = [...objects.matchAll(/\{Key=([^}]+)\}/g)].map(([, key = ""]) => key);
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
