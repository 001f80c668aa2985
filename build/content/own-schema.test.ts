import { expect, it } from "vitest";
import { faultsOf, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";

const own = { $schema: "../.schemas/any.json" };
const modeline = "# yaml-language-server: $schema=../.schemas/any.json\n";
const [{ name, example }] = edgeNetwork.lists.filter((each) => each.references.length === 0) as [
  (typeof edgeNetwork.lists)[number],
];
const deployment = {
  operations: [],
  ...Object.fromEntries(edgeNetwork.documents.map((operation) => [operation.name, operation.example])),
};
const json = (value: unknown): string => JSON.stringify(value);

it.each<[string, Tree]>([
  ["an item", { [`${name}/one.json`]: json({ ...own, ...example }) }],
  ["a deployment", { "deployments/edge.json": json({ ...own, ...deployment }) }],
  ["the settings", { "api.json": json({ ...own, title: "Edge" }) }],
  ["a comment in YAML", { [`${name}.yaml`]: `${modeline}${json([example])}\n`, "api.yaml": `${modeline}title: a\n` }],
])("lets %s name the schema for editors", (_, tree) => {
  expect(faultsOf(tree)).toEqual([]);
});

it.each<[string, Tree]>([
  ["an item of a list", { [`${name}.json`]: json([{ ...own, ...example }]) }],
  ["a line of NDJSON", { [`${name}.ndjson`]: json({ ...own, ...example }) }],
  ["an object in YAML", { [`${name}.yaml`]: json({ ...own, ...example }) }],
  ["an object inside", { "api.json": json({ vocabulary: own }) }],
  ["a value that is no text", { "api.json": json({ $schema: 1 }) }],
])("knows no $schema of %s", (_, tree) => {
  expect(faultsOf(tree)).toEqual([expect.stringContaining(" unknown-field ")]);
});
