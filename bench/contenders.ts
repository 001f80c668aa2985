// The contenders of the build benchmark: this program, the checkout to compare with, a copy of the output, and other
// generators.
import { cpSync } from "node:fs";
import path from "node:path";
import { type GeneratorName, generatorContender, isGenerator } from "./generators.ts";
import { filesIn, hashOf, isPage, spotCheck } from "./output.ts";
import { buildOnce, command, type Program } from "./program.ts";
import type { Contender } from "./rounds.ts";
import { type BenchRecord, recordsOf, type Shape, shuffled, writeRecords } from "./workload.ts";

/** The change between an output and the build over it. */
type Rebuild = "unchanged" | "edited" | "appended";

export interface Workload extends Shape {
  /** The contenders that our build is compared with. */
  readonly contenders: readonly ("copy" | GeneratorName | Rebuild)[];
  /** Whether to time saves under `npm run dev` too. */
  readonly dev?: boolean;
}

/** The folder in which a workload is measured: its subfolder `finished` is a build of the content. */
export interface Scene {
  readonly parent: string;
  readonly content: string;
  /** The measured program comes first. */
  readonly programs: readonly [Program, ...Program[]];
  /** The generators that are installed. */
  readonly generators: ReadonlySet<GeneratorName>;
  /** Interrupts the measurement. */
  readonly signal: AbortSignal;
}

export const measuredIn = ({ programs: [measured] }: Scene): Program => measured;

/** Without a workload (for other people's content), only fresh builds and a copy. Two programs only meet each other. */
export async function contendersFor(scene: Scene, workload: Workload | undefined): Promise<readonly Contender[]> {
  const isAlone = scene.programs.length === 1;
  const fresh = scene.programs.map((program) => freshBuild(scene, program));
  const others: Contender[] = [];
  if (workload === undefined) {
    if (isAlone) others.push(copy(scene));
  } else {
    const { records, pageSizes, contenders } = workload;
    const sorted = recordsOf(records);
    spotCheck(path.join(scene.parent, "finished"), sorted);
    for (const each of contenders) {
      if (each === "copy") {
        if (isAlone) others.push(copy(scene));
      } else if (!isGenerator(each)) {
        for (const program of scene.programs) others.push(await rebuild(each, program, scene, sorted));
      } else if (scene.generators.has(each) && pageSizes !== "every") {
        others.push(generatorContender(each, scene.parent, sorted, pageSizes[0] ?? 100));
      }
    }
  }
  return [...fresh, ...others, ...(isAlone ? [nodeAlone] : [])];
}

function freshBuild({ parent, content }: Scene, program: Program): Contender {
  const finished = path.join(parent, "finished");
  const out = (round: number) => path.join(parent, `${program.prefix}fresh-${round}`);
  return {
    name: `${program.prefix}fresh`,
    run: (round) => command(program, "build", content, out(round)),
    verify: (round) =>
      program.prefix === "" ? expectSame(out(round), finished) : expectSamePages(out(round), finished),
  };
}

/** The cost of starting Node, which each of our builds includes. */
const nodeAlone: Contender = {
  name: "Node alone",
  run: () => ({ file: process.execPath, args: ["--eval", ""] }),
  verify: () => undefined,
};

function copy({ parent }: Scene): Contender {
  const finished = path.join(parent, "finished");
  const out = (round: number) => path.join(parent, `copy-${round}`);
  return {
    name: "cp -r",
    run: (round) => ({ file: "cp", args: ["-r", finished, out(round)] }),
    verify: (round) => expectSame(out(round), finished),
  };
}

/**
 * A build over an older output. Our program has to write the same files as a build into a new folder with the same
 * known cursors.
 */
async function rebuild(
  kind: Rebuild,
  program: Program,
  scene: Scene,
  sorted: readonly BenchRecord[],
): Promise<Contender> {
  const name = `${program.prefix}again, ${kind}`;
  const out = path.join(scene.parent, name);
  const own = `${out}, content`;
  cpSync(scene.content, own, { recursive: true });
  await buildOnce(program, scene.signal, own, out);
  const run = (round: number) => {
    if (kind === "edited") writeRecords(own, edited(sorted, round));
    if (kind === "appended") writeRecords(own, [...shuffled(sorted), ...after(sorted, round)]);
    return command(program, "build", own, out);
  };
  const verify = async (round: number) => {
    if (program.prefix !== "") return;
    if (kind === "unchanged") expectSame(out, path.join(scene.parent, "finished"));
    else if (round === 0) {
      expectSame(out, await buildOnce(program, scene.signal, own, `${out}, clean`, "--previous", out));
    }
  };
  return { name, run, verify };
}

function expectSame(out: string, expected: string): void {
  if (hashOf(out) !== hashOf(expected)) throw new Error(`${out} and ${expected} differ.`);
}

/** The configuration and the messages of another checkout may differ. */
function expectSamePages(out: string, expected: string): void {
  if (hashOf(out, isPage) !== hashOf(expected, isPage))
    process.stderr.write(`The checkout compared with writes other pages (${filesIn(out).size} files): see ${out}.\n`);
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
