// publish.sh with the real rsync: to a folder of this machine, and as it does over ssh.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apache } from "../apache/index.ts";
import type { HostAdapter } from "../host.ts";
import { nginx } from "../nginx/index.ts";
import {
  buildAt,
  filesOf,
  localShell,
  missing,
  pathsOf,
  publishedOf,
  type RunOptions,
  run,
  scriptOf,
  stampsOf,
  writeCommand,
  writeEdited,
} from "./fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-publish-"));
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

/** The second build upon the first one; the third is of the content of the second in an empty folder. */
const builds = { one: at("one builds'", "dist"), two: at("two builds'", "dist"), again: at("again", "dist") };

async function buildAll(): Promise<void> {
  for (const [name, gone] of [
    ["a", [1]],
    ["b", [3, 7]],
  ] as const) {
    writeEdited(at(name), 12, gone, [2, 5]);
  }
  const host = nginx;
  await buildAt(at("a"), builds.one, { host, precompress: true });
  await buildAt(at("b"), builds.two, { host, precompress: true, previous: builds.one, now: 1_700_000_060 });
  await buildAt(at("b"), builds.again, { host, precompress: true, previous: builds.two, now: 1_700_000_060 });
  await buildAt(at("a"), at("apache", "dist"), { host: apache });
}

const publish = (dist: string, args: readonly string[], options?: RunOptions, host: HostAdapter = nginx) =>
  run(scriptOf(dist, host), args, options);

async function published(dist: string, target: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await publish(dist, [...args, target]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

let targets = 0;
const newTarget = (): string => at(`target ${targets++}`);

describe.skipIf(missing !== undefined)(
  `publish.sh${missing === undefined ? "" : `, skipped because ${missing}`}`,
  () => {
    beforeAll(buildAll);

    /** Targets as they are given to the script, and the folders that they are. */
    const kinds = [
      { title: "a folder", target: (name: string) => at(name), env: {} },
      {
        title: "a folder over ssh",
        target: (name: string) => `me@host:${at(name)}`,
        env: { RSYNC_RSH: localShell(at("bin")) },
      },
    ];

    describe.each(kinds)("to $title", ({ title, target, env }) => {
      it("sends what differs, removes what is stale, and goes back", async () => {
        const name = `${title}/with 'quotes', $HOME *[a]? "and" {more}; \\ é`;
        const there = target(name);
        const send = async (dist: string, ...args: readonly string[]) => {
          const { code, stdout, stderr } = await publish(dist, [...args, there], { env });
          expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
          return stdout;
        };
        expect(await send(builds.one)).toContain("0 changed, 0 stale files.");
        const first = filesOf(at(name));
        expect(first).toEqual(publishedOf(builds.one));
        const times = stampsOf(at(name));
        expect(await send(builds.two)).toMatch(/: \d+ new, [1-9]\d* changed, [1-9]\d* stale files\./);
        expect(filesOf(at(name))).toEqual(publishedOf(builds.two));
        expect(await send(builds.two)).toBe(`${there} is up to date. Nothing was sent.\n`);
        await send(builds.two, "--back");
        expect(filesOf(at(name))).toEqual(first);
        const withoutInode = (stamps: Readonly<Record<string, string>>) =>
          pathsOf(at(name)).map((file) => [file, stamps[file]?.split(" ")[2]]);
        expect(withoutInode(stampsOf(at(name)))).toEqual(withoutInode(times));
        const none = await publish(builds.two, ["--back", there], { env });
        expect(none).toMatchObject({ code: 1, stderr: `publish.sh: There is no earlier state of ${there}.\n` });
        await send(builds.two);
        expect(filesOf(at(name))).toEqual(publishedOf(builds.two));
      });
    });

    it("takes a target that is relative to the present folder, or has a slash at its end or a colon", async () => {
      const options = { cwd: folder };
      expect(await publish(builds.one, ["./relative:colon/"], options)).toMatchObject({ code: 0 });
      expect(filesOf(at("relative:colon"))).toEqual(publishedOf(builds.one));
    });

    it("sends nothing of a build of the same content in an empty folder with other times", async () => {
      const target = newTarget();
      await published(builds.two, target);
      for (const file of pathsOf(builds.again)) utimesSync(path.join(builds.again, file), 1_000, 2_000);
      const before = stampsOf(target);
      expect(await published(builds.again, target)).toBe(`${target} is up to date. Nothing was sent.\n`);
      const own = (stamps: typeof before) => Object.entries(stamps).filter(([file]) => !file.startsWith(".edge-api"));
      expect(own(stampsOf(target))).toEqual(own(before));
    });

    it("gives a changed file of the same size another time, in whole seconds", async () => {
      const target = newTarget();
      const dist = at("same size", "dist");
      cpSync(path.dirname(builds.one), path.dirname(dist), { recursive: true, preserveTimestamps: true });
      const file = "api/v1/errors/not_found.json";
      await published(dist, target);
      const seconds = () => Math.floor(statSync(path.join(target, file)).mtimeMs / 1_000);
      const before = seconds();
      const { atimeMs, mtimeMs } = statSync(path.join(dist, file));
      const text = readFileSync(path.join(dist, file), "utf8");
      writeFileSync(path.join(dist, file), text.replace("not_found", "NOT_FOUND"));
      utimesSync(path.join(dist, file), atimeMs / 1_000, mtimeMs / 1_000);
      expect(await published(dist, target)).toContain("0 new, 1 changed, 0 stale files.");
      expect(readFileSync(path.join(target, file), "utf8")).toContain("NOT_FOUND");
      expect(seconds()).toBeGreaterThan(before);
    });

    it("says in a dry run what it would do, and does nothing", async () => {
      const target = newTarget();
      const text = await published(builds.one, target, "--dry-run");
      expect(text).toContain("new      api/v1/cursors.json\n");
      expect(() => statSync(target)).toThrow("ENOENT");
      await published(builds.one, target);
      const before = stampsOf(target);
      const files = [publishedOf(builds.one), publishedOf(builds.two)] as const;
      const lines = (await published(builds.two, target, "--dry-run")).split("\n");
      const told = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(9));
      const [one, two] = files;
      expect(told("new ")).toEqual(Object.keys(two).filter((file) => !(file in one)));
      expect(told("stale ")).toEqual(Object.keys(one).filter((file) => !(file in two)));
      expect(told("changed ")).toEqual(Object.keys(two).filter((file) => file in one && one[file] !== two[file]));
      await published(builds.two, target, "--back", "--dry-run");
      expect(stampsOf(target)).toEqual(before);
    });

    it("leaves alone what it has not written, whatever its name", async () => {
      const target = newTarget();
      const foreign = [
        "index.php",
        "with a\nnewline",
        "api/v1/nodes/limit/77.json",
        "api/v1/own page.json",
        "api/v1/-rf",
        "api/v1/$(touch x)/`y`.json",
        "api/v2/records.json",
        ".htaccess",
      ];
      await published(builds.one, target);
      for (const file of foreign) {
        mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
        writeFileSync(path.join(target, file), file);
      }
      symlinkSync("nowhere", path.join(target, "api/v1/link"));
      await published(builds.two, target);
      const expected = { ...publishedOf(builds.two), ...Object.fromEntries(foreign.map((file) => [file, file])) };
      expect(filesOf(target)).toEqual(expected);
      expect(Object.keys(stampsOf(target))).toContain("api/v1/link");
    });

    it("does not send what the build has not written", async () => {
      const [dist, target] = [at("mixed", "dist"), newTarget()];
      cpSync(path.dirname(builds.one), path.dirname(dist), { recursive: true });
      for (const file of [".env", "api/v1/notes.txt", "a\nb"]) writeFileSync(path.join(dist, file), "private");
      await published(dist, target);
      expect(filesOf(target)).toEqual(publishedOf(builds.one));
    });

    it("leaves a site its front page", async () => {
      const target = newTarget();
      mkdirSync(target);
      writeFileSync(path.join(target, "index.html"), "mine");
      const { "index.html": _, "index.html.br": br, "index.html.gz": gz, ...files } = publishedOf(builds.one);
      expect([br, gz]).not.toContain(undefined);
      for (const args of [[], [], ["--back"]]) {
        const text = await published(builds.one, target, ...args);
        if (args.length === 0) expect(text).toContain("Left alone, because edge-api did not write it: index.html\n");
        expect(filesOf(target)).toEqual({ ...(args.length === 0 ? files : {}), "index.html": "mine" });
      }
    });

    it("refuses to replace a file that it has not written", async () => {
      const target = newTarget();
      mkdirSync(path.join(target, "api/v1"), { recursive: true });
      writeFileSync(path.join(target, "api/v1.json"), "mine");
      const { code, stderr } = await publish(builds.one, [target]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `publish.sh: ${target} holds api/v1.json, which edge-api did not write. Move it away.\n`,
      });
      expect(filesOf(target)).toEqual({ "api/v1.json": "mine" });
    });

    it("knows what was copied there without it, and removes what is stale of that", async () => {
      const target = newTarget();
      cpSync(builds.one, target, { recursive: true });
      await published(builds.two, target);
      const { "404.html": missingPage, "serve.json": serve, ...files } = filesOf(target);
      expect(files).toEqual(publishedOf(builds.two));
      expect([missingPage, serve]).not.toContain(undefined);
    });

    it("goes back to the state before an unfinished publish, too", async () => {
      const target = newTarget();
      await published(builds.one, target);
      const before = filesOf(target);
      // The second of the steps that send fails.
      const bin = at("failing");
      const count = at("failing-count");
      writeFileSync(count, "");
      const real = await which("rsync");
      writeCommand(
        bin,
        "rsync",
        `case "$*" in *--temp-dir*) printf x >>'${count}'; [ "$(cat '${count}')" != xxx ] || exit 1 ;; esac\nexec ${real} "$@"`,
      );
      const { code } = await publish(builds.two, [target], { env: { PATH: `${bin}:${process.env.PATH}` } });
      expect(code).not.toBe(0);
      expect(filesOf(target)).not.toEqual(before);
      expect(filesOf(target)).not.toEqual(publishedOf(builds.two));
      await published(builds.two, target);
      expect(filesOf(target)).toEqual(publishedOf(builds.two));
      await published(builds.two, target, "--back");
      expect(filesOf(target)).toEqual(before);
    });

    it("lets one process publish to a target at a time", async () => {
      const target = newTarget();
      await published(builds.one, target);
      writeFileSync(path.join(target, ".edge-api/lock"), String(process.pid));
      const { code, stderr } = await publish(builds.two, [target]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `publish.sh: Another publish to ${target} is under way. If none is, remove ${target}/.edge-api/lock.\n`,
      });
      const ended = await run("-c", ["echo $$"]);
      writeFileSync(path.join(target, ".edge-api/lock"), ended.stdout.trim());
      await published(builds.two, target);
    });

    it("sends Apache's .htaccess files with the pages", async () => {
      const target = newTarget();
      const { code } = await publish(at("apache", "dist"), [target], {}, apache);
      expect(code).toBe(0);
      expect(pathsOf(target)).toEqual(expect.arrayContaining([...apache.owns]));
      expect(filesOf(target)).toEqual(publishedOf(at("apache", "dist")));
    });

    it.each([
      [[], 2, "Usage:"],
      [["--what", "x"], 2, "Usage:"],
      [["a", "b"], 2, "Usage:"],
      [["--reload", "a"], 2, "Usage:"],
      [["--back", "--config", "a", "b"], 2, "Usage:"],
      [["rsync://host/module"], 1, "publish.sh: TARGET must be a folder, or host:folder over ssh.\n"],
      [["host:"], 1, "publish.sh: Name a folder behind host:\n"],
    ])("refuses the arguments %j", async (args, code, message) => {
      const result = await publish(builds.one, args);
      expect(result.code).toBe(code);
      expect(result.stderr).toContain(message);
    });

    it("explains itself", async () => {
      const { code, stdout } = await publish(builds.one, ["--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain("/etc/nginx/edge-api");
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    });
  },
);

async function which(command: string): Promise<string> {
  return (await run("-c", [`command -v ${command}`])).stdout.trim();
}
