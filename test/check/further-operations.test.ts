// An API with another base, and with operations that only this test adds to the table. They get content, pages, routes,
// requests and expected answers, although nothing else names them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolve, settle } from "../../build/routing/resolve.ts";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi } from "../../src/declare.ts";
import declared from "../../src/edge-network/index.ts";
import { faultsOf } from "../content/folder.ts";
import { type Built, buildForTest } from "./built.ts";
import { bodyIn, conform, isFile, type Subject } from "./conform.ts";
import { incidents, notice } from "./further-resources.ts";
import { conformanceRequests } from "./requests.ts";
import { writeSample } from "./sample.ts";

/** A name of the maximum length. */
const longest = "incidents_of_the_edge_network_ab";

const api = completeApi(
  defineApi({
    collections: { ...declared.collections, [longest]: incidents },
    documents: { ...declared.documents, notice },
  }),
);

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-further-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

describe("operations that were added to the table", () => {
  let built: Built;
  let subject: Subject;

  beforeAll(async () => {
    writeSample(path.join(folder, "content"), { count: 30, pageSizes: [5, 10] }, api);
    built = await buildForTest(path.join(folder, "content"), dist, [], api);
    const send: Subject["send"] = (request) => {
      const answer = settle(resolve(built.plan.table, request), (each) => isFile(dist, each));
      const lowercase = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
      const body = bodyIn(dist, answer, request.method);
      return { status: answer.status, headers: Object.fromEntries(lowercase), body };
    };
    subject = { dataset: built.dataset, dist, gaps: [], send };
  });

  it("have content and pages", () => {
    const read = (file: string) => JSON.parse(readFileSync(path.join(dist, api.base, file), "utf8"));
    expect(read(`${longest}/limit/5.json`).data).toHaveLength(5);
    expect(read("notice.json")).toEqual({ object: "notice", text: "Hello." });
    expect(read("status.json")).toMatchObject({ status: "operational" });
  });

  it("are faults if a deployment lists a document without its content", () => {
    const deployment = {
      operations: ["notice"],
      status: api.operations.find(({ name }) => name === "status")?.resource.example,
    };
    expect(faultsOf({ "deployments/edge.json": JSON.stringify(deployment) }, [], undefined, api)).toEqual([
      "deployments/edge.json:1:1 missing-field A deployment must have the field notice. Its value must be the content of this operation, which it lists.",
    ]);
  });

  it("get requests for every kind of answer, and answers as the contract says", async () => {
    const requests = conformanceRequests(built.dataset);
    const { failures } = await conform(subject, requests);
    expect(failures).toEqual([]);
    const own = requests.filter(({ path: asked }) => asked === `${api.base}/${longest}`);
    const answers = new Set(
      own.map((request) => settle(resolve(built.plan.table, request), (file) => isFile(dist, file)).file),
    );
    for (const code of ["limit", "where_in_the_edge_network_it_was", "cursor"]) {
      expect(answers).toContain(`${api.base.slice(1)}/errors/${longest}/invalid_${code}.json`);
    }
    expect(requests.map(({ path: asked }) => asked)).toContain(`${api.base}/notice`);
  });

  it("are judged: a wrong answer is found", async () => {
    const wrong: Subject["send"] = async (request) => {
      const response = await subject.send(request);
      return { ...response, headers: { ...response.headers, "cache-control": "public, max-age=60" } };
    };
    const requests = [longest, "notice"].map((name) => ({ method: "GET", path: `${api.base}/${name}`, query: "" }));
    const { failures } = await conform({ ...subject, send: wrong }, requests);
    expect(failures).toEqual([
      `GET ${api.base}/${longest}?: cache-control: public, max-age=60, not public, max-age=30`,
      `GET ${api.base}/notice?: cache-control: public, max-age=60, not public, max-age=5`,
    ]);
  });
});
