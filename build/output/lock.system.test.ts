import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { contentsOf, lay, temporaryFolder } from "../../test/output/folder.ts";
import { type Call, changing, intercept } from "../../test/output/intercept.ts";
import { rounds } from "../../test/seed.ts";
import { acquire, type Lock } from "./lock.ts";

const quiet = () => undefined;
const never = () => expect.unreachable("it waits");

/** The name of an owner like this process, with other parts. Of another process the start is not known. */
async function ownerLike(parts: { pid?: number | string; host?: string }): Promise<string> {
  const lock = await acquire(path.join(temporaryFolder(), "lock"), never);
  const [process, nonce, ...host] = path.basename(lock.folder).split("-");
  lock.release();
  return [parts.pid ?? process, nonce, parts.host ?? host.join("-")].join("-");
}

const endedProcess = (): number => Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe("a free lock", () => {
  it("is taken without waiting and leaves nothing behind", async () => {
    const parent = temporaryFolder();
    const lock = await acquire(path.join(parent, "lock"), never);
    expect(lock.isHeld()).toBe(true);
    expect(readdirSync(lock.folder)).toEqual([]);
    lay(lock.folder, { "a/b.json": "1" });
    lock.release();
    expect(lock.isHeld()).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("may be an empty folder, which a killed release has left", async () => {
    const parent = temporaryFolder();
    lay(parent, { "lock/": "" });
    (await acquire(path.join(parent, "lock"), never)).release();
    expect(readdirSync(parent)).toEqual([]);
  });

  it("is not confused with a folder that the program did not make", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    lay(staging, { notes: "foreign" });
    await expect(acquire(staging, quiet)).rejects.toThrow(`stillapi did not create ${staging}/notes.`);
    expect(contentsOf(staging)).toEqual({ notes: "foreign" });
  });
});

/** The id of a process that was killed, and whose parent never asks for its exit code. */
async function zombie(): Promise<number> {
  const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
  onTestFinished(() => {
    parent.kill("SIGKILL");
  });
  const [printed] = await once(parent.stdout, "data");
  const pid = Number(printed);
  const read = (id: number | undefined, file: string) => readFileSync(`/proc/${id}/${file}`, "utf8");
  // A shell would ask for the exit code.
  await vi.waitFor(() => expect(read(parent.pid, "comm")).toBe("sleep\n"), 60_000);
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(read(pid, "stat")).toContain(") Z "), 60_000);
  return pid;
}

describe("a lock that is held", () => {
  it.each<[string, () => Promise<string>, number]>([
    ["a process that has ended", async () => ownerLike({ pid: endedProcess() }), 0],
    ["a process that was killed and is still a zombie", async () => ownerLike({ pid: await zombie() }), 0],
    ["an earlier process with the id of one that runs", async () => ownerLike({ pid: `${process.pid}.1` }), 0],
    ["a process of another host that has given no sign of life for a minute", async () => ownerLike({ host: "b" }), 61],
    ["a process of another host whose time is far in the future", async () => ownerLike({ host: "b" }), -86_400],
  ])("is taken over at once from %s", async (_, owner, silence) => {
    const parent = temporaryFolder();
    const folder = path.join(parent, "lock", await owner());
    lay(folder, { "files/a.json": "1" });
    utimesSync(folder, secondsAgo(silence), secondsAgo(silence));
    const lock = await acquire(path.join(parent, "lock"), never);
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(parent)).toEqual(["lock"]);
    lock.release();
  });

  it.each<[string, () => Promise<string>, number]>([
    ["this process, which has been busy for an hour", async () => ownerLike({}), 3_600],
    ["another process, which has been busy for an hour", async () => ownerLike({ pid: process.ppid }), 3_600],
    ["a process of another host that gives signs of life", async () => ownerLike({ host: "b" }), 20],
  ])("is waited for while it is held by %s", async (_, owner, silence) => {
    const staging = path.join(temporaryFolder(), "lock");
    const folder = path.join(staging, await owner());
    mkdirSync(folder, { recursive: true });
    utimesSync(folder, secondsAgo(silence), secondsAgo(silence));
    const onWait = vi.fn(() => rmSync(staging, { recursive: true }));
    const lock = await acquire(staging, onWait);
    expect(onWait).toHaveBeenCalledTimes(1);
    lock.release();
  });

  it("is waited for while it is held by a process whose start the system hides", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    lay(staging, { [`${await ownerLike({ pid: `${process.ppid}.1` })}/`]: "" });
    const onWait = vi.fn(() => rmSync(staging, { recursive: true }));
    const hide = (_index: number, _call: Call, target: string) => {
      if (target.includes(`/${process.ppid}/`)) throw Object.assign(new Error("hidden"), { code: "ENOENT" });
    };
    (await intercept(() => acquire(staging, onWait), ["readFileSync"], hide)).release();
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  it("is waited for until it is released", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    const first = await acquire(staging, never);
    const second = await acquire(staging, () => setTimeout(first.release, 250));
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
    second.release();
  });

  it("is waited for ten minutes and no longer", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    const lock = await acquire(staging, never);
    const later = Date.now() + 601_000;
    const onWait = () => {
      utimesSync(lock.folder, later / 1000, later / 1000);
      vi.spyOn(Date, "now").mockReturnValue(later);
    };
    try {
      await expect(acquire(staging, onWait)).rejects.toMatchObject({
        message: "Another build has been writing this folder for ten minutes.",
        hint: `If no build is running, remove ${staging}.`,
      });
    } finally {
      vi.restoreAllMocks();
    }
    expect(lock.isHeld()).toBe(true);
    lock.release();
  });

  it("gives signs of life, also while the build waits for something", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const lock = await acquire(path.join(temporaryFolder(), "lock"), never);
      const before = secondsAgo(50);
      utimesSync(lock.folder, before, before);
      vi.advanceTimersByTime(1_000);
      const isNew = () => statSync(lock.folder).mtimeMs > before.getTime() + 1_000;
      await vi.waitFor(() => expect(isNew()).toBe(true), { timeout: 120_000 });
      lock.release();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is lost to one who was taken over, who cannot release it any more", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    const first = await acquire(staging, never);
    renameSync(first.folder, path.join(staging, await ownerLike({ pid: endedProcess() })));
    const second = await acquire(staging, never);
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
    first.release();
    expect(second.isHeld()).toBe(true);
    second.release();
  });

  it.each<[string, () => Promise<string> | string]>([
    ["free", () => ""],
    ["a dead one's", async () => ownerLike({ pid: endedProcess() })],
  ])("goes to one of two who find it %s at the same moment, whatever the moment", async (_, owner) => {
    for (let moment = 0, met = true; met; moment++) {
      met = false;
      const staging = path.join(temporaryFolder(), "lock");
      lay(staging, { [`${await owner()}/`]: "" });
      const log: string[] = [];
      const hold = async (name: string, lock: Lock) => {
        log.push(`${name} takes it`);
        await sleep(20);
        log.push(lock.isHeld() ? `${name} releases it` : `${name} has lost it`);
        lock.release();
      };
      let other: Promise<void> | undefined;
      const meet = (index: number) => {
        if (index !== moment) return;
        met = true;
        other = acquire(staging, quiet).then((lock) => hold("b", lock));
      };
      await hold("a", await intercept(() => acquire(staging, quiet), changing, meet));
      await other;
      const [a, b] = ["a", "b"].map((name) => [`${name} takes it`, `${name} releases it`]);
      expect([[a, b].flat(), [b, a].flat(), a]).toContainEqual(log);
      const last = await acquire(staging, never);
      last.release();
      expect(readdirSync(path.dirname(staging))).toEqual([]);
    }
  });

  it("goes to one of many at a time, also where some end without releasing it", async () => {
    const staging = path.join(temporaryFolder(), "lock");
    const script = path.join(temporaryFolder(), "contender.mts");
    // The folder `alone` can be made only while no one else is between the two calls.
    writeFileSync(
      script,
      `import { mkdirSync, rmdirSync } from "node:fs";
       import { setTimeout as sleep } from "node:timers/promises";
       import { acquire } from ${JSON.stringify(path.resolve("build/output/lock.ts"))};
       for (let round = 0; round < 10; round++) {
         const lock = await acquire(${JSON.stringify(staging)}, () => undefined);
         mkdirSync(${JSON.stringify(`${staging}.alone`)});
         await sleep(Math.random() * 3);
         rmdirSync(${JSON.stringify(`${staging}.alone`)});
         if (round === 9) process.exit(7);
         lock.release();
       }`,
    );
    const contenders = Array.from({ length: 3 + rounds }, () =>
      spawn(process.execPath, ["--import", "tsx", script], { stdio: ["ignore", "ignore", "inherit"] }),
    );
    const codes = await Promise.all(contenders.map(async (contender) => (await once(contender, "exit"))[0]));
    expect(codes).toEqual(contenders.map(() => 7));
    const lock: Lock = await acquire(staging, quiet);
    lock.release();
    expect(readdirSync(path.dirname(staging))).toEqual([]);
  });
});
