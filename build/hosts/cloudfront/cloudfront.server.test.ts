import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPageSize } from "../../../src/model/paging.ts";
import type { TextAnswer } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { conform, type Subject } from "../../../test/check/conform.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { type Sample, writeSample } from "../../../test/check/sample.ts";
import { productsApi } from "../../../test/content/products.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { loadCloudFront, type RunScript } from "../../../test/hosts/cloudfront-emulator.ts";
import { type Change, type Cloud, filesIn, newCloud, type Uploaded, upload } from "../../../test/hosts/upload.ts";
import { configurationFolder } from "../../output/location.ts";
import { makeTable, type TableDocument } from "../../routing/table.ts";
import { cloudfront, listKey } from "./index.ts";

const { operations } = edgeNetwork;

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-cloudfront-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Site extends Subject {
  readonly configuration: string;
  readonly documents: readonly TableDocument[];
  readonly changes: readonly Change[];
  readonly cloud: Cloud;
}

let sites = 0;

async function makeSite(count: number, pageSizes: Sample["pageSizes"]): Promise<Site> {
  const content = path.join(folder, `content-${sites}`);
  const dist = path.join(folder, `dist-${sites++}`);
  writeSample(content, { count, pageSizes });
  const { dataset, plan } = await buildForTest(content, dist, [cloudfront]);
  const configuration = path.join(configurationFolder(dist), "cloudfront");
  const cloud = freshCloud();
  const { changes } = await uploadForTest(dist, cloud);
  const headers = new Map(changes.filter(({ verb }) => verb === "put").map(({ key, headers }) => [key, headers]));
  const get = (key: string) => {
    const file = path.join(cloud.objects, key);
    return existsSync(file) ? { headers: headers.get(key) ?? {}, body: () => readFileSync(file, "utf8") } : undefined;
  };
  const send = loadCloudFront(readFileSync(`${configuration}/template.json`, "utf8"), { get }, runScript);
  return { dataset, dist, gaps: cloudfront.gaps, send, configuration, changes, documents: plan.documents, cloud };
}

/** Runs the script without Node's globals, and without code generation from strings. */
const runScript: RunScript = (script) =>
  runInContext(script, createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } }));

let clouds = 0;

const freshCloud = (): Cloud => newCloud(path.join(folder, `cloud-${clouds++}`));

async function uploadForTest(dist: string, cloud: Cloud): Promise<Uploaded> {
  const uploaded = await upload(dist, cloud);
  expect(uploaded, uploaded.printed).toMatchObject({ code: 0 });
  return uploaded;
}

describe("the template", () => {
  const table = makeTable(
    edgeNetwork,
    operations.map(({ name }) => name),
    () => everyPageSize,
  );
  const files = new Map(
    cloudfront.configuration?.([table]).map(({ file, parts }) => [file, Buffer.concat([...parts()]).toString()]),
  );
  const text = files.get("template.json") ?? "";
  const template = JSON.parse(text);
  const { Resources } = template;

  it("refers only to resources and parameters of the template", () => {
    const pseudo = ["AWS::AccountId", "AWS::NoValue", "AWS::Partition", "AWS::Region", "AWS::StackName"];
    const declared = [...Object.keys(Resources), ...Object.keys(template.Parameters), ...pseudo];
    const refs = [...text.matchAll(/"Ref": "([^"]+)"|"Fn::GetAtt": \[\s*"([^"]+)"/g)].map(([, ref, got]) => ref ?? got);
    const substituted = [...text.matchAll(/\$\{([\w:]+)/g)].map(([, name]) => name);
    expect([...refs, ...substituted].filter((name) => !declared.includes(name ?? ""))).toEqual([]);
    expect(refs.length).toBeGreaterThan(10);
    expect(substituted.length).toBeGreaterThan(5);
  });

  it("lets nobody but the distribution read the bucket, and nobody list it", () => {
    expect(Object.values(Resources.Bucket.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [statement, other] = Resources.BucketPolicy.Properties.PolicyDocument.Statement;
    expect(other).toBeUndefined();
    expect(statement).toMatchObject({ Effect: "Allow", Action: "s3:GetObject" });
    expect(statement.Principal).toEqual({ Service: "cloudfront.amazonaws.com" });
    expect(JSON.stringify(statement.Condition)).toContain(`distribution/\${Distribution}`);
  });

  it("caches as long as each object says", () => {
    expect(Resources.Caching.Properties.CachePolicyConfig).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
  });
});

describe("the distribution", () => {
  const state = "2027-01-15T08:00:40Z/0123abcd";
  const later = "2027-01-15T08:05:00Z/4567cdef";
  const documents = ["/dumps/products.ndjson", "/changes.json", ""].map((name) => ({
    path: `/api/v1${name}`,
    file: `api/v1${name || ".json"}`,
    contentType: "application/json",
    cacheControl: "public, max-age=60",
  }));
  const table = makeTable(productsApi, ["products"], () => [5, 100], documents);
  const [template] = (cloudfront.configuration?.([table]) ?? []).filter(({ file }) => file === "template.json");

  /** A distribution with a cache, whose objects all have the same text. */
  function cached(object: { text: string }) {
    const cache = new Map<string, TextAnswer>();
    const get = () => ({ headers: {}, body: () => object.text });
    const send = loadCloudFront(Buffer.concat([...(template?.parts() ?? [])]).toString(), { get }, runScript, cache);
    return { cache, ask: (path: string, query: string) => send({ method: "GET", path: `/api/v1${path}`, query }).body };
  }

  it.each(["/products", "/products/lamp", "/dumps/products.ndjson", "/changes.json", ""])(
    "keeps the answers of /api/v1%s to other queries apart",
    (path) => {
      const object = { text: "old" };
      const { ask } = cached(object);
      const queries = ["", state, `limit=5&${state}`, "a=b", "response-content-type=text/html&acl"];
      for (const query of queries) expect(ask(path, query)).toBe("old");
      object.text = "new";
      for (const query of queries) expect(ask(path, query)).toBe("old");
      expect(ask(path, later)).toBe("new");
      expect(ask(path, `limit=5&${later}`)).toBe("new");
    },
  );

  it("keeps one answer for a page, whichever parameters lead to it", () => {
    const { cache, ask } = cached({ text: "text" });
    for (const query of ["limit=5&tag=new", "tag=new&limit=5", "&tag=new&&limit=7", "limit=9&tag=new"]) {
      ask("/products", query);
    }
    expect([...cache.keys()]).toHaveLength(1);
    ask("/products", "");
    ask("/products", "limit=100");
    expect([...cache.keys()]).toHaveLength(2);
  });
});

describe("publishing", () => {
  let site: Site;

  beforeAll(async () => {
    site = await makeSite(12, [5, 100]);
  });

  it("uploads what the distribution answers from, with the headers of the contract", async () => {
    expect((await conform(site, conformanceRequests(site.dataset))).failures).toEqual([]);
  });

  it("puts the state of the build first, then all documents, and at last the list of changes and its own list", () => {
    const put = site.changes.filter(({ verb }) => verb === "put").map(({ key }) => key);
    expect(put[0]).toEqual("api/v1/cursors.json");
    expect(put.slice(-2)).toEqual(["api/v1/changes.json", listKey]);
    expect(put).toEqual(expect.arrayContaining(site.documents.map(({ file }) => file)));
    expect(put).toContain("api/v1/nodes.json");
  });

  it("uploads changed files, removes stale files last, and empties the caches", async () => {
    const cloud = freshCloud();
    await uploadForTest(site.dist, cloud);
    const again = await uploadForTest((await makeSite(12, [5, 100])).dist, cloud);
    expect(again).toMatchObject({ changes: [], printed: expect.stringContaining("up to date") });
    const file = path.join(site.dist, site.documents.find(({ path }) => path === "/api/v1")?.file ?? "");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("{", "{ "));
    const one = await uploadForTest(site.dist, cloud);
    expect(one.changes.map(({ verb, key }) => `${verb} ${key}`)).toEqual([
      `rm ${listKey}`,
      "put api/v1.json",
      "invalidate /*",
      "wait I1",
      `put ${listKey}`,
    ]);
    writeFileSync(file, text);
    const other = await makeSite(12, [3, 100]);
    const { changes } = await uploadForTest(other.dist, cloud);
    const textsOf = ({ objects }: Cloud) =>
      filesIn(objects).map((key) => [key, readFileSync(`${objects}/${key}`, "utf8")]);
    expect(textsOf(cloud)).toEqual(textsOf(other.cloud));
    const verbs = changes.map(({ verb, key }) => (key === listKey ? "list" : verb));
    expect(verbs.join(" ")).toMatch(/^list( put)+ deploy invalidate wait put( rm)+ invalidate list$/);
    const isBehind = changes
      .filter(({ verb, key }) => verb === "rm" && key !== listKey)
      .map(({ key }) => key.includes("/cursor/"));
    expect(isBehind).toEqual(isBehind.toSorted());
    expect(new Set(isBehind).size).toBe(2);
  });

  it("without a list removes files that are not of the build, and only from the folder of the API", async () => {
    const cloud = freshCloud();
    const older = "api/v1/openapi.json";
    const stale = ["api/v1/gone.json", "api/v1/dumps/gone.ndjson", "api/v1/nodes/limit/9/cursor/k0.json"];
    const foreign = ["api/v1x/page.json", "other/page.json"];
    for (const key of [older, ...stale, ...foreign]) {
      mkdirSync(path.dirname(path.join(cloud.objects, key)), { recursive: true });
      writeFileSync(path.join(cloud.objects, key), "");
    }
    const { printed } = await uploadForTest(site.dist, cloud);
    expect(filesIn(cloud.objects)).toEqual([...filesIn(site.cloud.objects), ...foreign].sort());
    expect(printed).toMatch(/\nhttps:\/\/d1\.example\/api\/v1\n$/);
  });
});
