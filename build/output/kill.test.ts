// Real processes, killed at random moments of their whole life. interruption.test.ts kills at every moment there is.
import type { ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import {
  differences,
  endOf,
  type Phase,
  phases,
  startBuild,
  usePublishedProgram,
  waitFor,
} from "../../test/output/cli.ts";
import { contentsOf, type Files, temporaryFolder } from "../../test/output/folder.ts";
import { randomFrom } from "../../test/random.ts";
import { build } from "../build.ts";
import { netlify } from "../hosts/netlify/index.ts";

usePublishedProgram();

/** How many processes are killed after they have reached this. */
const kills: Readonly<Record<Phase, number>> = { start: 4, staging: 8, commit: 8 };

/** How many milliseconds a process has left when it reaches a phase. */
async function measure(child: ChildProcess, parent: string): Promise<Record<Phase, number>> {
  const reached = { start: performance.now(), staging: 0, commit: 0 };
  const end = endOf(child);
  for (const phase of ["staging", "commit"] as const) {
    await waitFor(phase, child, parent);
    reached[phase] = performance.now();
  }
  expect(await end).toMatchObject({ code: 0 });
  const ended = performance.now();
  return { start: ended - reached.start, staging: ended - reached.staging, commit: ended - reached.commit };
}

/** Trusts the manifests of the processes, as the next of them would. */
async function complete(content: string, out: string): Promise<void> {
  const quiet = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };
  const options = {
    api: edgeNetwork,
    content,
    out,
    deployment: undefined,
    hosts: [netlify],
    cache: "node_modules/.cache/stillapi",
  };
  const [, faults] = await build(options, quiet);
  expect(faults).toEqual([]);
}

it("a kill at any moment leaves every file whole, and the next build puts everything right", {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  console.info(`The moments are those of KILL_SEED=${seed}.`);
  const random = randomFrom(seed);
  const parent = temporaryFolder();
  const [out, a, b] = [path.join(parent, "dist"), path.join(parent, "a"), path.join(parent, "b")];
  writeSample(a, { count: 20, pageSizes: [1, 5, 100] });
  writeSample(b, { count: 17, pageSizes: [2, 5, 100] });

  const clean = new Map<string, Files>();
  for (const content of [a, b]) {
    const files = contentsOf(await cleanBuild(content));
    for (const [file, text] of Object.entries(files)) if (file.endsWith(".json")) JSON.parse(text);
    clean.set(content, files);
  }
  const isWhole = ([file, text]: [string, string]) => [...clean.values()].some((files) => files[file] === text);

  await complete(a, out);
  const left = await measure(startBuild(b, out), parent);
  let there = b;
  for (const phase of phases) {
    for (let killed = 0; killed < kills[phase]; ) {
      const child = startBuild(there === a ? b : a, out);
      const end = endOf(child);
      await waitFor(phase, child, parent);
      await sleep(random() * left[phase]);
      child.kill("SIGKILL");
      await end;
      if (child.signalCode === "SIGKILL") killed++;
      else left[phase] *= 0.9;
      expect(Object.entries(contentsOf(out)).filter((entry) => !isWhole(entry))).toEqual([]);

      there = random() < 0.5 ? a : b;
      await complete(there, out);
      expect(differences(contentsOf(out), clean.get(there) ?? {})).toEqual([]);
      expect(readdirSync(parent)).toEqual([".schemas", "a", "b", "dist"]);
    }
  }
});

async function cleanBuild(content: string): Promise<string> {
  const out = path.join(temporaryFolder(), "dist");
  await complete(content, out);
  return out;
}
