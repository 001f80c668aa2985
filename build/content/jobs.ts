// Reading large content as jobs, each of which needs one file or some lines of one: threads can do them at the same time.
import type { Api } from "../../src/api.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import type { Cache } from "../cache/cache.ts";
import { withoutMark } from "./decode.ts";
import type { Discovery, FoundFile } from "./discover.ts";
import { formatOf } from "./formats/formats.ts";
import { cachedLines, type Done, itemLines, laneOf, readRange } from "./lanes.ts";
import { rangesOf, type SortedLines } from "./plain-lines.ts";
import { type ContentFile, openFolder } from "./read.ts";
import { readSettings } from "./settings.ts";

/** A range of lines of a file, or a whole file whose format takes long to parse. The bytes are in shared memory. */
export interface Job {
  readonly operation: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The number of the range, from 0; undefined for a whole file. */
  readonly range: number | undefined;
}

/** Undefined if a file has faults, which are reported once it is read again with their places. */
export type JobResult = SortedLines | Uint8Array | undefined;

/** Does the jobs, in any order. The results have the order of the jobs. */
export type DoJobs = (jobs: readonly Job[], vocabulary: Vocabulary) => Promise<readonly JobResult[]>;

/** Reading so many bytes of NDJSON takes longer than starting threads. A byte of YAML takes as long as eighty. */
const worthwhile = 1 << 25;
const slowness = 80;

/** Short ranges keep all threads busy until the end. Long ranges leave fewer rows to merge. */
const rangeLength = 1 << 23;

const costOf = (files: readonly FoundFile[]): number =>
  files.reduce((sum, { file, bytes }) => sum + bytes.length * (isSlow(file) ? slowness : isLines(file) ? 1 : 0), 0);

const isLines = (file: string): boolean => formatOf(file) === "ndjson";
const isSlow = (file: string): boolean => formatOf(file) === "yaml" || formatOf(file) === "markdown";

/** Reads large content with `doJobs`. Returns the results by file. Small content is left to the caller. */
export async function readLarge(
  discovery: Discovery,
  api: Api,
  cache: Cache | undefined,
  doJobs: DoJobs,
  size = { worthwhile, rangeLength },
): Promise<ReadonlyMap<string, Done>> {
  const done = new Map<string, Done>();
  if (costOf(discovery.files) < size.worthwhile) return done;
  const [folder] = openFolder(discovery, api);
  const files = folder.files.filter((file) => isLines(file.file) || cachedLines(file, cache) === undefined);
  if (costOf(files) < size.worthwhile) return done;
  const jobs = files.flatMap((file) => jobsOf(file, size.rangeLength));
  const results = await doJobs(jobs, readSettings(folder)[0].vocabulary);
  for (const [index, { file }] of jobs.entries()) {
    const [result, earlier] = [results[index], done.get(file)];
    if (result instanceof Uint8Array) done.set(file, result);
    else if (result !== undefined) done.set(file, [...(earlier instanceof Uint8Array ? [] : (earlier ?? [])), result]);
  }
  return done;
}

function jobsOf({ file, role, bytes }: ContentFile, rangeLength: number): readonly Job[] {
  if (role.kind !== "items") return [];
  const { operation } = role;
  if (isSlow(file)) return [{ operation, file, bytes: shared(bytes), range: undefined }];
  if (!isLines(file)) return [];
  return rangesOf(withoutMark(shared(bytes)), rangeLength).map((bytes, range) => ({ operation, file, bytes, range }));
}

/** Threads receive copies of all other memory. */
function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** The memory of a result that another thread can have without a copy. */
export function transferable(result: JobResult): readonly ArrayBuffer[] {
  const arrays =
    result === undefined
      ? []
      : result instanceof Uint8Array
        ? [result]
        : result.rows.flatMap(({ bytes, starts, ends, keys, hashes, columns }) => [
            ...[bytes, starts, ends, keys.bytes, keys.starts, hashes],
            ...columns.map(({ rows }) => rows),
          ]);
  return arrays.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
}

/** Returns the function that does a job. */
export function jobReader(api: Api, vocabulary: Vocabulary, cache: Cache | undefined): (job: Job) => JobResult {
  const lanes = new Map(api.lists.map((operation) => [operation.name, laneOf(operation, api, vocabulary)]));
  return ({ operation, file, bytes, range }) => {
    const lane = lanes.get(operation);
    if (lane === undefined) throw new Error(`There is no operation ${operation}.`);
    if (range !== undefined) return readRange(file, bytes, lane, range === 0);
    return itemLines({ file, bytes, role: { kind: "items", operation } }, cache)[1];
  };
}
