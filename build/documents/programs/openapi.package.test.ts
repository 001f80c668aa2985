import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { fieldOf } from "../../../src/model/fields.ts";
import { complaintsAbout, isValidOpenapi } from "../../../test/documents/openapi-rules.ts";
import { planSample, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import type { TestPlan } from "../../../test/plan.ts";
import { skipWithoutTools } from "../../../test/tools/skip.ts";
import { bytesOf } from "../../files/file.ts";
import { filesOfAnswers } from "../../pages/answers.ts";
import { paramsOf } from "../../routing/params.ts";
import type { Site } from "../describe/site.ts";
import { type openapi, openapiDocument } from "./openapi.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const settings = {
  title: "شبكة الحافة",
  description: "A network. *Markdown* and <script>alert(1)</script>.",
  url: "https://api.edge.example",
  license: { name: "CC0", url: "https://creativecommons.org/publicdomain/zero/1.0/" },
  contact: { email: "edge@example.com" },
};

/** A deployment of operations that are not paged and of documents. */
const unpaged = {
  operations: edgeNetwork.lists.filter(({ paged }) => !paged).map(({ name }) => name),
  ...Object.fromEntries(edgeNetwork.documents.map(({ name, example }) => [name, example])),
};

const write = (to: string, file: string, value: unknown) => writeFileSync(path.join(to, file), JSON.stringify(value));

const contents = [
  { name: "a sample with every page size", count: 130, pageSizes: "every", change: () => undefined },
  {
    name: "a sample with some page sizes and all settings",
    count: 12,
    pageSizes: [5, 10],
    change: (to: string) =>
      write(to, "api.yaml", { ...settings, page_sizes: [5, 10], vocabulary: { status: ["ok", "operational"] } }),
  },
  {
    name: "a sample without paged operations",
    count: 3,
    pageSizes: "every",
    change: (to: string) => write(to, "deployments/edge.json", unpaged),
  },
] as const;

/** The part of a response object that these tests read. */
interface Media {
  readonly schema: { readonly $ref: string };
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

describe.each(contents)("the OpenAPI document of $name", ({ name, count, pageSizes, change }) => {
  let plan: TestPlan;
  let source: Site;
  let document: ReturnType<typeof openapi>;
  const content = path.join(folder, name.replaceAll(" ", "-"));

  beforeAll(async () => {
    mkdirSync(content);
    plan = await planSample(content, { count, pageSizes }, change);
    source = siteOf(plan);
    document = JSON.parse(Buffer.concat([...openapiDocument(source).parts()]).toString());
  });

  it("is valid by the official schema, and passes the rules of Redocly and Spectral", async ({ skip }) => {
    skipWithoutTools(skip);
    expect(await isValidOpenapi(document)).toBe(true);
    expect(await isValidOpenapi({ ...document, info: {} })).toBe(false);
    expect(await complaintsAbout(document, content)).toEqual([]);
  });

  it("has the schema of every file of the build, and of every example", () => {
    const schemaOf = validators(document);
    const wrong: string[] = [];
    let files = 0;
    for (const output of plan.files.all()) {
      const { file } = output;
      const [, part = ""] = /^api\/v1\/(\w+)(?:\/.*)?\.json$/.exec(file) ?? [];
      const isError = part === "errors" || file === "404.html";
      const isAnswer = source.operations.some(({ name }) => name === part);
      if (!isAnswer && !isError) continue;
      const valid = isError ? schemaOf("ErrorBody") : schemaOf(answerOf(document, part));
      files++;
      if (!valid(JSON.parse(bytesOf(output).toString()))) wrong.push(`${file} ${JSON.stringify(valid.errors)}`);
    }
    expect(wrong).toEqual([]);
    expect(files).toBe([...filesOfAnswers(plan).all()].length);
    for (const { name: operation } of source.operations)
      expect(schemaOf(answerOf(document, operation))({})).toBe(false);

    const media = mediaOf(document);
    const examples = media.flatMap((type) => Object.values(type.examples).map(({ value }) => ({ value, ...type })));
    expect(examples.length).toBeGreaterThan(source.operations.length);
    for (const { value, schema } of examples) {
      const valid = schemaOf(schema.$ref.replace("#/components/schemas/", ""));
      expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
    }
  });

  it("has an example of each answer, and every error of each operation", () => {
    for (const { name: operation } of source.operations) {
      const responses = document.paths[`/api/v1/${operation}`]?.get.responses ?? expect.fail();
      expect(Object.keys(responses["200"].content["application/json"].examples)).toContain("first");
      const codes = Object.keys(responses["400"]?.content["application/json"].examples ?? {});
      const routed = plan.table.operations.find(({ name }) => name === operation) ?? expect.fail();
      expect(codes).toEqual(paramsOf(routed).map(({ error }) => error.body.code));
    }
  });
});

const isTime = z.iso.datetime();

/** By the name of a schema. */
function validators({ components }: ReturnType<typeof openapi>): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, formats: { "date-time": (text: string) => isTime.safeParse(text).success } });
  ajv.addKeyword("components");
  ajv.addSchema({ $id: "api:", components: { schemas: components.schemas } }, undefined, false, false);
  return (name) => {
    const schema = ajv.getSchema(`api:#/components/schemas/${name}`);
    if (schema === undefined) throw new Error(`There is no schema ${name}.`);
    return schema;
  };
}

const answerOf = (document: ReturnType<typeof openapi>, operation: string): string =>
  mediaIn(document.paths[`/api/v1/${operation}`]?.get.responses["200"]).schema.$ref.replace(
    "#/components/schemas/",
    "",
  );

const mediaIn = (response: unknown): Media => fieldOf(fieldOf(response, "content"), "application/json") as Media;

const mediaOf = ({ paths, components }: ReturnType<typeof openapi>): readonly Media[] =>
  [...Object.values(paths).flatMap(({ get }) => Object.values(get.responses)), ...Object.values(components.responses)]
    .filter((response) => "content" in response)
    .map(mediaIn);
