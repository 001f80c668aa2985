// The answers of two editors' language servers, at the places of a sample's files where people write.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { stringify } from "yaml";
import type { Item } from "../../../src/model/key.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { type Editor, openJsonEditor, openYamlEditor, refreshSchemas } from "../../../test/cli/language-servers.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { impliedFields } from "../../content/globs.ts";

const { lists, documents, operations, vocabularies } = edgeNetwork;

const repositories: string[] = [];
afterAll(() => {
  for (const repository of repositories) rmSync(repository, { recursive: true });
});

/** A repository with a sample and its schemas. */
async function newRepository(): Promise<string> {
  const repository = mkdtempSync(path.join(tmpdir(), "stillapi-editors-"));
  repositories.push(repository);
  writeSample(path.join(repository, "content"), { count: 5, pageSizes: [10] });
  await refreshSchemas(repository);
  return repository;
}

const read = (repository: string, file: string) =>
  JSON.parse(readFileSync(path.join(repository, "content", file), "utf8"));

async function change(repository: string, editor: Editor, file: string, text: string): Promise<void> {
  const full = path.join(repository, "content", file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  await refreshSchemas(repository);
  await editor.refresh();
}

interface Language {
  readonly name: string;
  /** Why its server cannot be started. */
  readonly lack: string | undefined;
  readonly extension: string;
  readonly open: (repository: string) => Promise<Editor>;
  readonly print: (value: unknown) => string;
  /** A list of an object with one field, whose value is the text. */
  readonly listWith: (field: string, value: string) => string;
  readonly objectWith: (field: string, value: string) => string;
  readonly emptyItem: string;
  readonly emptyObject: string;
  /** An empty object in the field of an object. */
  readonly objectIn: (field: string) => string;
  /** How a completed word reads. */
  readonly word: (word: string) => string;
}

const languages: readonly Language[] = [
  {
    name: "yaml-language-server",
    lack: inject("lackOfTools"),
    extension: "yaml",
    open: openYamlEditor,
    print: (value) => stringify(value),
    listWith: (field, value) => `- ${field}: ${value}\n`,
    objectWith: (field, value) => `${field}: ${value}\n`,
    emptyItem: "- |\n",
    emptyObject: "|",
    objectIn: (field) => `${field}:\n  |`,
    word: (word) => word,
  },
  {
    name: "vscode-json-languageservice",
    lack: undefined,
    extension: "json",
    open: async (repository) => openJsonEditor(repository),
    print: (value) => JSON.stringify(value),
    listWith: (field, value) => `[{"${field}":${value}}]`,
    objectWith: (field, value) => `{"${field}":${value}}`,
    emptyItem: "[{|}]",
    emptyObject: "{|}",
    objectIn: (field) => `{"${field}":{|}}`,
    word: (word) => JSON.stringify(word),
  },
];

const labelsOf = (completed: readonly string[]) => completed.map((line) => line.split(": ")[0] ?? "");

describe.each(languages)("$name", ({ lack, extension, open, print, word, ...language }) => {
  if (lack !== undefined) return it.skip(`is not tested, because ${lack}`);

  const { listWith, objectWith, objectIn, emptyItem, emptyObject } = language;
  let repository = "";
  let editor: Editor;
  beforeAll(async () => {
    repository = await newRepository();
    editor = await open(repository);
  });
  afterAll(() => editor.close());
  const fileOf = (name: string) => `content/${name}.${extension}`;
  const completed = async (name: string, text: string) => labelsOf(await editor.complete(fileOf(name), text));

  it.each(lists)("completes the fields of $name in files at any depth, with their meanings", async (list) => {
    const { example, meanings } = list;
    const fields = Object.keys(example);
    expect(await completed(list.name, emptyItem)).toEqual(expect.arrayContaining(fields));
    expect(await completed(`${list.name}/deep/er`, emptyItem)).toEqual(expect.arrayContaining(fields));
    const marked = fields.reduce(
      (text, field) => text.replace(new RegExp(`${field}"?:`), (found) => found.replace(/^./, "$&|")),
      print([example]),
    );
    const hovers = await editor.hovers(fileOf(list.name), marked);
    expect(hovers).toHaveLength(fields.length);
    for (const [index, field] of fields.entries()) expect(hovers[index]).toContain(meanings[field]);
  });

  it("completes the keys of referenced items, with their names", async () => {
    const regions: readonly Item[] = read(repository, "regions.json");
    expect(await editor.complete(fileOf("nodes"), listWith("pop", "|"))).toEqual(
      regions.map(({ code, name }) => expect.stringMatching(`^${word(String(code))}: ${name}, `)),
    );
    const [{ code = "", name = "" } = {}] = regions;
    const [hover] = await editor.hovers(fileOf("nodes"), listWith("pop", word(String(code).replace(/^./, "$&|"))));
    expect(hover).toContain(`\`${code}\`: ${name}`);
  });

  it("completes deployments and settings", async () => {
    expect(await editor.complete(fileOf("deployments/new"), objectWith("operations", "[|]"))).toEqual(
      operations.map(({ name, purpose }) => `${word(name)}: ${purpose}`),
    );
    for (const { name, example } of documents) {
      const fields = expect.arrayContaining(Object.keys(example));
      expect(await completed("deployments/new", objectIn(name))).toEqual(fields);
    }
    expect(await completed("api", emptyObject)).toEqual(
      expect.arrayContaining(["title", "page_sizes", "cursor_lifetime", "vocabulary"]),
    );
    expect(await completed("api", objectWith("default_deployment", "|"))).toEqual([word("edge")]);
    const words = expect.arrayContaining(vocabularies.map(({ name }) => name));
    expect(await completed("api", objectIn("vocabulary"))).toEqual(words);
  });

  it("finds nothing wrong with valid content", async () => {
    const faults = async (name: string, value: unknown) => [name, await editor.faults(fileOf(name), print(value))];
    for (const list of lists) {
      const items: readonly Item[] = read(repository, `${list.name}.json`);
      expect(await faults(list.name, items)).toEqual([list.name, []]);
      const [pathField = ""] = impliedFields(list);
      const { [pathField]: _, ...implied } = items[0] ?? {};
      expect(await faults(`${list.name}/one`, implied)).toEqual([`${list.name}/one`, []]);
    }
    const edge = "deployments/edge";
    expect(await faults(edge, read(repository, `${edge}.json`))).toEqual([edge, []]);
    const settings = { title: "Edge", page_sizes: "every", cursor_lifetime: 0, front_page: false };
    expect(await faults("api", { ...settings, default_deployment: "edge" })).toEqual(["api", []]);
  });

  it("finds fields that are unknown, missing or of another form, and keys of nothing", async () => {
    const [{ id: _, ...keyless } = {}] = read(repository, "nodes.json");
    const wrong = print([{ ...keyless, pop: "nothing0", capacity: 5, colour: "red" }]);
    const faults = (await editor.faults(fileOf("nodes"), wrong)).map((fault) => fault.replace(/^\S+ /, ""));
    expect(faults.sort()).toEqual([
      'Missing property "id".',
      expect.stringMatching(/^Must be an integer of 1 or more /),
      "Must be the code of a region.",
      "Property colour is not allowed.",
    ]);
  });

  it("follows the content: its vocabularies, its keys, and what cannot be read of it", async () => {
    const changed = await newRepository();
    const other = await open(changed);
    try {
      const offered = async (field: string) => labelsOf(await other.complete(fileOf("nodes"), listWith(field, "|")));
      const faults = async (more: object) =>
        (await other.faults(fileOf("nodes"), print([{ ...read(changed, "nodes.json")[0], ...more }]))).join();
      // The sample has other words, which is a fault, and schemas are written nevertheless.
      await change(changed, other, "api.yaml", stringify({ vocabulary: { node_status: ["first", "second"] } }));
      expect(await offered("status")).toEqual([word("first"), word("second")]);
      expect(await faults({ status: "third" })).toContain("Must be one of the ");

      const [first, second] = read(changed, "regions.json");
      await change(changed, other, "regions.json", JSON.stringify([first]));
      expect(await offered("pop")).toEqual([word(first.code)]);
      expect(await faults({ pop: second.code })).toContain("Must be the code of a region.");

      await change(changed, other, "regions/broken.json", "[{");
      expect(await offered("pop")).toContain(word(first.code));
      expect(await faults({ pop: second.code })).not.toContain("Must be the code of a region.");
    } finally {
      await other.close();
    }
  });

  it("takes the schema that a file names itself", async () => {
    const file = `elsewhere/some.${extension}`;
    const schema = "../.schemas/nodes.json";
    const [node] = read(repository, "nodes.json");
    const named =
      extension === "yaml" ? `# yaml-language-server: $schema=${schema}\n- |\n` : `{"$schema":"${schema}",|}`;
    expect(labelsOf(await editor.complete(file, named))).toEqual(expect.arrayContaining(Object.keys(node)));
    if (extension === "json") expect(await editor.faults(file, print({ $schema: schema, ...node }))).toEqual([]);
  });
});
