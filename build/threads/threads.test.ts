// Content that threads read is the same as content that is read by one: the same items, the same faults.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, inject, it } from "vitest";
import { discovered, rightTree, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { random } from "../../test/random.ts";
import { seed } from "../../test/seed.ts";
import { keyAt, valuesAt } from "../content/catalog.ts";
import { compileContent } from "../content/content.ts";
import { type DoJobs, jobReader, readLarge } from "../content/jobs.ts";
import { type Order, openThreads, type ThreadAnswer } from "./threads.ts";

/** The number of random contents. */
const contents = Number(process.env["THREADS_CONTENTS"] ?? 100);
const { int, pick, chance } = random(seed);

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

const script = pathToFileURL(path.join(path.dirname(inject("program")), "threads/content-thread.cjs"));

const timestamps = '"created_at":"2026-01-01T00:00:00Z"';
const recordOf = (collections: readonly string[]) => (id: number) =>
  `{"id":"rec_${id}",${timestamps},"collection":"${pick(collections)}","revision":1,"updated_at":"2026-01-01T00:00:00Z"}`;
const image = (id: number) =>
  `{"id":"med_${id}",${timestamps},"content_type":"image/png","bytes":1,"width":1,"height":1,"status":"ready"}`;

/** One change that makes a line another form of the same item, a faulty one, or none. */
const slips: readonly ((line: string) => string)[] = [
  (line) => line.replaceAll('":', '": '),
  (line) => line.replaceAll(",", ",  "),
  (line) => line.replace("2026", "soon"),
  (line) => line.replace('"created_at"', '"createdat"'),
  (line) => line.slice(0, int(line.length)),
  (line) => line.replace(/,/, ",\n\n"),
  (line) => `${line}\n${line}`,
  () => "",
  () => " \t",
];

function linesOf(item: (id: number) => string, first: number): string {
  const faulty = pick([0, 0, 0, 0, 0.02, 0.2]);
  const spaced = pick([0, 0.5, 1]);
  const line = (index: number): string => {
    const plain = item(first + index);
    if (chance(faulty)) return pick(slips)(plain);
    return chance(spaced) ? plain.replaceAll('":', '": ') : plain;
  };
  return Array.from({ length: int(40) }, (_, index) => line(index) + pick(["\n", "\n", "\n", "\r\n", "\r"])).join("");
}

const yamlOf = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "")
    .map((line) => `- ${line}\n`)
    .join("");

function randomTree(): Tree {
  const record = recordOf(pick([["os"], ["os", "web"], ["os", "web", "web", "oss"]]));
  return {
    ...rightTree,
    "records.ndjson": linesOf(record, 0),
    "records/more.ndjson": linesOf(record, pick([20, 1_000])),
    "records/others.yaml": yamlOf(linesOf(record, 2_000)),
    "images.ndjson": linesOf(image, 0),
  };
}

/** The content and its faults. */
async function read(tree: Tree, rangeLength: number, doJobs?: DoJobs) {
  const discovery = discovered(tree);
  const done = doJobs && (await readLarge(discovery, edgeNetwork, undefined, doJobs, { worthwhile: 0, rangeLength }));
  const [{ items }, faults, omitted] = compileContent(discovery, edgeNetwork, undefined, { root: "content", done });
  const all = [...items].map(([name, { count, bytes, offsets, keys, names, filters }]) => {
    // The numbers of the values may differ.
    const texts = [...filters].map(([param, values]) => [
      param,
      Array.from({ length: count }, (_, index) => valuesAt(values, index)),
    ]);
    const orderKeys = Array.from({ length: count }, (_, index) => keyAt(keys, index));
    return [name, Buffer.from(bytes).toString(), [...offsets], orderKeys, names, texts];
  });
  return { all, faults, omitted };
}

/** In any order, with results as another thread sends them. */
const apart: DoJobs = async (jobs, vocabulary) => {
  const readJob = jobReader(edgeNetwork, vocabulary, undefined);
  return jobs
    .map((job, index) => ({ index, job, at: int(1_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ index, job }) => ({ index, result: structuredClone(readJob(job)) }))
    .sort((a, b) => a.index - b.index)
    .map(({ result }) => result);
};

describe("items and faults", () => {
  it("do not depend on the ranges of lines, nor on the order of the jobs", async () => {
    let right = 0;
    for (let count = 0; count < contents; count++) {
      const tree = randomTree();
      const alone = await read(tree, 0);
      expect(await read(tree, pick([1, 200, 1_000, 1_000_000]), apart), JSON.stringify(tree)).toEqual(alone);
      if (alone.faults.length === 0) right++;
    }
    expect(right).toBeGreaterThan(contents * 0.04);
    expect(right).toBeLessThan(contents * 0.96);
  });

  it.each([1, 2, 4, 8])("do not depend on threads, of which %d help", async (most) => {
    const doJobs = openThreads({
      ...{ api: edgeNetwork, cache: undefined, most, script },
      origin: { options: { folder }, digest: "" },
    });
    for (let count = 0; count < 5; count++) {
      const tree = randomTree();
      expect(await read(tree, 200, doJobs), JSON.stringify(tree)).toEqual(await read(tree, 0));
    }
  });
});

it("the script of a thread does all jobs that nobody has taken", async () => {
  const content = new Map<string, readonly [results: readonly unknown[], expected: readonly unknown[]]>();
  const doJobs: DoJobs = async (jobs, vocabulary) => {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const workerData: Order = { options: { folder }, digest: "", vocabulary, cache: undefined, jobs, next };
    const thread = new Worker(script, { workerData });
    const answers: ThreadAnswer[] = [];
    thread.on("message", (answer: ThreadAnswer) => answers.push(answer));
    const [code] = await once(thread, "exit");
    expect(code).toBe(0);
    const readJob = jobReader(edgeNetwork, vocabulary, undefined);
    const results = answers.sort((a, b) => a.index - b.index).map(({ result }) => result);
    content.set("all", [results, jobs.map((job) => structuredClone(readJob(job)))]);
    return results;
  };
  await read({ ...rightTree, "images.ndjson": linesOf(image, 0), "images/more.yaml": `- ${image(99)}\n` }, 200, doJobs);
  const [results, expected] = content.get("all") ?? [];
  expect(results?.length).toBeGreaterThan(1);
  expect(results).toEqual(expected);
});

/** So many files that a thread has started before another one has read them all. */
const manyFiles = (item: (id: number) => string): Tree =>
  Object.fromEntries(
    Array.from({ length: 150 }, (_, file) => {
      const lines = Array.from({ length: 60 }, (_, line) => `- ${item(60 * file + line)}\n`);
      return [`${file}.yaml`, lines.join("")] as const;
    }),
  );

describe("a thread", () => {
  const threadOf = (text: string, digest = ""): DoJobs | undefined => {
    const file = path.join(folder, `${text.length}.cjs`);
    writeFileSync(file, `const { workerData } = require("node:worker_threads");\n${text}`);
    const origin = { options: { folder }, digest };
    return openThreads({ api: edgeNetwork, cache: undefined, most: 1, script: pathToFileURL(file), origin });
  };
  const images = Object.entries(manyFiles(image)).map(([file, text]) => [`images/${file}`, text] as const);
  const large: Tree = { ...rightTree, ...Object.fromEntries(images) };

  it.each([
    ["ends", "process.exit(3);", "A thread that reads the content ended with 3."],
    [
      "runs out of memory",
      'throw Object.assign(new Error("Out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" });',
      "A thread that reads the content ran out of memory.",
    ],
  ])("that %s with a job is reported in a sentence", async (_, end, message) => {
    await expect(read(large, 0, threadOf(`Atomics.add(workerData.next, 0, 1);\n${end}`))).rejects.toThrow(message);
  });

  it("with another declaration leaves the jobs to this one", async () => {
    const options = { api: edgeNetwork, cache: undefined, most: 1, script };
    const other = openThreads({ ...options, origin: { options: { folder }, digest: "another" } });
    expect(await read(large, 0, other)).toEqual(await read(large, 0));
  });
});

describe("the program", () => {
  // Beside the program, from where it finds its packages.
  const lib = path.resolve(inject("program"), "../../lib-for-threads");
  const content = path.join(folder, "content");
  const declaration = `import { defineApi, defineCollection } from "stillapi";
import * as z from "zod";
const schema = z.strictObject({ id: z.string(), name: z.string(), of: z.enum(["a", "b"]) });
const noun = { one: "thing", many: "things" };
export default defineApi({
  collections: { things: defineCollection({ purpose: "Things.", noun, schema, key: "id", filters: { of: "of" } }) },
});
`;
  const build = (out: string) => {
    const args = ["build", "--content", "content", "--out", out, "--host", "nginx", "--clean"];
    const { status, stderr } = spawnSync(process.execPath, [path.join(lib, "cli.cjs"), ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, SOURCE_DATE_EPOCH: "1700000000" },
    });
    return { status, stderr };
  };

  it("builds the same with threads as without, and nothing if one ends", () => {
    cpSync(path.dirname(inject("program")), lib, { recursive: true });
    mkdirSync(path.join(content, "things"), { recursive: true });
    writeFileSync(path.join(folder, "api.config.ts"), declaration);
    writeFileSync(path.join(content, "api.yaml"), "page_sizes: [100]\n");
    const thing = (id: number) =>
      `{"id":"t${id * 7919}","name":"${"n".repeat(60)}","of":"${id % 3 === 0 ? "a" : "b"}"}`;
    for (const [file, text] of Object.entries(manyFiles(thing)))
      writeFileSync(path.join(content, "things", file), text);
    const lines = Array.from({ length: 2_000 }, (_, id) => `${thing(10_000 + id)}\n`).join("");
    writeFileSync(path.join(content, "things.ndjson"), lines);
    expect(build("with")).toEqual({ status: 0, stderr: "" });
    const thread = path.join(lib, "threads/content-thread.cjs");
    const ends = "Atomics.add(workerData.next, 0, 1);\nprocess.exit(3);";
    writeFileSync(thread, `const { workerData } = require("node:worker_threads");\n${ends}`);
    expect(build("ended")).toEqual({ status: 2, stderr: "✗ A thread that reads the content ended with 3.\n" });
    expect(existsSync(path.join(folder, "ended"))).toBe(false);
    rmSync(thread);
    expect(build("without")).toEqual({ status: 0, stderr: "" });
    expect(filesIn(path.join(folder, "with"))).toEqual(filesIn(path.join(folder, "without")));
  });
});

/** The text of each file. */
function filesIn(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true });
  return new Map(
    files
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(root, file), readFileSync(file, "utf8")]),
  );
}
