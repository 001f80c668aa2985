import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listNamed } from "../../src/model/api.ts";
import { fieldOf } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import { filtersOf } from "../../src/model/operation.ts";
import { writeSample } from "../../test/check/sample.ts";
import { compared, type DifferenceOfOne, opened } from "../../test/diff/compared.ts";
import { edgeNetwork, edgeNetworkAt } from "../../test/edge-network.ts";
import { planned } from "../../test/plan.ts";
import { hosts } from "../hosts/hosts.ts";
import { cursorChanges } from "./output.ts";
import type { DiffOptions } from "./read.ts";

const { operations } = edgeNetwork;

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-difference-"));
const before = path.join(folder, "before");

beforeAll(() => {
  writeSample(before, { count: 30, pageSizes: [5, 10] });
  edit(before, "api.yaml", (settings) => ({ ...settings, vocabulary: { region_status: ["operational"] } }));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Content = Record<string, unknown>;

function edit(content: string, file: string, change: (value: Content & Item[]) => unknown): void {
  const full = path.join(content, file);
  writeFileSync(full, JSON.stringify(change(JSON.parse(readFileSync(full, "utf8")))));
}

const chosen = [...hosts.values()].filter(({ name }) => name === "netlify");

type More = Partial<Pick<DiffOptions, "deployment" | "hosts">>;

async function between(against: string, content: string, more: More = {}): Promise<DifferenceOfOne> {
  return compared({ api: edgeNetwork, content, against, hosts: chosen, ...more });
}

const copyOf = (content: string): string => {
  const copy = mkdtempSync(path.join(folder, "copy-"));
  cpSync(content, copy, { recursive: true });
  return copy;
};

type Change = (value: Content & Item[]) => unknown;

/** The effect of an edit of a file of the sample. */
function changed(file: string, change: Change, more: More = {}): Promise<DifferenceOfOne> {
  const after = copyOf(before);
  edit(after, file, change);
  return between(before, after, more);
}

const paged = edgeNetwork.lists.filter((operation) => operation.paged);
const [one] = paged;
const filtered = edgeNetwork.lists.find((operation) => filtersOf(operation).length > 0);
const defined = edgeNetwork.lists.find((list) => list.defining.length > 0);
if (one === undefined || filtered === undefined || defined === undefined) throw new Error("The table lacks a case.");

const reported = ({ breaking }: DifferenceOfOne) => breaking.map(({ code, message }) => `${code} ${message}`);

describe("breaking changes", () => {
  it("are none if nothing changes", async () => {
    const same = await changed("api.yaml", (settings) => settings);
    expect(same).toMatchObject({ breaking: [], settings: [], documents: [], warnings: [] });
    expect(same.files).toMatchObject({ added: { files: 0 }, removed: { files: 0 }, changed: { files: 0 } });
    expect(same.cursors).toEqual({ retired: 0, pages: 0, lifetime: 900 });
  });

  it("are none if an item is added, which moves the pages behind it", async () => {
    const added = { ...one.example, [one.key]: `${one.example[one.key]}zz` };
    const difference = await changed(`${one.name}.json`, (items) => [...items, added]);
    expect(difference.breaking).toEqual([]);
    expect(difference.items[one.name]).toMatchObject({ before: 30, after: 31 });
    expect(difference.files?.changed?.files).toBeGreaterThan(0);
    expect(difference.cursors?.pages).toBeGreaterThanOrEqual(difference.cursors?.retired ?? Number.NaN);
  });

  it("are an operation that is removed, of which nothing else is reported", async () => {
    const rest = operations.map(({ name }) => name).filter((name) => name !== one.name);
    const difference = await changed("deployments/edge.json", (value) => ({ ...value, operations: rest }));
    expect(reported(difference)).toEqual([
      `operation-removed /api/v1/${one.name} is removed: it is answered with 404. It had not been deprecated.`,
    ]);
    expect(difference.breaking).toMatchObject([{ operations: [one.name], values: [one.name] }]);
    expect(difference.operations).toEqual({ added: [], removed: [one.name] });
    expect(Object.keys(difference.items)).not.toContain(one.name);
  });

  it("are a value that a filter no longer accepts, and its item", async () => {
    const [filter = { param: "", field: "" }] = filtersOf(filtered);
    const { field = "" } = filter;
    const reference = filtered.references.find((candidate) => candidate.field === field);
    const target = listNamed(edgeNetwork, reference?.to ?? "");
    let gone = "";
    const difference = await changed(`${target.name}.json`, (items) => {
      gone = String(items.at(-1)?.[target.key]);
      return items.slice(0, -1);
    });
    const pair = `${filter.param}=${gone}`;
    expect(reported(difference)).toEqual(
      expect.arrayContaining([
        `value-removed /api/v1/${filtered.name} answers with 400 to these values, which were accepted: ${pair}.`,
        `item-removed 1 ${target.noun} is gone from /api/v1/${target.name}: ${gone}.`,
      ]),
    );
  });

  it("are page sizes", async () => {
    const difference = await changed("api.yaml", (value) => ({ ...value, page_sizes: [10] }));
    const answer = "a limit below 10 is an error; any other limit returns the next smaller page";
    expect(reported(difference)).toEqual(
      paged.map(({ name }) => `page-size-removed /api/v1/${name} no longer has pages of these sizes (${answer}): 5.`),
    );
    expect(difference.settings).toEqual([{ field: "page_sizes[]", before: 5 }]);
    expect(difference.files?.removed?.files).toBeGreaterThan(0);
    const every = await changed("api.yaml", (value) => ({ ...value, page_sizes: "every" }));
    expect(every.breaking).toEqual([]);
    expect(every.settings).toEqual([{ field: "page_sizes", before: [5, 10, 100], after: "every" }]);
  });

  it.each([
    [
      "longer",
      { region_status: ["operational", "offline"] },
      [{ field: "vocabulary.region_status[]", after: "offline" }],
    ],
    ["not listed any more", {}, [{ field: "vocabulary.region_status", before: ["operational"] }]],
  ])("are words of a vocabulary that is %s", async (_, vocabulary, settings) => {
    const difference = await changed("api.yaml", (value) => ({ ...value, vocabulary }));
    const widened = { code: "vocabulary-widened", operations: ["regions"], values: ["status"] };
    expect(difference.breaking).toMatchObject([widened]);
    expect(difference.settings).toEqual(settings);
  });

  it("are definitions with changed or removed parts, but not those with a further part", async () => {
    const { name } = defined;
    const [field = ""] = defined.defining;
    const withParts = (change: (parts: readonly Item[]) => readonly Item[]) =>
      changed(`${name}.json`, ([item, ...rest]) => [
        { ...item, [field]: change(fieldOf(item, field) as readonly Item[]) },
        ...rest,
      ]);
    const removed = await withParts(() => []);
    expect(removed.breaking).toMatchObject([
      { code: "meaning-changed", operations: [name], values: [expect.any(String)] },
    ]);
    const another = (part: Item) =>
      Object.fromEntries(Object.entries(part).map(([key, value], index) => [key, index === 0 ? `${value}2` : value]));
    expect(reported(await withParts((parts) => [...parts, ...parts.map(another)]))).toEqual([]);
  });
});

it("shows each setting before and after a change", async () => {
  const changes: readonly (readonly [string, unknown, unknown])[] = [
    ["title", undefined, "Edge"],
    ["description", undefined, "All of it."],
    ["url", undefined, "https://api.example.com"],
    ["license", undefined, { name: "CC0", url: "https://example.com/cc0" }],
    ["contact", undefined, { email: "api@example.com" }],
    ["hosts", undefined, ["caddy"]],
    ["default_deployment", "edge", "second"],
    ["paging", "exact", "stable"],
    ["changes", "30d", "7d"],
    ["changes_fields", {}, false],
    ["front_page", true, false],
    ["accent", undefined, "#7a1fa2"],
    ["accent_dark", undefined, "#a96dc3"],
  ];
  const after = copyOf(before);
  cpSync(path.join(after, "deployments/edge.json"), path.join(after, "deployments/second.json"));
  const changedTo = Object.fromEntries(changes.map(([field, , valueAfter]) => [field, valueAfter]));
  edit(after, "api.yaml", (settings) => ({ ...settings, ...changedTo }));
  const texts = ["introduction.md", "changes.md"];
  for (const text of texts) writeFileSync(path.join(after, text), "Text.\n");
  const { settings } = await between(before, after);
  const expected = [
    ...changes.map(([field, valueBefore, valueAfter]) => ({
      field,
      ...(valueBefore !== undefined && { before: valueBefore }),
      after: valueAfter,
    })),
    ...texts.map((field) => ({ field, after: "Text.\n" })),
  ];
  expect(settings).toHaveLength(expected.length);
  expect(settings).toEqual(expect.arrayContaining(expected));
});

it.each([
  ["0", "15m", [{ before: "0", after: "15m" }]],
  ["60m", "1h", []],
  ["7d", "90m", [{ before: "7d", after: "90m" }]],
])("shows the lifetime of cursors as api.yaml has it: %s, then %s", async (timeBefore, timeAfter, changes) => {
  const [contentBefore, contentAfter] = [timeBefore, timeAfter].map((time) => {
    const content = copyOf(before);
    edit(content, "api.yaml", (value) => ({ ...value, cursor_lifetime: time === "0" ? 0 : time }));
    return content;
  });
  const { settings } = await between(contentBefore ?? "", contentAfter ?? "");
  expect(settings).toEqual(changes.map((change) => ({ field: "cursor_lifetime", ...change })));
});

it("names all hosts that have to load another configuration, and none if only data changes", async () => {
  const loading = [...hosts.values()].filter(({ loads }) => loads !== undefined);
  const asked = { hosts: [...loading, ...chosen] };
  const { after } = await opened({ api: edgeNetwork, content: before, against: before, ...asked });
  const beside = after.plan.configuration.map(({ file }) => file);
  for (const { name, loads } of loading) {
    for (const file of loads?.(edgeNetwork.base) ?? []) expect(beside).toContain(`${name}/${file}`);
  }
  const reloadsWith = async (change: Change) =>
    (await changed("api.yaml", change, asked)).reloads.map(({ host }) => host);
  expect(loading.length).toBeGreaterThan(1);
  expect(await reloadsWith((value) => ({ ...value, page_sizes: [5, 20] }))).toEqual(loading.map(({ name }) => name));
  expect(await reloadsWith((value) => ({ ...value, title: "Another", cursor_lifetime: "1h" }))).toEqual([]);
});

it("compares the use of a limit although another folder is the fullest now", async () => {
  const only = (name: string) => {
    const content = copyOf(before);
    edit(content, "deployments/edge.json", (value) => ({ ...value, operations: [name] }));
    return content;
  };
  const [first, second] = paged.map(({ name }) => only(name));
  const { limits } = await between(first ?? expect.fail(), second ?? expect.fail());
  const [limit = expect.fail()] = limits.filter(({ what }) => what === "files in one folder");
  expect(limit.before).toBeGreaterThan(0);
});

it("keeps no cursors if the base changes: a build has no state of another base", async () => {
  const content = copyOf(before);
  edit(content, "api.yaml", (value) => ({ ...value, page_sizes: [10] }));
  const [one, other] = await Promise.all([
    planned({ api: edgeNetwork, content: before }),
    planned({ api: edgeNetworkAt("/api/v2"), content }),
  ]);
  const { cursors } = cursorChanges(one, other, other);
  expect(cursors).toMatchObject({ pages: 0, lifetime: 0 });
  expect(cursors.retired).toBeGreaterThan(0);
});

describe("a deployment", () => {
  it("that is new adds all its operations", async () => {
    const after = copyOf(before);
    cpSync(path.join(after, "deployments/edge.json"), path.join(after, "deployments/second.json"));
    expect(await between(before, after, { deployment: "second" })).toMatchObject({
      deployments: ["second"],
      breaking: [],
      operations: { added: operations.map(({ name }) => name), removed: [] },
    });
  });

  it("that is renamed loses its cursors at once", async () => {
    const after = copyOf(before);
    renameSync(path.join(after, "deployments/edge.json"), path.join(after, "deployments/other.json"));
    edit(after, "api.yaml", (value) => ({ ...value, default_deployment: "other", page_sizes: [10] }));
    const { deployments, operations: ops, cursors } = await between(before, after);
    expect(deployments).toEqual(["edge", "other"]);
    expect(ops).toEqual({ added: [], removed: [] });
    expect(cursors).toMatchObject({ pages: 0, lifetime: 0 });
    expect(cursors?.retired).toBeGreaterThan(0);
  });
});
