import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, defineDocument } from "../../../src/declare/declare.ts";
import type { Api } from "../../../src/model/api.ts";
import { discovered, faultsOf, type Tree } from "../../../test/content/folder.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { compiled } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { chooseDeployment } from "./deployments.ts";

const { operations } = edgeNetwork;

const names = operations.map(({ name }) => name).join(", ");

const status = { status: "operational", region: "eu", components: [], updated_at: "2026-01-01T00:00:00Z" };

const deployment = (fields: object) => JSON.stringify({ operations: ["nodes"], status, ...fields });

describe("deployments", () => {
  it("have the names of their files, operations in the order of the table, and always a status", () => {
    const tree = {
      "deployments/media.json": deployment({ operations: ["images", "nodes", "images"] }),
      "deployments/edge.ndjson": `${deployment({ operations: [] })}\n`,
    };
    const { deployments } = compiled(discovered(tree), edgeNetwork);
    expect([...deployments.values()]).toEqual([
      { name: "edge", operations: ["status"], documents: new Map([["status", status]]) },
      { name: "media", operations: ["nodes", "images", "status"], documents: new Map([["status", status]]) },
    ]);
  });

  it.each([
    [
      "an unknown operation",
      deployment({ operations: ["node"] }),
      [`1:16 wrong-value operations[0] must be one of ${names}, but is "node". Did you mean "nodes"?`],
    ],
    [
      "no status",
      '{"operations":[]}',
      [
        "1:1 missing-field A deployment must have the field status. Its value must be an object with the fields of the status document.",
      ],
    ],
    [
      "a version, which is the API's to state",
      deployment({ status: { ...status, version: "v1" } }),
      ['1:124 unknown-field status has no field "version". Its fields are status, region, components, updated_at.'],
    ],
    [
      "a component twice",
      deployment({
        status: {
          ...status,
          components: [
            { name: "a", status: "ok" },
            { name: "a", status: "OK" },
          ],
        },
      }),
      [
        '1:121 wrong-value status.components[1].name must be a name that nothing before it in the list has, but is "a".',
        '1:134 wrong-value status.components[1].status must be a lowercase word, such as operational, but is "OK". Write "ok".',
      ],
    ],
    [
      "a list",
      `[${deployment({ operations: 7 })}]`,
      [
        "1:1 not-one This file must hold a single deployment, but holds a list. Keep one, without a list around it.",
        "1:16 wrong-type operations must be a list of operations, but is the number 7.",
      ],
    ],
    ["text", '"edge"', ['1:1 wrong-type A deployment must be an object with operations and status, but is "edge".']],
  ])("are not made of %s", (_, text, reports) => {
    expect(faultsOf({ "deployments/edge.json": text })).toEqual(
      reports.map((report) => `deployments/edge.json:${report}`),
    );
  });

  it("have different names", () => {
    expect(faultsOf({ "deployments/edge.json": deployment({}), "deployments/edge.yaml": deployment({}) })).toEqual([
      'deployments/edge.yaml:1:1 not-unique The name "edge" is taken by another deployment, that of deployments/edge.json. Change one of them; case makes no difference.',
    ]);
  });
});

describe("without files", () => {
  const slug = z.string().regex(/^[a-z]+$/);
  const cities = defineCollection({ purpose: "Cities.", schema: z.strictObject({ id: slug }), key: "id" });
  const towns = defineCollection({ purpose: "Towns.", schema: z.strictObject({ id: slug }), key: "id" });
  const note = (required: boolean) =>
    defineDocument({ purpose: "A note.", schema: z.strictObject({ text: z.string() }), required });
  const deploymentsOf = (api: Api, tree: Tree) => [...compiled(discovered(tree), api).deployments.values()];
  const tree = { "cities.json": "[]" };

  it.each([
    ["no documents", completeApi(defineApi({ collections: { cities, towns } }))],
    [
      "a document that no deployment needs",
      completeApi(defineApi({ collections: { cities, towns }, documents: { note: note(false) } })),
    ],
  ])("are one with every collection, for an API with %s", (_, api) => {
    const operations = ["cities", "towns"];
    expect(deploymentsOf(api, tree)).toEqual([{ name: "edge", operations, documents: new Map() }]);
    const catalog = compiled(discovered(tree), api);
    expect(chooseDeployment(catalog, undefined).operations).toEqual(operations);
    const file = { "deployments/towns.json": '{"operations":["towns"]}' };
    expect(deploymentsOf(api, { ...tree, ...file }).map(({ name }) => name)).toEqual(["towns"]);
  });

  it("are none if a document needs content, or if the folder is empty", () => {
    expect(
      deploymentsOf(completeApi(defineApi({ collections: { cities }, documents: { note: note(true) } })), tree),
    ).toEqual([]);
    const api = completeApi(defineApi({ collections: { cities } }));
    expect(deploymentsOf(api, {})).toEqual([]);
    const empty = compiled(discovered({}), api);
    expect(() => chooseDeployment(empty, undefined)).toThrow(
      expect.objectContaining({ hint: "The content has none." }),
    );
  });
});

describe("the chosen deployment", () => {
  const catalogOf = (tree: Tree) => compiled(discovered(tree), edgeNetwork);
  const two = { "deployments/edge.json": deployment({}), "deployments/media.json": deployment({}) };

  it("is the one that is asked for, or else the default", () => {
    expect(chooseDeployment(catalogOf(two), "media").name).toBe("media");
    expect(chooseDeployment(catalogOf(two), undefined).name).toBe("edge");
    const settings = { "api.json": '{"default_deployment":"media"}' };
    expect(chooseDeployment(catalogOf({ ...two, ...settings }), undefined).name).toBe("media");
  });

  it.each([
    ["meida", two, 'Did you mean "media"?'],
    ["nope", two, "The content has edge, media."],
    ["nope", {}, "Write deployments/nope.yaml, with the content of status."],
  ])("must be there: %s", (asked, tree, hint) => {
    expect(() => chooseDeployment(catalogOf(tree), asked)).toThrow(
      expect.objectContaining({ message: `There is no deployment "${asked}".`, hint }),
    );
  });
});
