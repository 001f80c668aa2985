import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { built, lineOf, messagesOfPlan, openedWithErrors, planned, type TestPlanOptions } from "../../test/plan.ts";
import { bytesOf } from "../files/file.ts";
import { MachineError } from "../files/machine-error.ts";
import { hosts } from "../hosts/hosts.ts";

const parent = mkdtempSync(path.join(tmpdir(), "stillapi-outputs-"));
afterAll(() => rmSync(parent, { recursive: true }));

let count = 0;

const cities = [
  { id: "berlin", zone: "eu", label: "Berlin" },
  { id: "Paris", zone: "eu", label: "Paris" },
  { id: "lima", zone: "us", label: "Lima ☃" },
];

/** A declaration with `outputs`, and content of cities. */
async function optionsOf(outputs: string, items: readonly object[] = cities, operations = ["cities"]) {
  const folder = path.join(parent, String(count++));
  const content = path.join(folder, "content");
  mkdirSync(path.join(content, "deployments"), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  writeFileSync(
    path.join(folder, "api.config.ts"),
    `import * as z from "zod"; import { defineApi, defineCollection } from "stillapi";
const schema = z.strictObject({ id: z.string(), zone: z.string(), label: z.string() });
const cities = defineCollection({ purpose: "Cities.", noun: { one: "city", many: "cities" }, key: "id", schema });
const towns = defineCollection({ purpose: "Towns.", key: "id", schema });
export default defineApi({ base: "/v3", collections: { cities, towns }, outputs: {
${outputs}
} });`,
  );
  writeFileSync(path.join(content, "cities.json"), JSON.stringify(items));
  writeFileSync(path.join(content, "api.json"), JSON.stringify({ title: "Cities" }));
  writeFileSync(path.join(content, "deployments/edge.json"), JSON.stringify({ operations }));
  const { declaration, errors } = await openedWithErrors({ folder });
  const { api } = declaration;
  if (api === undefined) throw new Error(JSON.stringify(errors));
  return { api, content, folder } satisfies TestPlanOptions & { readonly folder: string };
}

const filesOf = (plan: Awaited<ReturnType<typeof planned>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...plan.files.all()]
      .filter(({ file }) =>
        /^(?!v3\/(?:cities|docs|dumps|errors|filters|schemas)|v3\/?[^/]*\.(?:json|xml)$)/.test(file),
      )
      .map((file) => [file.file, bytesOf(file).toString()]),
  );

const several = `"places.geojson": { render: ({ title, base, collections }) => title + base + collections.cities?.count },
"none.txt": { render: () => undefined },
"/old/{zone}/of-{id}.txt": {
  each: "cities", cache: "no-store",
  render: ({ id, label }, { request }) => (id === "Paris" ? undefined : label + request("cities")),
},
"/old/{id}.bin": { each: "towns", type: "application/octet-stream", render: () => new Uint8Array(1) },
"/bytes": { type: "image/png", render: () => Uint8Array.of(80, 78, 71) },`;

it("renders texts and bytes, from the data or from each item, and nothing of a collection that the deployment lacks", async () => {
  const plan = await planned(await optionsOf(several));
  expect(filesOf(plan)).toMatchObject({
    "v3/places.geojson": "Cities/v33",
    "old/eu/of-berlin.txt": "Berlin/v3/cities",
    "old/us/of-lima.txt": "Lima ☃/v3/cities",
    bytes: "PNG",
  });
  expect(Object.keys(filesOf(plan)).filter((file) => /none|Paris|bin/.test(file))).toEqual([]);
  const { documents, outputs } = plan.table;
  const json = { contentType: "application/geo+json", cacheControl: "public, max-age=300" };
  expect(documents).toContainEqual({ path: "/v3/places.geojson", file: "v3/places.geojson", ...json });
  expect(outputs).toEqual([
    {
      path: "/old/{zone}/of-{id}.txt",
      file: "old/{zone}/of-{id}.txt",
      contentType: "text/plain; charset=utf-8",
      cacheControl: "no-store",
    },
  ]);
  expect(plan.files.find("old/us/of-lima.txt")?.length).toBe("Lima ☃/v3/cities".length + 2);
  expect(plan.files.find("old/eu/of-Paris.txt")).toBeUndefined();
  expect(plan.count).toBe([...plan.files.all()].length + 1);
});

it("lists them in the overview, the reference and OpenAPI, each once", async () => {
  const plan = await planned(await optionsOf(several));
  const textOf = (file: string) => bytesOf(plan.files.find(file) ?? expect.fail()).toString();
  expect(JSON.parse(textOf("v3.json")).outputs).toEqual([
    { path: "/v3/places.geojson", type: "application/geo+json", cache: "public, max-age=300" },
    { path: "/old/{zone}/of-{id}.txt", type: "text/plain; charset=utf-8", cache: "no-store", each: "cities" },
    { path: "/bytes", type: "image/png", cache: "public, max-age=300" },
  ]);
  const { paths } = JSON.parse(textOf("v3/openapi.json"));
  expect(Object.keys(paths)).toEqual(["/v3/cities", "/v3/places.geojson", "/old/{zone}/of-{id}.txt", "/bytes"]);
  expect(paths["/old/{zone}/of-{id}.txt"].get).toMatchObject({
    operationId: "output_old_zone_of_id_txt",
    tags: ["cities"],
    parameters: [{ name: "zone", in: "path", required: true, description: "The zone of the city." }, { name: "id" }],
    responses: { 200: { content: { "text/plain": {} } } },
  });
  const reference = textOf("v3/docs/index.html");
  expect(reference).toContain('<a href="/v3/places.geojson">/v3/places.geojson</a> (application/geo+json)');
  expect(reference).toContain("<code>/old/{zone}/of-{id}.txt</code> (text/plain; charset=utf-8), one for each city");
});

const below = `"cities/{id}/zones": { each: "cities", type: "application/json", render: ({ zone }) => zone },
"cities/{id}/zones/1": { each: "cities", type: "text/x-none", render: ({ zone }) => zone },
"cities/{id}/5.json": { each: "cities", render: ({ id }) => id },`;

it("puts the files of outputs below items beside those of the items, at paths that no other address has", async () => {
  const options = await optionsOf(below);
  const plan = await planned(options);
  const outputs = plan.outputs.flatMap((files) => [...files.all()].map(({ file }) => file));
  expect(outputs.filter((file) => file.includes("lima"))).toEqual([
    "v3/cities/item/lima/zones.json",
    "v3/cities/item/lima/zones/1.bin",
    "v3/cities/item/lima/5.json",
  ]);
  const pathsIn = ({ files }: typeof plan): readonly string[] =>
    JSON.parse(bytesOf(files.find("v3.json") ?? expect.fail()).toString()).outputs.map(
      ({ path }: { readonly path: string }) => path,
    );
  expect(pathsIn(plan)).toEqual(["/v3/cities/{id}/zones", "/v3/cities/{id}/zones/1", "/v3/cities/{id}/5.json"]);
  const plain = hosts.get("plain") ?? expect.fail();
  expect(pathsIn(await planned({ ...options, hosts: [plain] }))[0]).toBe("/v3/cities/item/{id}/zones.json");
});

it.each([
  [
    ["n.txt", "n_txt", "n/txt/2"],
    ["output_v3_n_txt", "output_v3_n_txt_2", "output_v3_n_txt_2_2"],
  ],
  [
    ["n/txt/2", "n.txt", "n_txt"],
    ["output_v3_n_txt_2", "output_v3_n_txt", "output_v3_n_txt_3"],
  ],
])("gives each of %j an operationId of its own in OpenAPI", async (names, ids) => {
  const plan = await planned(
    await optionsOf(names.map((name) => `"${name}": { type: "text/plain", render: () => "n" },`).join("\n")),
  );
  const { paths } = JSON.parse(bytesOf(plan.files.find("v3/openapi.json") ?? expect.fail()).toString());
  expect(names.map((name) => paths[`/v3/${name}`].get.operationId)).toEqual(ids);
});

it("removes the files of an output that is gone, and leaves all others", async () => {
  const options = await optionsOf(several);
  const out = path.join(options.folder, "dist");
  await built({ ...options, out });
  writeFileSync(path.join(out, "old/eu/mine.txt"), "Mine.");
  writeFileSync(path.join(out, "v3/stray.txt"), "Stray.");
  const { owns } = JSON.parse(readFileSync(path.join(out, "routing.json"), "utf8"));
  expect(owns).toEqual(expect.arrayContaining(["old/eu/of-berlin.txt", "old/us/of-lima.txt", "bytes"]));
  const fewer = await optionsOf('"/bytes": { type: "image/png", render: () => "PNG" },');
  await built({ ...fewer, out });
  expect(readdirSync(path.join(out, "old"), { recursive: true }).sort()).toEqual(["eu", "eu/mine.txt"]);
  expect(existsSync(path.join(out, "bytes"))).toBe(true);
  expect(existsSync(path.join(out, "v3/stray.txt"))).toBe(false);
});

it("refuses to overwrite a file that is not the build's", async () => {
  const options = await optionsOf(several);
  const out = path.join(options.folder, "dist");
  await built({ ...(await optionsOf("")), out });
  mkdirSync(path.join(out, "old/us"), { recursive: true });
  writeFileSync(path.join(out, "old/us/of-lima.txt"), "Mine.");
  await expect(built({ ...options, out })).rejects.toThrow(MachineError);
  expect(readFileSync(path.join(out, "old/us/of-lima.txt"), "utf8")).toBe("Mine.");
});

const at = (line: number, text: string) => expect.stringMatching(new RegExp(`^api\\.config\\.ts:${line}:\\d+ ${text}`));

describe("faults", () => {
  it.each<
    readonly [outputs: string, items: readonly object[], faults: readonly (readonly [line: number, text: string])[]]
  >([
    [
      `"a.txt": { render: () => { throw new Error("no data"); } },
"b/{id}.txt": {
  each: "cities",
  render: ({ id }) => (id === "lima" ? (undefined as never)["x"] : 5 as any) },`,
      cities,
      [
        [6, "throws The output /v3/a.txt cannot be rendered: no data\\.$"],
        [9, 'throws The output /v3/b/{id}\\.txt cannot be rendered: render .* nor bytes \\(city "Paris"\\)\\.$'],
        [9, 'throws The output /v3/b/{id}\\.txt cannot be rendered: render .* nor bytes \\(city "berlin"\\)\\.$'],
        [9, 'throws The output /v3/b/{id}\\.txt cannot be rendered: Cannot read .* \\(city "lima"\\)\\.$'],
      ],
    ],
    [
      '"a.txt": { render: (async () => { throw new Error("late"); }) as any },',
      cities,
      [[6, "throws The output /v3/a\\.txt cannot be rendered: render returned neither a string nor bytes\\.$"]],
    ],
    [
      '"b/{label}": { each: "cities", type: "text/plain", render: () => "" },',
      [
        { id: "a", zone: "x", label: "two words" },
        { id: "b", zone: "x", label: "b.php" },
        { id: "c", zone: "x", label: "c" },
      ],
      [
        [6, 'wrong-value The label "two words" cannot be in the path /v3/b/{label}: .* \\(city "a"\\)\\.'],
        [6, 'wrong-value Hosts run or read a file with the name "b.php" \\(city "b"\\)\\.'],
      ],
    ],
    [
      `"b/{label}.txt": { each: "cities", render: () => "" },
"b/x{zone}.txt": { type: "text/html", each: "cities", render: ({ id }) => (id === "c" ? undefined : "") },`,
      [
        { id: "a", zone: "1", label: "x2" },
        { id: "b", zone: "2", label: "y" },
        { id: "c", zone: "3", label: "Y" },
      ],
      [
        [
          6,
          "not-unique The output /v3/b/{label}\\.txt has a file at /v3/b/Y\\.txt, where the output /v3/b/{label}\\.txt has",
        ],
        [
          7,
          "not-unique The output /v3/b/x{zone}\\.txt has a file at /v3/b/x2\\.txt, where the output /v3/b/{label}\\.txt has",
        ],
      ],
    ],
    [
      `"changes.xml": { render: () => "" },
"/index.html": { render: () => "" },
"/old/{id}/a.txt": { each: "cities", render: () => "" },
"/old/berlin": { type: "text/plain", render: () => "" },
"/index.html/{id}.txt": { each: "cities", render: () => "" },`,
      cities,
      [
        [
          6,
          "not-unique The output /v3/changes\\.xml has a file at /v3/changes\\.xml, where the API has one already\\. Change",
        ],
        [7, "not-unique The output /index\\.html has a file at /index\\.html, where the API has one already"],
        [7, "not-unique The output /index\\.html has a file at /index\\.html, which is the folder of other files"],
        [9, "not-unique The output /old/berlin has a file at /old/berlin, which is the folder of other files"],
        [
          10,
          "not-unique The output /index\\.html/{id}\\.txt has files below /index\\.html, which is a file of the API",
        ],
      ],
    ],
    [
      below,
      [
        { id: "limit", zone: "1", label: "1" },
        { id: "item", zone: "1", label: "2" },
        { id: "5", zone: "1", label: "3" },
      ],
      [
        [
          8,
          "not-unique The output /v3/cities/{id}/5\\.json is answered at /v3/cities/limit/5\\.json, which is the path of",
        ],
      ],
    ],
    [
      `"old": { type: "text/plain", render: () => "" },
"Old.html": { render: () => "" },
"new/{id}": { type: "text/html", each: "cities", render: () => "" },`,
      [
        { id: "a", zone: "1", label: "1" },
        { id: "a.html", zone: "1", label: "2" },
        { id: "b.html", zone: "1", label: "3" },
      ],
      [
        [
          7,
          "not-unique The output /v3/Old\\.html has a file at /v3/Old\\.html, and there is one without \\.html\\. Some hosts",
        ],
        [
          8,
          "not-unique The output /v3/new/{id} has a file at /v3/new/a\\.html, and there is one without \\.html\\. Some hosts",
        ],
      ],
    ],
  ])("%#", async (outputs, items, faults) => {
    const messages = await messagesOfPlan(await optionsOf(outputs, items));
    const lines = messages.filter(({ severity }) => severity === "error").map(lineOf);
    expect(lines).toEqual(faults.map(([line, text]) => at(line, text)));
  });
});

it("renders the file of an item again when it is written, one at a time, and refuses another length", async () => {
  const calls = { count: 0, length: 1 };
  Object.assign(globalThis, { outputCalls: calls });
  const plan = await planned(
    await optionsOf(`"of/{id}.txt": {
  each: "cities",
  render: () => { outputCalls.count++; return "x".repeat(outputCalls.length); } },`),
  );
  expect(calls.count).toBe(cities.length);
  const files = [...plan.files.all()].filter(({ file }) => file.startsWith("v3/of/"));
  expect({ files: files.length, ...calls }).toMatchObject({ files: cities.length, count: cities.length });
  const [first, second] = files;
  expect(bytesOf(first ?? expect.fail()).toString()).toBe("x");
  expect(calls.count).toBe(cities.length + 1);
  calls.length = 2;
  expect(() => bytesOf(second ?? expect.fail())).toThrow(
    "The output /v3/of/{id}.txt was rendered twice, with different results.",
  );
});
