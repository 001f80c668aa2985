import { describe, expect, it } from "vitest";
import { faultsOf, rightTree } from "../../test/content/folder.ts";

const node = (id: string, fields: object = {}) => ({
  id,
  created_at: "2026-01-01T00:00:00Z",
  pop: "lhr1",
  status: "operational",
  capacity: "10G",
  ...fields,
});

/** YAML of list elements, without their hyphens. */
const block = (id: string, fields: object = {}): string =>
  Object.entries(node(id, fields))
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("");
const item = (id: string, fields: object = {}): string => `- ${block(id, fields).trimEnd().replaceAll("\n", "\n  ")}\n`;

const faultsIn = (file: string, text: string): readonly string[] =>
  faultsOf({ ...rightTree, [file]: text }).map((line) => line.replace(`${file}:`, ""));

/** The hints for the faults of a node with these fields. */
const hintOf = (fields: object): string | undefined => {
  const [line, ...others] = faultsIn("nodes.json", JSON.stringify([node("nod_1", fields)]));
  expect(others).toEqual([]);
  return /, but is .*?\.(?: (.*))?$/.exec(line ?? "")?.[1];
};

describe("a value that is nearly right gets the right one", () => {
  it.each([
    [{ created_at: "2026-11-20T11:00:00+02:00" }, 'Write "2026-11-20T09:00:00Z".'],
    [{ created_at: "2026-01-01T00:30:00+0100" }, 'Write "2025-12-31T23:30:00Z".'],
    [{ created_at: "2026-11-20T04:00:00-05" }, 'Write "2026-11-20T09:00:00Z".'],
    [{ created_at: "2026-11-20T09:00:00Z".replace("Z", ".123Z") }, 'Write "2026-11-20T09:00:00Z".'],
    [{ created_at: "2026-11-20T09:00Z" }, 'Write "2026-11-20T09:00:00Z".'],
    [{ created_at: "2026-11-20 09:00:00" }, 'If it is UTC, write "2026-11-20T09:00:00Z".'],
    [{ created_at: "2026-02-30T09:00:00+01:00" }, undefined],
    [{ created_at: "2026-11-20T24:00:00+01:00" }, undefined],
    [{ capacity: "100g" }, 'Write "100G".'],
    [{ capacity: "010 Gbit/s" }, undefined],
    [{ id: " NOD_1" }, 'Write "nod_1".'],
    [{ status: "Ready" }, 'Write "ready".'],
  ])("%j", (fields, hint) => {
    expect(hintOf(fields)).toBe(hint);
  });
});

describe("a mistake of the whole file is reported once", () => {
  it.each([
    ["all of them", block("nod_1") + block("nod_2"), ["6:1"]],
    ["one in the column of keys", item("nod_1") + item("nod_2").replace("- ", "  "), ["6:3"]],
  ])("a hyphen that is missing: %s", (_, text, places) => {
    const faults = faultsIn("nodes.yaml", text).map((line) => line.split(" ").slice(0, 2).join(" "));
    expect(faults).toEqual(places.map((place) => `${place} missing-hyphen`));
  });

  it.each([
    ["a hyphen that is missing between others", item("nod_1") + block("nod_2") + item("nod_3"), "6:1"],
    ["a hyphen before the only item at that column", item("nod_1") + item("nod_2").replace("- ", ""), "6:1"],
    ["the first hyphen", block("nod_1") + item("nod_2"), "6:1"],
    ["two hyphens in turn", item("nod_1") + block("nod_2") + block("nod_3"), "6:1"],
    ["a space that is missing behind a hyphen", item("nod_1").replace("- ", "-"), "1:6"],
  ])("%s, if it makes the text invalid", (_, text, place) => {
    expect(faultsIn("nodes.yaml", text)).toEqual([
      expect.stringMatching(new RegExp(`^${place} syntax This is not valid YAML`)),
    ]);
  });
});

describe("an unclosed quote is reported at its start", () => {
  it.each([
    ["nodes.yaml", item("nod_1", { pop: '"lhr1' }) + item("nod_2"), "3:8"],
    ["nodes.yaml", item("nod_1", { pop: '"lhr1', status: '"operational"' }), "3:8"],
    ["nodes.yaml", item("nod_1") + item("nod_2", { pop: "'lhr1" }) + item("nod_3", { pop: "'lhr1'" }), "8:8"],
    ["nodes.json", '[\n {"id": "nod_1,\n "pop": "lhr1"}\n]', "2:9"],
  ])("%s %j", (file, text, place) => {
    expect(faultsIn(file, text)).toEqual([expect.stringMatching(new RegExp(`^${place} syntax This is not valid`))]);
  });
});

describe("items that are unreadable", () => {
  it("may be referred to", () => {
    const regions =
      "- code: cdg1\n  name: [\n- code: nrt1\n  name: Tokyo\n  zone: a-b\n  country: JP\n  status: ready\n";
    const tree = { "regions.yaml": regions, "nodes.json": JSON.stringify([node("nod_1", { pop: "cdg1" })]) };
    expect(faultsOf(tree)).toEqual([expect.stringMatching(/^regions\.yaml:3:1 syntax /)]);
  });
});
