import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ask } from "../../../test/ask.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import type { Diagnostic } from "../../diagnostics.ts";
import { type Dev, type DevEvents, type DevOptions, pauses, startDev } from "./dev.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-dev-"));
const content = path.join(folder, "content");
const regions = path.join(content, "regions.json");
afterAll(() => rmSync(folder, { recursive: true }));

const open: DevOptions["open"] = async () => [{ chosen: { api: edgeNetwork, hosts: [] }, files: [] }, []];
const options = { open, content, deployment: undefined };

interface Told {
  origin?: string;
  faults: Diagnostic[];
  built: number;
  errors: unknown[];
  taken?: number[];
  changed?: (readonly string[])[];
}

function eventsTo(told: Told): DevEvents {
  return {
    onStart: (changed) => told.changed?.push(changed),
    onPlanned: () => {
      told.built++;
    },
    onTaken: (last) => told.taken?.push(last),
    onFaults: async ([faults]) => void told.faults.push(...faults),
    onError: (error) => told.errors.push(error),
    onServing: ({ origin }) => {
      told.origin = origin;
    },
  };
}

const until = (expectation: () => unknown): Promise<unknown> =>
  vi.waitFor(expectation, { timeout: 120_000, interval: 20 });

describe("dev", () => {
  const changed: (readonly string[])[] = [];
  const told = { origin: "", faults: [] as Diagnostic[], built: 0, errors: [] as unknown[], changed };
  let dev: Dev;
  let right: readonly { readonly name: string; readonly code: string }[];

  const get = (name: string) => ask(told.origin, { method: "GET", path: `/api/v1/${name}`, query: "" });
  /** The regions, the first of which has another name. */
  const named = (name: string) => JSON.stringify(right.map((each, index) => (index === 0 ? { ...each, name } : each)));

  beforeAll(async () => {
    writeSample(content, { count: 12, pageSizes: [5] });
    right = JSON.parse(readFileSync(regions, "utf8"));
    dev = await startDev(options, 0, eventsTo(told));
  });
  afterAll(() => dev.stop());

  it("serves the first build at once", async () => {
    expect((await get("regions")).body).toContain(right[0]?.name);
    expect(told).toMatchObject({ built: 1, faults: [], errors: [] });
  });

  it("serves what was saved", async () => {
    writeFileSync(regions, named("London"));
    await until(async () => expect((await get("regions")).body).toContain("London"));
  });

  it("serves a file that an editor has replaced", async () => {
    writeFileSync(`${folder}/saved.json`, named("Londinium"));
    renameSync(`${folder}/saved.json`, regions);
    await until(async () => expect((await get("regions")).body).toContain("Londinium"));
  });

  it("notices new files in new folders, and files that are removed", async () => {
    const file = path.join(content, "nodes/eu/new.json");
    mkdirSync(path.dirname(file), { recursive: true });
    const node = {
      id: "nod_new",
      created_at: "2030-01-01T00:00:00Z",
      pop: right[0]?.code,
      status: "ready",
      capacity: "10G",
    };
    writeFileSync(file, JSON.stringify(node));
    await until(async () => expect((await get("nodes")).body).toContain("nod_new"));
    unlinkSync(file);
    await until(async () => expect((await get("nodes")).body).not.toContain("nod_new"));
  });

  it("reports a fault with its place, keeps serving, and recovers when it is fixed", async () => {
    writeFileSync(regions, named("").replace(/"country":"../, '"country":"gb'));
    await until(() => expect(told.faults).toContainEqual(expect.objectContaining({ file: "regions.json", line: 1 })));
    expect((await get("regions")).body).toContain("Londinium");
    expect((await get("docs/")).body).toContain("regions.json:1:");
    writeFileSync(regions, named("Mended"));
    await until(async () => expect((await get("regions")).body).toContain("Mended"));
    expect((await get("docs/")).body).not.toContain("regions.json:1:");
    expect(readdirSync(folder)).not.toContain("dist");
  });

  it("reports what is wrong with the machine, and keeps going", async () => {
    renameSync(content, `${content}-away`);
    await until(() => expect(told.errors).toContainEqual(expect.objectContaining({ name: "Error" })));
    renameSync(`${content}-away`, content);
    writeFileSync(regions, named("Back"));
    await until(async () => expect((await get("regions")).body).toContain("Back"));
  });

  it("takes the next port if the one asked for is taken, and says so", async () => {
    const port = Number(new URL(told.origin).port);
    const own = { origin: "", faults: [], built: 0, errors: [], taken: [] as number[] };
    // Two watchers of one folder in one process would share what they watch.
    const other = { ...options, content: path.join(folder, "other-content") };
    writeSample(other.content, { count: 3, pageSizes: [5] });
    const second = await startDev(other, port, eventsTo(own));
    try {
      const next = Number(new URL(own.origin).port);
      expect(next).toBeGreaterThan(port);
      expect(own.taken).toEqual([next - 1]);
    } finally {
      await second.stop();
    }
  });

  it("names the files that were saved", async () => {
    writeFileSync(regions, named("Told"));
    await until(async () => expect((await get("regions")).body).toContain("Told"));
    expect(told.changed).toContainEqual(expect.arrayContaining(["regions.json"]));
  });

  it("rejects if there is no content", async () => {
    const events = eventsTo({ faults: [], built: 0, errors: [] });
    const nowhere = { ...options, content: path.join(folder, "nowhere") };
    await expect(startDev(nowhere, 0, events)).rejects.toThrow("There is no folder");
  });
});

it("serves as soon as the faults that it started with are fixed", async () => {
  const own = path.join(folder, "own");
  writeSample(own, { count: 3, pageSizes: [5] });
  const file = path.join(own, "nodes.json");
  const right = readFileSync(file, "utf8");
  writeFileSync(file, right.replace(/"pop":"\w+"/, '"pop":"zzz9"'));
  const told = { origin: "", faults: [] as Diagnostic[], built: 0, errors: [] as unknown[] };
  const dev = await startDev({ ...options, content: own }, 0, eventsTo(told));
  try {
    expect(told).toMatchObject({ origin: "", built: 0, faults: [{ code: "no-such-item" }] });
    writeFileSync(file, right);
    await until(() => expect(told.origin).not.toBe(""));
    expect((await ask(told.origin, { method: "GET", path: "/api/v1/nodes", query: "" })).status).toBe(200);
  } finally {
    await dev.stop();
  }
});

it("waits for the end of a save or a checkout: each change starts the pause anew, which depends on the changes", async () => {
  const own = path.join(folder, "checked-out");
  writeSample(own, { count: 3, pageSizes: [5] });
  const told = { origin: "", faults: [] as Diagnostic[], built: 0, errors: [] as unknown[] };
  const dev = await startDev({ ...options, content: own }, 0, eventsTo(told));
  /** The pauses end when the test says so, since a busy machine may take longer for a file. */
  const paused: { readonly length: number; readonly end: () => void; readonly timer: NodeJS.Timeout }[] = [];
  const [start, clear] = [setTimeout, vi.spyOn(globalThis, "clearTimeout")];
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, length: number) => {
    if (!Object.values(pauses).includes(length)) return start(end, length);
    const timer = start(() => undefined, 0);
    paused.push({ length, end, timer });
    return timer;
  }) as typeof setTimeout);
  try {
    // As editors write before they rename.
    writeFileSync(path.join(own, "regions.json.tmp"), "");
    await until(() => expect(paused.at(-1)?.length).toBe(pauses.afterOther));
    renameSync(path.join(own, "regions.json.tmp"), path.join(own, "regions.json.new.json"));
    await until(() => expect(paused.at(-1)?.length).toBe(pauses.afterSave));
    unlinkSync(path.join(own, "regions.json.new.json"));
    const all = JSON.parse(readFileSync(path.join(own, "regions.json"), "utf8"));
    unlinkSync(path.join(own, "regions.json"));
    mkdirSync(path.join(own, "regions"));
    for (let file = 0; file < 12; file++) writeFileSync(path.join(own, `regions/empty${file}.json`), "[]");
    await until(() => expect(paused.at(-1)?.length).toBe(pauses.afterCheckout));
    for (const [index, region] of [...all, { ...all[0], code: "zzz9" }].entries()) {
      const before = paused.length;
      writeFileSync(path.join(own, `regions/${index}.json`), JSON.stringify(region));
      await until(() => expect(paused.length).toBeGreaterThan(before));
    }
    for (const { timer } of paused.slice(0, -1)) expect(clear.mock.calls.flat()).toContain(timer);
    paused.at(-1)?.end();
    await until(async () =>
      expect((await ask(told.origin, { method: "GET", path: "/api/v1/regions", query: "" })).body).toContain("zzz9"),
    );
    expect(told).toMatchObject({ built: 2, faults: [], errors: [] });
  } finally {
    await dev.stop();
  }
});

it("waits until faults are reported, those of the declaration too", async () => {
  const reported: string[] = [];
  const onFaults: DevEvents["onFaults"] = async (_, of) => {
    await sleep(20);
    reported.push(of);
  };
  const faulty = path.join(folder, "faulty");
  writeSample(faulty, { count: 3, pageSizes: [5] });
  writeFileSync(path.join(faulty, "regions.json"), "[");
  const events = { ...eventsTo({ faults: [], built: 0, errors: [] }), onFaults };
  await (await startDev({ ...options, content: faulty }, 0, events)).stop();
  const mistaken: DevOptions["open"] = async () => [{ chosen: undefined, files: [] }, []];
  const other = { ...options, content: faulty, open: mistaken };
  await (await startDev(other, 0, events)).stop();
  expect(reported).toEqual(["content", "declaration"]);
});

it("runs from the command line until it is interrupted", async () => {
  const args = ["dev", "--content", content, "--port", "0"];
  const child = spawn(process.execPath, [inject("program"), ...args]);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((over) => child.once("close", over));
  try {
    await until(() => expect(printed).toMatch(/Serving .* on http:\/\/127\.0\.0\.1:\d+ .*\n(?:.*\n)+Watching /));
    const right = readFileSync(regions, "utf8");
    writeFileSync(regions, right.replace(/"name":"[^"]*"/, '"name":"Elsewhere"'));
    await until(() => expect(printed).toMatch(/\n\d\d:\d\d:\d\d regions\.json: \w+ changed name in \d+\.\d s\n/));
    writeFileSync(regions, "[");
    await until(() =>
      expect(printed).toMatch(
        /\n\d\d:\d\d:\d\d regions\.json\n(?:.*\n)*.*regions\.json:1:\d+ syntax .*\n✗ 1 fault in 1 file; the last valid content is served/,
      ),
    );
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toBe(0);
  expect(printed).not.toContain("\u{1b}");
});
