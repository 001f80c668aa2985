import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { listOperations } from "../../src/operations.ts";
import { build } from "../build.ts";
import type { Built } from "../build-plan.ts";
import { writeSample } from "../conformance/sample.ts";
import { adapters } from "../hosts/hosts.ts";
import { temporaryFolder } from "../output/fixture.ts";
import { inputsOf } from "./inputs.ts";
import { openReceipts } from "./receipts.ts";

const now = 1_700_000_000;
const items = `${listOperations[0]?.name}.json`;

interface Project {
  readonly content: string;
  readonly out: string;
  readonly schemas: string;
  readonly cache: string;
}

function openProject(): Project {
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  writeSample(at("content"), { count: 20, pageSizes: [2, 3] });
  mkdirSync(at(".schemas"));
  return { content: at("content"), out: at("dist"), schemas: at(".schemas"), cache: at("cache") };
}

/** Of a build at a time, in seconds since 1970. */
async function buildAt(time: number, { content, out, cache }: Project): Promise<readonly [Built, inputs: string]> {
  let inputs = "";
  const history = { kind: "previous", from: out, now: time, isExpected: false } as const;
  const onDiscovery = (found: Parameters<typeof inputsOf>[0]) => {
    inputs = inputsOf(found);
  };
  const quiet = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };
  const options = { content, out, cache, history, onDiscovery, deployment: undefined, hosts: adapters(["nginx"]) };
  const [built, faults] = await build(options, quiet);
  expect(faults).toEqual([]);
  if (built === undefined) throw new Error("Nothing was built.");
  return [built, inputs];
}

const receiptsOf = ({ content, out, cache }: Project, program = "1.0.0", options = {}) =>
  openReceipts<string>(cache, { program, content, out, options });

/** Builds, and keeps what the next build would tell. */
async function buildAndKeep(time: number, project: Project): Promise<void> {
  const [built, inputs] = await buildAt(time, project);
  const schema = { file: "api.json", text: '{ "type": "object" }\n' };
  writeFileSync(path.join(project.schemas, schema.file), schema.text);
  receiptsOf(project).keep(built, inputs, { folder: project.schemas, files: [schema] }, "told");
}

const recall = (project: Project, time = now) => receiptsOf(project).recall(time);

/** Changes a byte, and sets the times to what they were. */
function replaceQuietly(...names: readonly string[]): void {
  const file = path.join(...names);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, "utf8").replace(/\w(?=\W*$)/, "_"));
  utimesSync(file, atime, mtime);
}

it.each<[what: string, change: (project: Project) => unknown]>([
  ["a file of content", ({ content }) => appendFileSync(path.join(content, items), "\n")],
  ["a byte of content", ({ content }) => replaceQuietly(content, items)],
  ["the name of a file of content", ({ content }) => renameSync(path.join(content, items), path.join(content, "a"))],
  ["what files of content there are", ({ content }) => writeFileSync(path.join(content, "notes.txt"), "")],
  ["a byte of what is published", ({ out }) => replaceQuietly(out, "404.html")],
  ["what files are published", ({ out }) => rmSync(path.join(out, "404.html"))],
  ["what else there is", ({ out }) => writeFileSync(path.join(out, "api", "v1", "own.txt"), "")],
  ["what folders there are", ({ out }) => mkdirSync(path.join(out, "empty"))],
  ["where it all is", ({ out }) => renameSync(out, `${out}-elsewhere`)],
  ["a byte beside it", ({ out }) => replaceQuietly(`${out}.hosts`, "nginx", "publish.sh")],
  ["what files there are beside it", ({ out }) => writeFileSync(path.join(`${out}.hosts`, "own.txt"), "")],
  ["whether anything is beside it", ({ out }) => rmSync(`${out}.hosts`, { recursive: true })],
  ["a schema for editors", ({ schemas }) => replaceQuietly(schemas, "api.json")],
  ["whether there are schemas", ({ schemas }) => rmSync(schemas, { recursive: true })],
  ["what a killed build has left", ({ out }) => mkdirSync(path.join(path.dirname(out), ".dist.staging-1-2-3-4"))],
])("builds again where this has changed: %s", async (_, change) => {
  const project = openProject();
  expect(await recall(project)).toBeUndefined();
  await buildAndKeep(now, project);
  expect(await recall(project)).toBe("told");
  change(project);
  expect(await recall(project)).toBeUndefined();
});

it("builds again after a build of something else, for another request, and as another program", async () => {
  const project = openProject();
  await buildAndKeep(now, project);
  expect(await receiptsOf(project, "1.0.1").recall(now)).toBeUndefined();
  expect(await receiptsOf(project, "1.0.0", { deployment: "other" }).recall(now)).toBeUndefined();
  writeSample(project.content, { count: 20, pageSizes: [2] });
  await buildAt(now, project);
  writeSample(project.content, { count: 20, pageSizes: [2, 3] });
  expect(await recall(project)).toBeUndefined();
  await buildAndKeep(now, project);
  expect(await recall(project)).toBe("told");
});

it("builds again once the cursors of an earlier build expire", async () => {
  const project = openProject();
  await buildAndKeep(now, project);
  expect(await recall(project, now + 1_000_000)).toBe("told");
  writeSample(project.content, { count: 10, pageSizes: [2, 3] });
  await buildAndKeep(now + 60, project);
  const told = await Promise.all([59, 60, 959, 960].map((seconds) => recall(project, now + seconds)));
  expect(told).toEqual([undefined, "told", "told", undefined]);
  const [{ plan }] = await buildAt(now + 960, project);
  expect(plan.retired).toEqual([]);
});
