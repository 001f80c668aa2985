// The answers of two editors' language servers, at the places of a sample's files where people write.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { referenced } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import type { Item } from "../../../src/resource.ts";
import { listable, type Vocabulary } from "../../../src/vocabulary.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { type Editor, openJsonEditor, openYamlEditor, refreshSchemas } from "../../../test/cli/language-servers.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { pathFields } from "../../content/globs.ts";

const { operations } = edgeNetwork;

/** Two words of each vocabulary. The sample has others, which is a fault, and schemas are written nevertheless. */
const vocabulary: Vocabulary = Object.fromEntries(
  edgeNetwork.vocabularies.map((words) => {
    const valid = ["first-word", "second-word", "image/first", "image/second"].filter(
      (word) => listable(words).safeParse(word).success,
    );
    return [words.name, valid.slice(-2)];
  }),
);

const repositories: string[] = [];
afterAll(() => {
  for (const each of repositories) rmSync(each, { recursive: true });
});

/** A repository with a sample, changed by some files of content, and its schemas. */
async function repositoryWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const repository = mkdtempSync(path.join(tmpdir(), "stillapi-editors-"));
  repositories.push(repository);
  writeSample(path.join(repository, "content"), { count: 5, pageSizes: [10] });
  for (const [file, text] of Object.entries(files)) write(repository, file, text);
  await refreshSchemas(repository);
  return repository;
}

function write(repository: string, file: string, text: string): void {
  const full = path.join(repository, "content", file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
}

const itemsIn = (repository: string, { name }: ListOperation): readonly Item[] =>
  JSON.parse(readFileSync(path.join(repository, "content", `${name}.json`), "utf8"));

/** Fields of items whose words the vocabulary lists. */
const worded = edgeNetwork.lists.flatMap((operation) =>
  Object.entries(z.toJSONSchema(operation.resource.schema(vocabulary)).properties ?? {}).flatMap(([field, form]) =>
    typeof form === "object" && form.enum !== undefined ? [{ operation, field, words: form.enum.map(String) }] : [],
  ),
);

const references = edgeNetwork.lists.flatMap((operation) =>
  operation.resource.references.map(({ field }) => ({
    operation,
    field,
    target: referenced(edgeNetwork, operation.resource, field),
  })),
);

interface Language {
  readonly name: string;
  readonly extension: string;
  readonly open: (repository: string) => Promise<Editor>;
  readonly print: (value: unknown) => string;
  /** A list of an object with one field, whose value is the text. */
  readonly listWith: (field: string, value: string) => string;
  readonly objectWith: (field: string, value: string) => string;
  readonly emptyItem: string;
  /** How a completed word reads. */
  readonly word: (word: string) => string;
}

const languages: readonly Language[] = [
  {
    name: "yaml-language-server",
    extension: "yaml",
    open: openYamlEditor,
    print: (value) => stringify(value),
    listWith: (field, value) => `- ${field}: ${value}\n`,
    objectWith: (field, value) => `${field}: ${value}\n`,
    emptyItem: "- |\n",
    word: (word) => word,
  },
  {
    name: "vscode-json-languageservice",
    extension: "json",
    open: async (repository) => openJsonEditor(repository),
    print: (value) => JSON.stringify(value),
    listWith: (field, value) => `[{"${field}":${value}}]`,
    objectWith: (field, value) => `{"${field}":${value}}`,
    emptyItem: "[{|}]",
    word: (word) => JSON.stringify(word),
  },
];

const labelsOf = (completed: readonly string[]): readonly string[] =>
  completed.map((each) => each.split(": ")[0] ?? "");

describe.each(languages)("$name", ({ extension, open, print, listWith, objectWith, emptyItem, word }) => {
  let repository = "";
  let editor: Editor;
  beforeAll(async () => {
    repository = await repositoryWith();
    editor = await open(repository);
  });
  afterAll(() => editor.close());
  const fileOf = ({ name }: { readonly name: string }) => `content/${name}.${extension}`;

  it.each(edgeNetwork.lists)("completes the fields of $name, in files at any depth", async (operation) => {
    const { example } = operation.resource;
    const completed = labelsOf(await editor.complete(fileOf(operation), emptyItem));
    expect(completed).toEqual(expect.arrayContaining(Object.keys(example)));
    const inFolder = await editor.complete(`content/${operation.name}/deep/er.${extension}`, emptyItem);
    expect(labelsOf(inFolder)).toEqual(completed);
  });

  it.each(references)("completes $field with the keys there are and what they are called", async (reference) => {
    const { operation, field, target } = reference;
    const { key } = target.resource;
    const items = itemsIn(repository, target);
    const completed = await editor.complete(fileOf(operation), listWith(field, "|"));
    expect(labelsOf(completed)).toEqual(items.map((item) => word(String(item[key]))));
    const named = items.filter(({ name }) => typeof name === "string" && key !== "name");
    for (const [index, { name }] of named.entries()) expect(completed[index]).toContain(`: ${name}, `);
  });

  it.each(edgeNetwork.lists)("tells in hovers what each field of $name means", async (operation) => {
    const { example, meanings } = operation.resource;
    const fields = Object.keys(example);
    const marked = fields.reduce(
      (text, field) =>
        text.replace(
          `${field}${extension === "yaml" ? ":" : '"'}`,
          (found) => `${found.slice(0, 1)}|${found.slice(1)}`,
        ),
      print([example]),
    );
    const shown = await editor.hovers(fileOf(operation), marked);
    expect(shown).toHaveLength(fields.length);
    for (const [index, field] of fields.entries()) expect(shown[index]).toContain(meanings[field]);
  });

  it("tells in a hover what the item is called that a key names", async () => {
    for (const { operation, field, target } of references) {
      const [first] = itemsIn(repository, target);
      const key = String(first?.[target.resource.key]);
      const name = target.resource.key === "name" ? "" : String(first?.["name"]);
      const text = listWith(field, word(key).replace(key, `${key.slice(0, 1)}|${key.slice(1)}`));
      expect((await editor.hovers(fileOf(operation), text))[0]).toContain(`\`${key}\`: ${name}`);
    }
  });

  it("completes the operations of a deployment, and the content of its documents", async () => {
    const file = `content/deployments/new.${extension}`;
    const completed = await editor.complete(file, objectWith("operations", "[|]"));
    expect(completed).toEqual(operations.map(({ name, purpose }) => `${word(name)}: ${purpose}`));
    for (const { name, resource } of edgeNetwork.documents) {
      const inside = extension === "yaml" ? `${name}:\n  |` : `{"${name}":{|}}`;
      expect(labelsOf(await editor.complete(file, inside))).toEqual(
        expect.arrayContaining(Object.keys(resource.example)),
      );
    }
  });

  it("completes the settings", async () => {
    const file = `content/api.${extension}`;
    expect(labelsOf(await editor.complete(file, extension === "yaml" ? "|" : "{|}"))).toEqual(
      expect.arrayContaining(["title", "page_sizes", "cursor_lifetime", "vocabulary"]),
    );
    expect(labelsOf(await editor.complete(file, objectWith("default_deployment", "|")))).toEqual([word("edge")]);
    const inside = extension === "yaml" ? "vocabulary:\n  |" : '{"vocabulary":{|}}';
    expect(labelsOf(await editor.complete(file, inside))).toEqual(
      expect.arrayContaining(edgeNetwork.vocabularies.map(({ name }) => name)),
    );
  });

  it("finds nothing wrong with valid content", async () => {
    for (const operation of edgeNetwork.lists) {
      const items = itemsIn(repository, operation);
      expect([operation.name, await editor.faults(fileOf(operation), print(items))]).toEqual([operation.name, []]);
      const [given = ""] = pathFields(operation);
      const { [given]: _, ...implied } = items[0] ?? {};
      expect(await editor.faults(`content/${operation.name}/one.${extension}`, print(implied))).toEqual([]);
    }
    const deployment = JSON.parse(readFileSync(path.join(repository, "content/deployments/edge.json"), "utf8"));
    expect(await editor.faults(`content/deployments/edge.${extension}`, print(deployment))).toEqual([]);
    const settings = {
      title: "Edge",
      page_sizes: "every",
      cursor_lifetime: 0,
      front_page: false,
      default_deployment: "edge",
    };
    expect(await editor.faults(`content/api.${extension}`, print(settings))).toEqual([]);
  });

  it("finds fields that are unknown, missing or of another form, and keys of nothing", async () => {
    for (const { operation, field, target } of references) {
      const { key, example } = operation.resource;
      const { [key]: _, ...keyless } = example;
      const faults = await editor.faults(
        fileOf(operation),
        print([{ ...keyless, [field]: "nothing0", colour: "red" }]),
      );
      expect(faults.map((fault) => fault.replace(/^\S+ /, ""))).toEqual(
        expect.arrayContaining([
          `Missing property "${key}".`,
          "Property colour is not allowed.",
          `Must be the ${target.resource.key} of a ${target.resource.noun}.`,
        ]),
      );
      for (const given of pathFields(operation)) expect(faults.join()).not.toContain(`Missing property "${given}"`);
      expect(await editor.faults(fileOf(operation), print([{ ...example, [key]: 5 }]))).toContainEqual(
        expect.stringMatching(/^\d+:\d+ Must be /),
      );
    }
  });

  it("follows the content: its vocabularies, its keys, and what cannot be read of it", async () => {
    const [reference] = references;
    if (reference === undefined) throw new Error("No operation refers to another.");
    const { operation, field, target } = reference;
    const { key } = target.resource;
    const changed = await repositoryWith();
    const other = await open(changed);
    try {
      write(changed, "api.yaml", stringify({ vocabulary }));
      await refreshSchemas(changed);
      await other.refresh();
      for (const each of worded) {
        const completed = await other.complete(fileOf(each.operation), listWith(each.field, "|"));
        expect(labelsOf(completed)).toEqual(each.words.map(word));
        const faults = await other.faults(fileOf(each.operation), print([{ [each.field]: "third-word" }]));
        expect(faults).toContainEqual(expect.stringContaining(`Must be one of the `));
      }

      const [first] = itemsIn(changed, target);
      write(changed, `${target.name}.json`, JSON.stringify([first]));
      await refreshSchemas(changed);
      await other.refresh();
      expect(labelsOf(await other.complete(fileOf(operation), listWith(field, "|")))).toEqual([
        word(String(first?.[key])),
      ]);
      const missing = itemsIn(repository, target).at(-1)?.[key];
      const refers = print([{ ...operation.resource.example, [field]: missing }]);
      expect((await other.faults(fileOf(operation), refers)).join()).toContain("Must be the ");

      write(changed, `${target.name}/broken.json`, "[{");
      await refreshSchemas(changed);
      await other.refresh();
      expect(labelsOf(await other.complete(fileOf(operation), listWith(field, "|")))).toContain(
        word(String(first?.[key])),
      );
      expect((await other.faults(fileOf(operation), refers)).join()).not.toContain("Must be the ");
    } finally {
      await other.close();
    }
  });
});

it("takes the schema that a file names itself", async () => {
  const repository = await repositoryWith();
  const [operation] = edgeNetwork.lists;
  if (operation === undefined) throw new Error("There are no lists.");
  const { name, resource } = operation;
  const yaml = await openYamlEditor(repository);
  const named = `# yaml-language-server: $schema=../.schemas/${name}.json\n- |\n`;
  expect(labelsOf(await yaml.complete("elsewhere/some.yaml", named))).toEqual(
    expect.arrayContaining(Object.keys(resource.example)),
  );
  await yaml.close();
  const json = openJsonEditor(repository);
  const own = `{"$schema":"../.schemas/${name}.json",|}`;
  expect(labelsOf(await json.complete("elsewhere/some.json", own))).toEqual(
    expect.arrayContaining(Object.keys(resource.example)),
  );
  const item = { $schema: `../.schemas/${name}.json`, ...itemsIn(repository, operation)[0] };
  expect(await json.faults("elsewhere/some.json", JSON.stringify(item))).toEqual([]);
});
