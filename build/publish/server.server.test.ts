// Publishing to a server with the real rsync: to a local folder, and as over ssh.
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import which from "which";
import { deadEnds } from "../../test/check/dead-ends.ts";
import { edgeNetwork, edgeNetworkAt } from "../../test/edge-network.ts";
import {
  buildAt,
  filesOf,
  missing,
  pathsOf,
  publish as publishBuild,
  type Run,
  remoteShell,
  runHere,
  stampsOf,
  writeCommand,
  writeEdited,
} from "../../test/hosts/publish.ts";
import { withoutPrivileges } from "../../test/output/privileges.ts";
import { earlyIn } from "../../test/output/publication.ts";
import { jsonOutputs } from "../cli/report/json-output.ts";
import { apache } from "../hosts/apache/index.ts";
import { caddy } from "../hosts/caddy/index.ts";
import { nginx } from "../hosts/nginx/index.ts";
import { apiName } from "../hosts/view.ts";
import { locate } from "../output/location.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-publish-"));
const name = apiName(edgeNetwork.base);
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

/** `again` is a build of the content of `two` in an empty folder; `sizes` has other page sizes. */
const one = at("one builds'/dist");
const two = at("two builds'/dist");
const again = at("again/dist");
const sizes = at("sizes/dist");
const log = at("log");
const env = { PATH: `${at("bin")}:${process.env.PATH}` };
const commands = { "check-command": `echo check >>'${log}'`, "reload-command": `echo reload >>'${log}'` };

type More = { readonly [name: string]: string };

const withCommands = (args: readonly string[], more: More): readonly string[] => [
  ...args,
  ...Object.entries({ ...commands, ...more }).flatMap(([option, text]) => [`--${option}`, text]),
];

/** Publishes in this process. `more` replaces the commands, or variables. */
const publish = (dist: string, args: readonly string[], { PATH = env.PATH, ...more }: More = {}): Promise<Run> =>
  runHere(["publish", "nginx", ...withCommands(args, more), "--out", dist], { PATH });

/** Publishes in another process, at the same time as others, and from the folder of the test. */
const publishApart = (dist: string, args: readonly string[]): Promise<Run> =>
  publishBuild(dist, nginx, withCommands(args, {}), { cwd: folder, env });

/** Publishes successfully, and returns the output of the command. */
async function published(dist: string, ...args: readonly string[]): Promise<string> {
  return outputOf(await publish(dist, args));
}

function outputOf({ code, stdout, stderr }: Run): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

let targets = 0;
const newTarget = (): string => at(`target ${targets++}`);
const live = (target: string) => filesOf(path.join(target, "current/pages/"));
const liveStamps = (target: string) => stampsOf(path.join(target, "current/pages/"));
const asked = () => {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  rmSync(log, { force: true });
  return text.trim().split("\n").join(" ");
};

/** Replaces rsync, for calls with matching arguments, by a script that may run the real one as `"$RSYNC" "$@"`. */
function instead(name: string, pattern: string, text: string) {
  const real = which.sync("rsync");
  writeCommand(at(name), "rsync", `RSYNC=${real}\ncase "$*" in ${pattern}) ${text} ;; esac\nexec ${real} "$@"`);
  return { PATH: `${at(name)}:${env.PATH}` };
}

describe.skipIf(missing !== undefined)("publish", () => {
  beforeAll(async () => {
    writeCommand(at("bin"), "ssh", remoteShell);
    const sample = { count: 12, pageSizes: [2, 5] } as const;
    writeEdited(at("a"), sample, [1]);
    writeEdited(at("b"), sample, [3, 7]);
    writeEdited(at("c"), { ...sample, pageSizes: [2, 3] }, [3, 7]);
    const hosts = [nginx];
    await buildAt(at("a"), one, { hosts });
    const upon = { hosts, previous: one, now: 1_700_000_060 };
    await buildAt(at("b"), two, upon);
    await buildAt(at("b"), again, { ...upon, previous: two });
    await buildAt(at("c"), sizes, upon);
  });

  it.each(["", "me@host:"])(
    "switches whole releases, keeps unchanged files and prints the way back (%j)",
    async (host) => {
      const root = at(`${host}with 'quotes', *[a]? (more); é`);
      const target = `${host}${root}`;
      expect(outputOf(await publishApart(one, [target]))).toContain(
        `Load the configuration in ${root}/current now: echo check`,
      );
      expect(live(root)).toEqual(filesOf(one));
      const before = liveStamps(root);
      const done = outputOf(await publishApart(two, [target]));
      expect(done.startsWith(`Published to ${target}. To go back: `)).toBe(true);
      expect(live(root)).toEqual(filesOf(two));
      const old = filesOf(one);
      const now = filesOf(two);
      const after = liveStamps(root);
      const seconds = (stamp = "") => Math.floor(Number(stamp.split(" ")[1]) / 1_000);
      for (const file of Object.keys(now).filter((file) => file in old)) {
        if (now[file] === old[file]) expect(after[file]).toBe(before[file]);
        else expect(seconds(after[file])).toBeGreaterThan(seconds(before[file]));
      }
      expect(await published(two, target)).toBe(`${target} is up to date. Nothing was sent.\n`);
      const [, back = ""] = done.split(" To go back: ");
      const words = execFileSync("sh", ["-c", `printf '%s\\n' ${back}`], { encoding: "utf8" })
        .trim()
        .split("\n");
      expect(words).toEqual(["npm", "run", "publish", "--", "nginx", target, "--back"]);
      await published(two, ...words.slice(5));
      expect(liveStamps(root)).toEqual(before);
      const none = await publish(two, ["--back", target]);
      expect(none).toMatchObject({ code: 2, stderr: `✗ ${target} has no earlier release.\n` });
      expect(asked()).toBe("");
    },
  );

  it("sends nothing of a build of the same content in another folder with other times", async () => {
    const target = newTarget();
    await published(two, target);
    for (const file of pathsOf(again)) utimesSync(path.join(again, file), 1_000, 2_000);
    const before = stampsOf(target);
    expect(await published(again, target)).toBe(`${target} is up to date. Nothing was sent.\n`);
    expect(stampsOf(target)).toEqual(before);
  });

  it("keeps five releases, and goes back past a release that was rolled back", async () => {
    const target = newTarget();
    const releases = () => readdirSync(path.join(target, "releases"));
    for (const dist of [one, two, one, two, one, two]) await published(dist, target);
    expect(releases()).toHaveLength(5);
    await published(two, "--back", target);
    await published(two, "--back", target);
    expect(live(target)).toEqual(filesOf(two));
    await published(one, target);
    expect(releases()).toHaveLength(4);
    await published(one, "--back", target);
    expect(live(target)).toEqual(filesOf(two));
    expect(readdirSync(target).filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(1);
  });

  it("publishes another configuration only with --reload, and rolls back one that the server refuses", async () => {
    const target = newTarget();
    await published(one, target);
    const before = stampsOf(target);
    const refused = await publish(sizes, [target]);
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /Nothing was sent, because the configuration changes\. With --reload the server runs: echo check.*echo reload/,
      ),
    });
    expect(stampsOf(target)).toEqual(before);
    const site = () => path.basename(readlinkSync(path.join(target, "current")));
    const first = site();
    for (const [command, message] of [
      ["check-command", "The server refuses the configuration"],
      ["reload-command", "The server has not reloaded"],
    ]) {
      const { code, stderr } = await publish(sizes, ["--reload", target], { [String(command)]: "false" });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `✗ ${message}, so the configuration before is back.\n`,
      });
      expect([site(), live(target)]).toEqual([first, filesOf(one)]);
    }
    asked();
    await published(sizes, "--reload", target);
    expect(asked()).toBe("check reload");
    expect(live(target)).toEqual(filesOf(sizes));
    const text = readFileSync(path.join(target, `current/${name}.root.conf`), "utf8");
    expect(text).toBe(
      `# The API at ${edgeNetwork.base}.\nmap "" $${name}_root { default "${target}/${site()}/pages"; }\n`,
    );
    const sent = readFileSync(path.join(target, `current/${name}.maps.conf`), "utf8");
    expect(sent).toBe(readFileSync(path.join(`${sizes}.hosts`, `nginx/${name}.maps.conf`), "utf8"));
    expect(await published(sizes, "--reload", target)).toBe(`${target} is up to date. Nothing was sent.\n`);
    expect((await publish(sizes, ["--back", target])).code).toBe(2);
    expect(live(target)).toEqual(filesOf(sizes));
    await published(sizes, "--back", "--reload", target);
    expect([site(), live(target)]).toEqual([first, filesOf(one)]);
    expect(asked()).toBe("check reload");
  });

  it.each(["dist", "a-name-that-is-longer-than-the-name-of-a-lock-may-be", "ein-langer-name-aus-größen-und-maßen"])(
    "finds the lock of a build into %s, beside the folder and in it",
    async (name) => {
      const dist = at("locked", name);
      const target = newTarget();
      await buildAt(at("a"), dist, { hosts: [nginx] });
      const { staging, inner } = locate(dist);
      for (const lock of [staging, inner]) {
        mkdirSync(lock);
        expect(await publish(dist, [target])).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("A build is writing"),
        });
        rmSync(lock, { recursive: true });
      }
      await published(dist, target);
    },
  );

  it("publishes no mixture while a build commits", async () => {
    const dist = at("changing/dist");
    const target = newTarget();
    await buildAt(at("a"), dist, { hosts: [nginx] });
    await published(dist, target);
    const file = path.join(dist, "api/v1.json");
    const replaced = instead("replacing", "*--link-dest*", `cp '${file}' '${file}.new'; mv '${file}.new' '${file}'`);
    appendFileSync(file, "\n");
    const { code, stderr } = await publish(dist, [target], replaced);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `✗ A build has changed ${dist} meanwhile, so nothing was published. Try again.\n`,
    });
    const seen = new Set([JSON.stringify(live(target))]);
    let isBuilding = true;
    const whole = new Set(seen);
    const builds = (async () => {
      for (const content of ["b", "a", "b", "a", "b"]) {
        await buildAt(at(content), dist, { hosts: [nginx] });
        whole.add(JSON.stringify(filesOf(dist)));
      }
      isBuilding = false;
    })();
    while (isBuilding) {
      await publishApart(dist, [target]);
      seen.add(JSON.stringify(live(target)));
    }
    await builds;
    expect([...seen].filter((file) => !whole.has(file))).toEqual([]);
  });

  it("links to the live release by an absolute path without links, which every version of rsync handles", async () => {
    const target = newTarget();
    const linked = at("linked target");
    mkdirSync(target);
    symlinkSync(target, linked);
    await published(one, linked);
    const calls = at("calls");
    const logged = instead("logging", "*--link-dest*", `printf '%s\\n' "$@" >>'${calls}'`);
    expect(await publish(two, [linked], logged)).toMatchObject({ code: 0 });
    const [destination = ""] = /(?<=--link-dest=).*/.exec(readFileSync(calls, "utf8")) ?? [];
    expect(path.dirname(path.dirname(destination))).toBe(path.join(realpathSync(target), "releases"));
    expect(realpathSync(destination)).toBe(destination);
  });

  it.each(["api", "api/v1/openapi.json", "api/v1/status.json"])("sends nothing of a build without %s", async (gone) => {
    const dist = at("part/dist");
    cpSync(path.dirname(two), path.dirname(dist), { recursive: true });
    rmSync(path.join(dist, gone), { recursive: true });
    const target = newTarget();
    await published(one, target);
    const before = stampsOf(target);
    expect(await publish(dist, [target])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /dist is not a whole build: it has no .*\. Nothing was sent\. Run: npm run build -- --host nginx --out /,
      ),
    });
    expect(stampsOf(target)).toEqual(before);
    rmSync(path.dirname(dist), { recursive: true });
  });

  it.each([
    ["", "/api/v2"],
    ["me@host:", "/api/v2"],
    // The overview has the path of a page of the other API.
    ["", "/api/v1/nodes"],
  ])("replaces an API with another base only with --replace (%j, %s)", async (host, base) => {
    const dist = at(`other base${base}/dist`);
    await buildAt(at("a"), dist, { hosts: [nginx], api: edgeNetworkAt(base) });
    const root = newTarget();
    const target = `${host}${root}`;
    await published(one, target);
    const before = stampsOf(root);
    expect(await publish(dist, ["--reload", target])).toEqual({
      code: 2,
      stdout: "",
      stderr: `✗ ${target} has another API, and nothing of ${base}. Nothing was sent. Publish to another folder, or replace that API with --replace.\n`,
    });
    expect(stampsOf(root)).toEqual(before);
    const { stderr } = await publish(dist, ["--reload", "--replace", target], { "check-command": "false" });
    expect(stderr).toMatch(
      /the configuration before is back\. It included files that are gone: (?:\w+_[0-9a-f]{6}\.\w+\.conf ?)+\. New files: \w+_[0-9a-f]{6}\./,
    );
    await published(dist, "--reload", "--replace", target);
    expect(live(root)).toEqual(filesOf(dist));
    await published(dist, "--back", "--reload", target);
    expect(live(root)).toEqual(filesOf(one));
    asked();
  });

  it("serves one whole build when two processes publish at once", async () => {
    const target = newTarget();
    await published(one, target);
    const results = await Promise.all([two, again, two].map((dist) => publishApart(dist, [target])));
    expect(results.map(({ code }) => code)).toContain(0);
    expect(live(target)).toEqual(filesOf(two));
  });

  it("deletes nothing if a file or folder of the build cannot be read", async ({ skip }) => {
    const dist = at("unreadable/dist");
    cpSync(path.dirname(two), path.dirname(dist), { recursive: true });
    for (const folder of [".", "unreadable"]) chmodSync(at(folder), 0o777);
    const prefix = withoutPrivileges(skip, [process.execPath, inject("program")]);
    for (const unreadable of ["api/v1/cursors.json", "api/v1/docs"]) {
      const full = path.join(dist, unreadable);
      const mode = statSync(full).mode;
      chmodSync(full, 0);
      const target = newTarget();
      expect((await publish(one, [target])).code).toBe(0);
      execFileSync("chmod", ["-R", "a+rwX", target]);
      const command = [process.execPath, inject("program"), "publish", "nginx", target, "--out", dist];
      const { status } = spawnSync("env", [...prefix, ...command]);
      expect({ unreadable, status }).toEqual({ unreadable, status: 2 });
      expect(live(target)).toEqual(filesOf(one));
      chmodSync(full, mode);
    }
  });

  it("refuses --back, and does not wait, if the target cannot be written", async () => {
    const target = newTarget();
    await published(one, target);
    await published(two, target);
    writeCommand(at("read-only"), "ln", "echo 'ln: lock: Permission denied' >&2; exit 1");
    const { code, stderr } = await publish(two, [target, "--back"], { PATH: `${at("read-only")}:${env.PATH}` });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${target} cannot be written: ln: lock: Permission denied`),
    });
    expect(live(target)).toEqual(filesOf(two));
  });

  it("is replaced by four commands for web space, after each of which every cursor and change has its file", async () => {
    const target = newTarget();
    const foreign = { "index.php": "mine", "api/v2/records.json": "mine" };
    for (const [file, text] of Object.entries(foreign)) {
      mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
      writeFileSync(path.join(target, file), text);
    }
    const page = readFileSync("docs/hosts/apache.md", "utf8");
    const commands = page.match(/^rsync .* dist\/api.*$/gm) ?? [];
    expect(commands).toHaveLength(4);
    const pagesOf = (dist: string) =>
      Object.fromEntries(Object.entries(filesOf(dist)).filter(([file]) => file.startsWith("api/")));
    for (const dist of [one, two, sizes]) {
      const before = filesOf(target);
      for (const command of commands) {
        execFileSync("sh", ["-c", command.replace("server:/var/www/html", `"${target}"`)], { cwd: path.dirname(dist) });
        const files = filesOf(target);
        expect({ command, dead: deadEnds(files) }).toEqual({ command, dead: [] });
        expect({ command, early: earlyIn(files, before, pagesOf(dist)) }).toEqual({ command, early: [] });
        expect(files).toMatchObject(foreign);
      }
      expect(filesOf(target)).toEqual({ ...pagesOf(dist), ...foreign });
    }
  });

  it.each([
    [[], "missing required argument 'target'"],
    [[""], "It is empty. Set the variable that it comes from"],
    [["--what", "x"], "unknown option '--what'"],
    [["a", "b"], "too many arguments"],
    [["rsync://host/module"], "The target must be a folder, or host:folder."],
    [["host::module"], "The target must be a folder, or host:folder."],
    [["host:"], "Name a folder after host:"],
    [['a "b"'], "nginx cannot be configured for the folder"],
  ])("refuses the arguments %j", async (args, message) => {
    const { code, stderr } = await publish(one, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("refuses a folder whose name the server would take for a pattern or a capture", async () => {
    const dist = at("others/dist");
    await buildAt(at("a"), dist, { hosts: [caddy, apache] });
    const odd = [
      [caddy, "a*b"],
      [caddy, "a?b"],
      [caddy, "a[b"],
      [apache, "100%1"],
    ] as const;
    for (const [host, target] of odd) {
      const { code, stderr } = await runHere(["publish", host.name, at(target), "--out", dist]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("cannot be configured for the folder"),
      });
    }
  });

  it("prints its outcome, and the reason of a refusal, as JSON", async () => {
    const target = newTarget();
    const jsonOf = async (dist: string) => {
      const { code, stdout, stderr } = await publish(dist, [target, "--format", "json"]);
      expect(stderr).toBe("");
      return { code, ...jsonOutputs.publish.parse(JSON.parse(stdout)) };
    };
    const first = { code: 0, host: "nginx", target, outcome: "published" };
    expect(await jsonOf(one)).toMatchObject({
      ...first,
      notes: [expect.stringMatching(/^Load/), expect.stringMatching(/^Published/)],
    });
    expect(await jsonOf(one)).toMatchObject({ ...first, outcome: "unchanged" });
    expect(await jsonOf(sizes)).toMatchObject({ code: 2, error: { hint: expect.stringContaining("--reload") } });
  });

  it("takes a target that is relative, or has a colon in its name", async () => {
    outputOf(await publishApart(one, ["./relative:colon/"]));
    expect(live(at("relative:colon"))).toEqual(filesOf(one));
    outputOf(await publishApart(one, ["host:~/in the home folder"]));
    const named = readFileSync(at("in the home folder/current", `${name}.root.conf`), "utf8");
    expect(named).toContain(`"${at("in the home folder")}/`);
  });

  const shellcheck = which.sync("shellcheck", { nothrow: true });

  it.skipIf(shellcheck === null)("passes shellcheck", () => {
    execFileSync(shellcheck ?? "", ["build/publish/target.sh"]);
  });
});
