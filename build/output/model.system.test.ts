// Random sequences of actions of people and tools on an out folder, between builds and during them. After every build, dist
// equals a build of the same inputs into an empty folder, or the build has reported why not.
//
// STILLAPI_SEED selects other sequences.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { differences } from "../../test/output/cli.ts";
import { contentsOf, endLocks, type Files, lay, temporaryFolder } from "../../test/output/folder.ts";
import { changing, intercept, reading } from "../../test/output/intercept.ts";
import { type Action, actions, pick, type World } from "../../test/output/model.ts";
import { built, type TestBuildOptions } from "../../test/plan.ts";
import { randomFrom } from "../../test/random.ts";
import { rounds, seed } from "../../test/seed.ts";
import { inWords, MachineError } from "../files/machine-error.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { netlify } from "../hosts/netlify/index.ts";
import { nginx } from "../hosts/nginx/index.ts";

const sequences = rounds;
const length = 10;

interface Inputs extends Omit<TestBuildOptions, "out"> {
  readonly hosts: readonly HostAdapter[];
}

/** Values that differ in files of the same sizes, other pages, another deployment and other hosts. */
function prepare(): readonly Inputs[] {
  const folder = temporaryFolder();
  const [a = "", b = "", c = ""] = ["a", "b", "c"].map((name) => path.join(folder, name));
  for (const content of [a, b, c]) {
    writeSample(content, { count: content === c ? 9 : 12, pageSizes: [1, 2, 5, 10] });
    const edge = JSON.parse(readFileSync(path.join(content, "deployments/edge.json"), "utf8"));
    const half = { ...edge, operations: edge.operations.filter((_: string, index: number) => index % 2 === 0) };
    lay(content, { "deployments/half.json": JSON.stringify(half) });
  }
  for (const name of readdirSync(b).filter((file) => file.endsWith(".json"))) {
    const file = path.join(b, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"10G"', '"80G"'));
  }
  const inputs = (content: string) => ({ api: edgeNetwork, content, deployment: "edge", hosts: [netlify] });
  return [a, a, b, b, c]
    .map(inputs)
    .concat({ ...inputs(a), deployment: "half" }, { ...inputs(b), hosts: [netlify, nginx] });
}

/** The files of dist, and of dist.hosts if the inputs have files for it. */
function outputOf(out: string, { hosts }: Inputs): Files {
  const all = { ...contentsOf(out), ...(hosts.length > 1 && prefixed("../dist.hosts/", contentsOf(`${out}.hosts`))) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith("/")));
}

const prefixed = (prefix: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]));

const isSaid = (error: unknown): boolean => error instanceof MachineError || inWords(error) !== undefined;

it("whatever happens to dist, the next build is right or says why not", {
  timeout: 300_000 + sequences * length * 2_000,
}, async () => {
  const all = prepare();
  const expected = new Map<Inputs, Files>();
  for (const inputs of all) {
    const out = path.join(temporaryFolder(), "dist");
    await built({ ...inputs, out });
    expected.set(inputs, outputOf(out, inputs));
  }
  expect(Object.keys(expected.get(all[0] ?? fail()) ?? {}).length).toBeGreaterThan(100);
  const counts = { builds: 0, said: [] as string[], actions: 0 };
  for (let sequence = 0; sequence < sequences; sequence++) {
    const log: string[] = [];
    try {
      await play(seed + sequence, all, expected, counts, log);
    } catch (error) {
      throw new Error(`STILLAPI_SEED=${seed + sequence} fails after: ${log.join("; ")}`, { cause: error });
    }
  }
  console.info(`STILLAPI_SEED=${seed}: ${sequences} sequences, ${JSON.stringify(counts)}`);
});

function fail(): never {
  throw new Error("There is none.");
}

async function play(
  seedOfSequence: number,
  all: readonly Inputs[],
  expected: ReadonlyMap<Inputs, Files>,
  counts: { builds: number; said: string[]; actions: number },
  log: string[],
): Promise<void> {
  const parent = temporaryFolder();
  const world: World = { parent, random: randomFrom(seedOfSequence) };
  const out = path.join(parent, "dist");
  const { random } = world;
  let latest: Inputs | undefined;
  /** Often the inputs of the last build, because most files then stay unchanged. */
  const choose = (): Inputs => {
    latest = latest !== undefined && random() < 0.5 ? latest : (pick(random, all) ?? fail());
    return latest;
  };

  /** The error says what happened; then somebody clears the folder. */
  function accept(error: unknown): void {
    if (!isSaid(error)) throw error;
    const message = String(error).replaceAll(parent, "");
    counts.said.push(message);
    log.push(`(${message})`);
    clear();
  }

  function clear(): void {
    for (const folder of [out, `${out}.hosts`]) rmSync(folder, { recursive: true, force: true });
  }

  /** What is not of the build lies outside of the base, where the model's actions put it. */
  function expectRight(inputs: Inputs): void {
    counts.builds++;
    const right = expected.get(inputs) ?? {};
    const isOurs = (name: string): boolean => name in right || /^(?:api\/v1\/|\.\.\/dist\.hosts\/nginx\/)/.test(name);
    const found = Object.entries(outputOf(out, inputs)).filter(([name]) => isOurs(name));
    expect(differences(Object.fromEntries(found), right)).toEqual([]);
  }

  async function buildOnce(inputs = choose()): Promise<void> {
    log.push(`build ${all.indexOf(inputs)}`);
    try {
      await built({ ...inputs, out });
      expectRight(inputs);
    } catch (error) {
      accept(error);
    }
  }

  /** No build waits for the lock of a killed one, even if an action has given the lock a new place. */
  const age = (): void => endLocks(parent);

  function meddle(among = actions): void {
    const [name, action] = pick<[string, Action]>(random, Object.entries(among)) ?? fail();
    log.push(name);
    action(world);
  }

  /** No build runs meanwhile. */
  function act(among = actions): void {
    meddle(among);
    age();
  }

  /** A tool restores an older build, with nothing else in between. */
  async function putBack(): Promise<void> {
    actions["save dist"]?.(world);
    log.push("save dist");
    latest = undefined;
    await buildOnce();
    const built = latest;
    act(Object.fromEntries(Object.entries(actions).filter(([name]) => /restore|saved/.test(name))));
    latest = built;
    await buildOnce(built);
  }

  /** Runs a build to which something happens at a moment, which it need not notice. */
  async function disturbed(what: string, calls: Parameters<typeof intercept>[1], disturb: (index: number) => void) {
    const inputs = choose();
    log.push(`${what} build ${all.indexOf(inputs)}`);
    await intercept(() => built({ ...inputs, out }), calls, disturb).catch((error) => {
      if (!isSaid(error) && !(error instanceof Error && error.message === "killed")) throw error;
    });
    age();
  }

  const killed = (): Promise<void> => {
    const at = Math.floor(random() * 60);
    return disturbed(`kill at ${at}`, changing, (index) => {
      if (index >= at) throw new Error("killed");
    });
  };

  const meddled = (): Promise<void> => {
    const at = Math.floor(random() * 400);
    return disturbed(`meddle at ${at}`, [...changing, ...reading], (index) => {
      if (index === at) meddle();
    });
  };

  await buildOnce();
  // Otherwise short sequences would seldom have anything to restore.
  actions["save dist"]?.(world);
  await buildOnce();
  for (let step = 0; step < length; step++) {
    counts.actions++;
    const kind = random();
    if (kind < 0.4) act();
    else if (kind < 0.6) await putBack();
    else if (kind < 0.8) await buildOnce();
    else if (kind < 0.88) await killed();
    else await meddled();
  }
  await buildOnce();
}
