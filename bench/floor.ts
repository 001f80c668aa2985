// The floor: the least that a program does for the pages of 100 records. It reads the same content, checks it with the same
// compiled forms, sorts, and writes the pages, the dump, and a state of keys and digests. It knows one collection, reports
// the first fault only, and keeps no earlier cursor.
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { count, id, time } from "../src/declare/forms.ts";

const recordForm = z
  .strictObject({ id: id("rec"), created_at: time, collection: z.string(), revision: count, updated_at: time })
  .refine(({ created_at, updated_at }) => updated_at >= created_at);

interface Line {
  readonly id: string;
  readonly collection: string;
  readonly orderKey: string;
  readonly text: string;
}

const size = 100;

function linesIn(content: string): readonly Line[] {
  const schema = z.compile(recordForm);
  const collections: readonly { name: string }[] = JSON.parse(readFileSync(path.join(content, "schema.json"), "utf8"));
  const names = new Set(collections.map(({ name }) => name));
  const ids = new Set<string>();
  const lines = textsIn(content).map((line): Line => {
    const record = schema.parse(JSON.parse(line));
    const { id, collection, created_at } = record;
    if (ids.has(id) || !names.has(collection)) throw new Error(line);
    ids.add(id);
    return { id, collection, orderKey: `${collection} ${created_at} ${id}`, text: JSON.stringify(record) };
  });
  return lines.sort((a, b) => (a.orderKey < b.orderKey ? -1 : 1));
}

/** The text of each record: a line of one file, or a file. */
function textsIn(content: string): readonly string[] {
  const file = path.join(content, "records.ndjson");
  if (existsSync(file)) return readFileSync(file, "utf8").trimEnd().split("\n");
  const folder = path.join(content, "records");
  return readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
}

function writePages(folder: string, lines: readonly Line[], filters: readonly (readonly [string, string])[]): void {
  const order = ["collection", "created_at", "id"].map((field) => [field, "text"]);
  const listing = JSON.stringify(["records", ["id"], order, filters]);
  mkdirSync(path.join(folder, "cursor"), { recursive: true });
  let file = `${folder}.json`;
  for (let start = 0; start < lines.length; start += size) {
    const page = lines.slice(start, start + size);
    const hasMore = start + size < lines.length;
    const cursor = hasMore ? cursorOf(listing + page.at(-1)?.orderKey) : null;
    const pagination = JSON.stringify({ limit: size, count: page.length, has_more: hasMore, next_cursor: cursor });
    const data = page.map(({ text }) => text).join();
    writeFileSync(file, `{"object":"list","data":[${data}],"pagination":${pagination}}`);
    file = path.join(folder, "cursor", `${cursor}.json`);
  }
}

const cursorOf = (text: string): string =>
  `k${BigInt(`0x${hash("sha256", text, "hex").slice(0, 30)}`)
    .toString(36)
    .padStart(24, "0")}`;

function build(content: string, out: string): void {
  const lines = linesIn(content);
  const folder = path.join(`${out}.staging`, "api/v1");
  writePages(path.join(folder, "records"), lines, []);
  for (const collection of new Set(lines.map((line) => line.collection))) {
    const some = lines.filter((line) => line.collection === collection);
    writePages(path.join(folder, "records/collection", collection), some, [["collection", collection]]);
  }
  mkdirSync(path.join(folder, "dumps"));
  writeFileSync(path.join(folder, "dumps/records.ndjson"), lines.map(({ text }) => `${text}\n`).join(""));
  const keys = lines.map(({ orderKey }) => orderKey);
  const digests = lines.map(({ text }) => hash("sha256", text, "base64").slice(0, 11));
  writeFileSync(path.join(folder, "state.json"), JSON.stringify({ keys, digests: digests.join("") }));
  renameSync(`${out}.staging`, out);
}

const [content = "", out = ""] = process.argv.slice(2);
build(content, out);
