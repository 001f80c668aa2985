// What takes turns in the benchmark of builds: a fresh build, a build over an older output, a copy of the output, Node
// alone, and other generators.
import { cpSync } from "node:fs";
import path from "node:path";
import { execute } from "./execute.ts";
import { type GeneratorName, generatorContender, isGenerator } from "./generators.ts";
import { expectSame, spotCheck } from "./output.ts";
import { command, type Program } from "./program.ts";
import type { Contender } from "./rounds.ts";
import { type BenchRecord, recordsOf, type Shape, shuffled, writeRecords } from "./workload.ts";

/** The change between an output and the build over it. */
type Change = "unchanged" | "edited" | "appended";

export interface Workload extends Shape {
  /** What a fresh build is compared with. */
  readonly contenders: readonly ("copy" | GeneratorName | Change)[];
  /** Whether to time saves under `npm run dev` too. */
  readonly dev?: boolean;
}

/** The folder in which a workload is measured. */
export interface Scene {
  readonly parent: string;
  readonly content: string;
  /** A finished build of the content. */
  readonly finished: string;
  readonly program: Program;
}

/** `workload` is undefined for other people's content, `generators` are those that are installed. */
export async function contendersFor(
  scene: Scene,
  workload: Workload | undefined,
  generators: ReadonlySet<GeneratorName>,
): Promise<readonly Contender[]> {
  const { contenders, records, pageSizes } = workload ?? { contenders: ["copy"] as const, records: 0, pageSizes: [] };
  const sorted = recordsOf(records);
  if (workload !== undefined) spotCheck(scene.finished, sorted);
  const others: Contender[] = [];
  for (const each of contenders) {
    if (each === "copy") others.push(copy(scene));
    else if (!isGenerator(each)) others.push(await buildAgain(each, scene, sorted));
    else if (generators.has(each) && pageSizes !== "every") {
      others.push(generatorContender(each, scene.parent, sorted, pageSizes[0] ?? 100));
    }
  }
  return [freshBuild(scene), ...others, nodeAlone];
}

function freshBuild({ parent, content, finished, program }: Scene): Contender {
  const out = (round: number) => path.join(parent, `fresh-${round}`);
  return {
    name: "fresh",
    run: (round) => command(program, "build", content, "--out", out(round)),
    verify: (round) => expectSame(out(round), finished),
  };
}

/** The cost of starting Node, which each of our builds includes. */
const nodeAlone: Contender = {
  name: "Node alone",
  run: () => ({ file: process.execPath, args: ["--eval", ""] }),
  verify: () => undefined,
};

function copy({ parent, finished }: Scene): Contender {
  const out = (round: number) => path.join(parent, `copy-${round}`);
  return {
    name: "cp -r",
    run: (round) => ({ file: "cp", args: ["-r", finished, out(round)] }),
    verify: (round) => expectSame(out(round), finished),
  };
}

/** A build over an older output, which must equal a build into a new folder with the same known cursors. */
async function buildAgain(
  change: Change,
  { parent, content, finished, program }: Scene,
  sorted: readonly BenchRecord[],
): Promise<Contender> {
  const name = `again, ${change}`;
  const out = path.join(parent, name);
  const own = `${out}, content`;
  cpSync(content, own, { recursive: true });
  const build = command(program, "build", own, "--out", out);
  await execute(build);
  const run = (round: number) => {
    if (change === "edited") writeRecords(own, edited(sorted, round));
    if (change === "appended") writeRecords(own, [...shuffled(sorted), ...after(sorted, round)]);
    return build;
  };
  const verify = async (round: number) => {
    if (change === "unchanged") return expectSame(out, finished);
    if (round > 0) return;
    const clean = `${out}, clean`;
    await execute(command(program, "build", own, "--out", clean, "--previous", out));
    expectSame(out, clean);
  };
  return { name, run, verify };
}

function edited(sorted: readonly BenchRecord[], round: number): readonly BenchRecord[] {
  const at = 4321 % sorted.length;
  return shuffled(sorted).map((record, index) => (index === at ? { ...record, revision: 100_000 + round } : record));
}

/** Adds a record for each round at the end of the last collection. */
function after(sorted: readonly BenchRecord[], round: number): readonly BenchRecord[] {
  return Array.from({ length: round + 1 }, (_, index) => ({
    ...(sorted.at(-1) ?? { collection: "", revision: 0 }),
    id: `rec_appended${index}`,
    created_at: `2030-01-01T00:00:0${index % 10}Z`,
    updated_at: "2030-01-02T00:00:00Z",
  }));
}
