import { describe, expect, it } from "vitest";
import { discovered, faultsOf, rightTree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { allItems } from "./catalog.ts";
import { compileContent } from "./content.ts";

const record = (collection?: unknown, id = "rec_1") =>
  JSON.stringify({
    ...{ id, created_at: "2026-01-01T00:00:00Z", revision: 0, updated_at: "2026-01-01T00:00:00Z" },
    ...(collection === undefined ? {} : { collection }),
  });

const many = (...collections: readonly unknown[]) =>
  collections.map((collection, index) => record(collection, `rec_${index}`)).join("\n");

describe("a record's collection", () => {
  it.each([
    ["records/os.json", undefined],
    ["records/os.v2.ndjson", undefined],
    ["records/os/2026.json", undefined],
    ["records/os/deep/er.json", undefined],
    ["records/old/os.json", undefined],
    ["records/os/os.json", undefined],
    ["records/os.json", "os"],
    ["records/2026.json", "os"],
    ["records.json", "os"],
  ])("comes from %s, where the record says %s", (file, given) => {
    const [{ items }, diagnostics] = compileContent(discovered({ ...rightTree, [file]: record(given) }), edgeNetwork);
    expect(diagnostics).toEqual([]);
    expect(allItems(items.get("records")).map(({ collection }) => collection)).toEqual(["os"]);
  });

  it.each([
    [
      "records/web.json",
      '1:113 wrong-collection The record says collection "os", but the file\'s name says "web". Move the record, or leave its collection out.',
    ],
    [
      "records/web/a.json",
      '1:113 wrong-collection The record says collection "os", but the folder says "web". Move the record, or leave its collection out.',
    ],
  ])("must be that of %s", (file, report) => {
    expect(faultsOf({ ...rightTree, [file]: record("os") })).toEqual([`${file}:${report}`]);
  });

  it("is contradicted once by a folder and a file that name two", () => {
    const file = "records/os/web.ndjson";
    expect(faultsOf({ ...rightTree, [file]: many(undefined, undefined, "os", "web") })).toEqual([
      `${file}:1:1 wrong-collection The folder says collection "os", but the file's name says "web". Rename one of the two.`,
    ]);
  });

  const nowhere = "Neither this record nor its file's name or folder says which collection it belongs to.";
  const noneOf = (name: string) => `There is no collection "${name}", which the file's path names.`;

  it.each([
    ["records.ndjson", `${nowhere} Give it a collection, or name the file or its folder after one.`],
    ["records/so.ndjson", `${noneOf("so")} Did you mean "os"?`],
    ["records/weeb/2026.ndjson", `${noneOf("weeb")} Did you mean "web"?`],
    ["records/videos.ndjson", `${noneOf("videos")} Add schema/videos.yaml, or give the record another collection.`],
    ["records/A B.ndjson", `${nowhere} Give it a collection, or name the file or its folder after one.`],
  ])("is missed once where all records of %s leave it out", (file, report) => {
    expect(faultsOf({ ...rightTree, [file]: many(undefined, undefined) })).toEqual([
      `${file}:1:1 no-collection ${report}`,
    ]);
  });

  it("is missing in each record that omits it if others do not", () => {
    const faults = faultsOf({ ...rightTree, "records.ndjson": many("os", undefined, "web", undefined) });
    expect(faults.map((line) => line.split(" The ")[0]?.slice(0, 32))).toEqual([
      "records.ndjson:2:1 no-collection",
      "records.ndjson:4:1 no-collection",
    ]);
  });

  it.each([
    ["is misspelt", '{"colection":"os",', ["unknown-field"]],
    ["is empty", '{"collection":null,', ["wrong-type"]],
    ["is unknown", '{"collection":"oss",', ["no-such-item"]],
    ["is none", '{"collection":"OS!",', ["wrong-value"]],
  ])("is reported once where it %s", (_, start, codes) => {
    const faults = faultsOf({ ...rightTree, "records.json": record().replace("{", start) });
    expect(faults.map((line) => line.split(" ")[1])).toEqual(codes);
  });

  it("is not filled into values that are not records", () => {
    expect(faultsOf({ ...rightTree, "records/os.json": "[[], 7]" })).toEqual([
      "records/os.json:1:2 wrong-type A record must be an object with id, created_at, collection, revision, updated_at, but is an empty list.",
      "records/os.json:1:6 wrong-type A record must be an object with id, created_at, collection, revision, updated_at, but is the number 7.",
    ]);
  });

  it.each([
    ["the schema cannot be read", { "schema.json": "[" }, ["syntax"]],
    ["the collection's name is no name", { "schema.json": '{"name":"OS","fields":[]}' }, ["wrong-value"]],
  ])("is not missed where %s", (_, schema, codes) => {
    const faults = faultsOf({ ...schema, "records/OS.json": record() });
    expect(faults.map((line) => line.split(" ")[1])).toEqual(codes);
  });
});
