import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPageSize } from "../../../src/paging.ts";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { conform, type Subject } from "../../../test/check/conform.ts";
import { conformanceRequests } from "../../../test/check/requests.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { type Bucket, type Disk, runAws } from "../../../test/hosts/bucket-emulator.ts";
import { loadCloudFront, type RunScript } from "../../../test/hosts/cloudfront-emulator.ts";
import { type Cloud, filesIn, newCloud, type Uploaded, upload } from "../../../test/hosts/upload.ts";
import { besideFolder } from "../../output/location.ts";
import { makeTable, type RoutingTable } from "../../routing/table.ts";
import { cloudfront } from "./index.ts";
import { listKey } from "./objects.ts";

const { operations } = edgeNetwork;

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-cloudfront-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Site extends Subject {
  readonly beside: string;
  readonly documents: readonly RoutingTable["documents"][number][];
  readonly bucket: Bucket;
  readonly calls: Uploaded["calls"];
}

let sites = 0;

async function makeSite(content: string): Promise<Site> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset, plan } = await buildForTest(content, dist, [cloudfront]);
  const beside = path.join(besideFolder(dist), "cloudfront");
  const bucket: Bucket = new Map();
  const { calls } = await uploadForTest(dist);
  for (const call of calls) runAws(bucket, disk, call);
  const send = loadCloudFront(readFileSync(`${beside}/template.json`, "utf8"), bucket, runScript);
  return { dataset, dist, gaps: cloudfront.gaps, send, beside, bucket, calls, documents: plan.documents };
}

/** Runs the script without Node's globals, and without code generation from strings. */
const runScript: RunScript = (script) =>
  runInContext(script, createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } }));

const disk: Disk = (root) =>
  new Map(
    (statSync(root).isFile() ? [""] : filesIn(root)).map((file) => {
      const full = file === "" ? root : path.join(root, file);
      const text = readFileSync(full, "utf8");
      return [full, { size: statSync(full).size, body: () => text }];
    }),
  );

let clouds = 0;

const freshCloud = (): Cloud => newCloud(path.join(folder, `cloud-${clouds++}`));

async function uploadForTest(dist: string, cloud = freshCloud()): Promise<Uploaded> {
  const uploaded = await upload(dist, cloud, { keepSent: true });
  expect(uploaded, uploaded.printed).toMatchObject({ code: 0 });
  return uploaded;
}

describe("CloudFront", () => {
  let small: Site;

  beforeAll(async () => {
    small = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  });

  it("answers from what the script has uploaded, with the headers of the contract", async () => {
    expect((await conform(small, conformanceRequests(small.dataset))).failures).toEqual([]);
  });

  it("stays within the size of a function with the page sizes that take the most", () => {
    const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
    const names = operations.map(({ name }) => name);
    const table = makeTable(edgeNetwork, names, () => [...odd, 100], small.documents);
    for (const { what, used, most } of cloudfront.uses?.(table) ?? []) expect(used, what).toBeLessThan(most);
  });
});

describe("the template", () => {
  const table = makeTable(
    edgeNetwork,
    operations.map(({ name }) => name),
    () => everyPageSize,
  );
  const files = new Map(cloudfront.beside?.(table).map(({ file, parts }) => [file, Buffer.concat(parts()).toString()]));
  const text = files.get("template.json") ?? "";
  const template = JSON.parse(text);
  const { Resources } = template;

  it("has the function of function.js", () => {
    expect(Resources.Function.Properties.FunctionCode).toBe(files.get("function.js"));
  });

  it("refers only to resources and parameters of the template", () => {
    const pseudo = ["AWS::AccountId", "AWS::NoValue", "AWS::Partition", "AWS::Region", "AWS::StackName"];
    const known = [...Object.keys(Resources), ...Object.keys(template.Parameters), ...pseudo];
    const refs = [...text.matchAll(/"Ref": "([^"]+)"|"Fn::GetAtt": \[\s*"([^"]+)"/g)].map(([, ref, got]) => ref ?? got);
    const substituted = [...text.matchAll(/\$\{([\w:]+)/g)].map(([, name]) => name);
    expect([...refs, ...substituted].filter((name) => !known.includes(name ?? ""))).toEqual([]);
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

  it("caches by the path alone and as long as each object says", () => {
    const { CachePolicyConfig } = Resources.Caching.Properties;
    expect(CachePolicyConfig).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
    const { CookiesConfig, HeadersConfig, QueryStringsConfig } =
      CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
    expect([CookiesConfig, HeadersConfig, QueryStringsConfig].flatMap((each) => Object.values(each))).toEqual([
      "none",
      "none",
      "none",
    ]);
  });

  it("answers what the bucket refuses with a file that the script uploads", () => {
    const { CustomErrorResponses } = Resources.Distribution.Properties.DistributionConfig;
    const [written] = cloudfront.files(table);
    for (const response of CustomErrorResponses) {
      expect(response).toMatchObject({
        ResponseCode: 400,
        ErrorCachingMinTTL: 0,
        ResponsePagePath: `/${written?.file}`,
      });
    }
    expect(CustomErrorResponses.map(({ ErrorCode }: { ErrorCode: number }) => ErrorCode)).toEqual([403, 404]);
  });
});

describe("upload.mjs", () => {
  let site: Site;

  beforeAll(async () => {
    site = await makeSite(sampleContent(folder, { count: 12, pageSizes: [5, 100] }).content);
  });

  it("puts its list first and last, then the state of the build, all documents, and at last the list of changes", () => {
    const put = site.calls.flatMap((call) => runAws(new Map(), disk, call));
    expect(put.slice(0, 2)).toEqual([listKey, "api/v1/cursors.json"]);
    expect(put.slice(-2)).toEqual(["api/v1/changes.json", listKey]);
    expect(put).toEqual(expect.arrayContaining(site.documents.map(({ file }) => file)));
    expect(put).toContain("api/v1/nodes.json");
  });

  it("uploads changed files, removes stale files last, and empties the caches", async () => {
    const cloud = freshCloud();
    const bucket: Bucket = new Map();
    const run = async (of: Site) => {
      const uploaded = await uploadForTest(of.dist, cloud);
      return { ...uploaded, keys: uploaded.calls.map((call) => runAws(bucket, disk, call)) };
    };
    await run(site);
    const again = await run(await makeSite(sampleContent(folder, { count: 12, pageSizes: [5, 100] }).content));
    expect(again).toMatchObject({ calls: [], invalidated: [], printed: expect.stringContaining("up to date") });
    const file = path.join(site.dist, site.documents.find(({ path }) => path === "/api/v1")?.file ?? "");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("{", "{ "));
    const one = await run(site);
    expect(one.keys.flat()).toEqual([listKey, "api/v1.json", listKey]);
    expect(one.invalidated).toEqual(["/*"]);
    writeFileSync(file, text);
    const other = await makeSite(sampleContent(folder, { count: 12, pageSizes: [3, 100] }).content);
    const many = await run(other);
    expect(many.invalidated).toEqual(["/*"]);
    expect(Object.fromEntries([...bucket].map(([key, { body }]) => [key, body()]))).toEqual(
      Object.fromEntries([...other.bucket].map(([key, { body }]) => [key, body()])),
    );
    const removed = many.calls.map(([service], index) => (service === "s3api" ? many.keys[index] : undefined));
    const [first = [], behind = []] = removed.filter((keys) => keys !== undefined);
    expect(removed.findIndex((keys) => keys !== undefined)).toBe(many.calls.length - 3);
    expect(first).toContain("api/v1/nodes/limit/5.json");
    expect(first.filter((key) => key.includes("/cursor/"))).toEqual([]);
    expect(behind.length).toBeGreaterThan(0);
    expect(behind.filter((key) => !key.includes("/cursor/"))).toEqual([]);
  });

  it("without a list removes files that are not of the build, and only from the folder of the API", async () => {
    const cloud = freshCloud();
    const stale = ["api/v1/gone.json", "api/v1/dumps/gone.ndjson", "api/v1/nodes/limit/9/cursor/k0.json"];
    const foreign = ["api/v1x/page.json", "other/page.json"];
    for (const key of [...stale, ...foreign]) {
      mkdirSync(path.dirname(path.join(cloud.objects, key)), { recursive: true });
      writeFileSync(path.join(cloud.objects, key), "");
    }
    await uploadForTest(site.dist, cloud);
    expect(filesIn(cloud.objects)).toEqual([...site.bucket.keys(), ...foreign].sort());
  });

  it("gives every object its headers", () => {
    const table = makeTable(
      edgeNetwork,
      operations.map(({ name }) => name),
      () => everyPageSize,
    );
    for (const [key, { headers }] of site.bucket) {
      if (key === listKey) continue;
      const document = site.documents.find(({ file }) => file === key);
      if (document !== undefined) {
        const { contentType, cacheControl } = document;
        expect(headers, key).toEqual({ "content-type": contentType, "cache-control": cacheControl });
        continue;
      }
      const name = /^api\/v1\/([a-z_]+)/.exec(key)?.[1];
      const cacheControl = table.operations.find((operation) => operation.name === name)?.cacheControl ?? "no-store";
      expect(headers, key).toEqual({ "content-type": "application/json", "cache-control": cacheControl });
    }
  });

  it("reports the address of a stack", async () => {
    const cloud = freshCloud();
    const { printed } = await uploadForTest(site.dist, cloud);
    expect(printed).toMatch(/\nhttps:\/\/d1\.example\/api\/v1\n$/);
  });

  it("refuses a folder that is no build, and wrong arguments", async () => {
    const usage = "usage: node upload.mjs <build> <stack>";
    for (const [message, ...args] of [
      [`There is no build in ${folder}.`, folder, "stack"],
      [usage],
      [usage, site.dist],
      [usage, site.dist, "s3://bucket"],
      [usage, site.dist, "stack", "more"],
    ]) {
      const run = () => execFileSync(process.execPath, [`${site.beside}/upload.mjs`, ...args], { stdio: "pipe" });
      expect(run).toThrow(message);
    }
    const byName = () => execFileSync("sh", ["upload.sh"], { cwd: site.beside, stdio: "pipe" });
    expect(byName).toThrow(usage);
  });
});
