import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { from } from "../../src/declare/derived.ts";
import { slug } from "../../src/declare/forms.ts";
import { faultsOf } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { completeApi } from "../declaration/complete.ts";
import { globsOf } from "./globs.ts";
import { roleOf } from "./roles.ts";

describe("roleOf", () => {
  it.each([
    ["api.yaml", { kind: "settings" }],
    ["api.json", { kind: "settings" }],
    ["nodes.yaml", { kind: "items", operation: "nodes" }],
    ["nodes.2026.ndjson", { kind: "items", operation: "nodes" }],
    ["nodes/europe/lhr.jsonl", { kind: "items", operation: "nodes" }],
    ["records/os.yml", { kind: "items", operation: "records" }],
    ["schema/os.json", { kind: "items", operation: "schema" }],
    ["deployments/edge-2_b.yaml", { kind: "deployment", name: "edge-2_b" }],
  ])("knows what %s holds", (file, role) => {
    expect(roleOf(file, edgeNetwork)).toMatchObject(role);
  });

  const move = "Move it out of the content folder, or start its name with a dot.";
  const deployment =
    "A deployment is a YAML or JSON file directly in the folder deployments/, with a name of lowercase letters, digits, underscores and hyphens.";
  const known = `Content is at ${edgeNetwork.lists.flatMap((each) => globsOf(each) ?? [each.name]).join(", ")}, deployments, api.`;

  it.each([
    ["remarks.md", 'No collection is called "remarks"', move],
    ["api.csv", 'No collection is called "api"', "The settings are the file api.yaml."],
    [
      "nodes.JSON",
      "Its name ends with none of .yaml, .yml, .json, .geojson, .jsonc, .ndjson, .jsonl, .csv, .tsv, .md, .markdown, .toml",
      "Write the ending in lowercase.",
    ],
    ["node.json", 'No collection is called "node"', 'Did you mean "nodes"?'],
    ["nodes.yaml/a.json", 'No collection is called "nodes.yaml"', known],
    ["api/a.yaml", 'No collection is called "api"', "The settings are the file api.yaml."],
    ["status.yaml", 'No collection is called "status"', known],
    ["deployments/a/b.yaml", "It is not a deployment", deployment],
    ["deployments/Edge.yaml", "It is not a deployment", deployment],
  ])("says why %s is no content", (file, reason, hint) => {
    const sentence = reason.startsWith("No collection is called") ? reason : `${reason}, so it is not content`;
    expect(faultsOf({ [file]: "[]" })).toEqual([`${file}:1:1 unknown-file ${sentence}. ${hint}`]);
  });

  it("knows that a file with the name of a collection that is made from another one may be the other's", () => {
    const schema = z.strictObject({ id: slug });
    const all = defineCollection({ purpose: "All.", schema, key: "id", files: "*.ndjson" });
    const things = defineCollection({ purpose: "Things.", schema, key: "id", ...from(all, (item) => [item]) });
    const api = completeApi(defineApi({ collections: { all, things } }));
    expect(roleOf("things.ndjson", api)).toMatchObject({ kind: "items", operation: "all" });
    const { text = "" } = { text: undefined, ...roleOf("things.json", api) };
    expect(text).toBe("The declaration makes things from all, so no file holds its items.");
    expect(roleOf("thing.json", api)).toMatchObject({
      hint: "Content is at *.ndjson, deployments, api.",
      meant: ["all"],
    });
  });
});
