// Makes each program that `publish` runs in turn fail, lose its answer as on a dropped connection, or die with the whole
// command. Exit code 0 means that the server answers from the new release. After any other code the server has the old
// or the new release, each with its configuration, and the next run completes the publication.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import which from "which";
import {
  buildAt,
  filesOf,
  missing,
  publish as publishBuild,
  remoteShell,
  runHere,
  writeCommand,
  writeEdited,
} from "../../test/hosts/publish.ts";
import { rounds, seed } from "../../test/seed.ts";
import { nginx } from "../hosts/nginx/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-publish-faults-"));
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

const one = at("one/dist");
const edited = at("edited/dist");
const resized = at("resized/dist");
const calls = at("calls");
/** A dot for each call: the shell reads files byte by byte. */
const dots = at("dots");
const tools = "sh find rsync mkdir mktemp mv ln rm cat date readlink chmod sleep".split(" ");
/** The server. It loads the site to which `current` points. */
const server = {
  check: "exit 0",
  // In one step: a server that is killed while it loads serves its earlier configuration.
  reload: `site=$(${which.sync("readlink")} "$TARGET/current") && echo "$site" >"$TARGET.served.new" && exec ${which.sync("mv")} "$TARGET.served.new" "$TARGET.served"`,
  ssh: remoteShell,
};

/** A command that breaks as FAULT says if this call is number FAULT_AT. */
const shim = (name: string, command: string) => `echo ${name} >>'${calls}'
printf . >>'${dots}'
read -r number <'${dots}'
if [ \${#number} = "$FAULT_AT" ]; then
  case $FAULT in
    fail) exit 1 ;;
    lose) ${command} "$@"; exit 255 ;;
    kill) ${command} "$@" & ${which.sync("sleep")} "$DELAY"; kill -9 0 ;;
  esac
fi
exec ${command} "$@"`;

function prepareCommands(): void {
  for (const [name, text] of Object.entries(server)) {
    const command = writeCommand(at("server"), name, text);
    writeCommand(at("bin"), name, shim(name, command));
    writeCommand(at("quick"), name, text);
    writeCommand(at("later"), name, text);
  }
  // Nothing waits for the second between two publications: a copied start is older, and the next run is in the future.
  const idle = writeCommand(at("later"), "sleep", "exit 0");
  writeCommand(at("later"), "date", `echo "2$(${which.sync("date")} "$@")"`);
  for (const tool of tools) writeCommand(at("bin"), tool, shim(tool, tool === "sleep" ? idle : which.sync(tool)));
}

interface Scenario {
  readonly title: string;
  /** Publications before the disturbed one. */
  readonly before: readonly string[];
  readonly dist: string;
  readonly args: readonly string[];
  /** The release whose pages are live at the end. */
  readonly end: string;
}

const scenarios: readonly Scenario[] = [
  { title: "the first publication", before: [], dist: one, args: ["--reload"], end: one },
  { title: "new data", before: [one], dist: edited, args: [], end: edited },
  { title: "a new configuration", before: [one], dist: resized, args: ["--reload"], end: resized },
  { title: "--back", before: [one, resized], dist: resized, args: ["--back", "--reload"], end: one },
];

/** The commands whose connection can drop before the answer. */
const connects: ReadonlySet<string> = new Set(["ssh", "rsync"]);

/** The pages that the server serves, once it has loaded any. */
function servedAt(target: string): Readonly<Record<string, string>> | undefined {
  if (!existsSync(`${target}.served`)) return undefined;
  const site = path.basename(readFileSync(`${target}.served`, "utf8").trim());
  const release = realpathSync(path.join(target, site));
  expect(path.basename(release).endsWith(`-${site}`)).toBe(true);
  return filesOf(path.join(release, "pages"));
}

describe.skipIf(missing !== undefined).each(scenarios)("$title", ({ title, before, dist, args, end }) => {
  const start = at(title, "start");
  const last = before.at(-1);
  const commands = ["--check-command", "check", "--reload-command", "reload"];
  /** Publishes in this process, unless a fault kills it. */
  const publish = (bin: string, build: string, options: readonly string[], target: string, fault = {}) => {
    const args = [`host:${target}`, ...commands, ...options];
    const env = { PATH: `${at(bin)}:${process.env.PATH}`, TARGET: target, ...fault };
    return Object.values(fault).includes("kill")
      ? publishBuild(build, nginx, args, { env })
      : runHere(["publish", nginx.name, ...args, "--out", build], env);
  };

  beforeAll(async () => {
    if (!existsSync(at("bin"))) {
      prepareCommands();
      const sample = { count: 8, pageSizes: [2, 5] } as const;
      writeEdited(at("a"), sample, [1]);
      writeEdited(at("b"), sample, [3, 5]);
      writeEdited(at("c"), { ...sample, pageSizes: [2, 3] }, [3, 5]);
      const hosts = [nginx];
      await buildAt(at("a"), one, { hosts });
      await buildAt(at("b"), edited, { hosts, previous: one, now: 1_700_000_060 });
      await buildAt(at("c"), resized, { hosts, previous: one, now: 1_700_000_060 });
    }
    for (const build of before) {
      const { code, stderr } = await publish("quick", build, ["--reload"], start);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  });

  /** Runs the command on a copy of the start, with a fault in the call of this number. */
  async function disturb(target: string, fault: string, call: number) {
    for (const suffix of ["", ".served"]) {
      const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
      if (existsSync(start + suffix)) cpSync(start + suffix, target + suffix, options);
    }
    for (const file of [calls, dots]) writeFileSync(file, "");
    const delay = call % 3 === 0 ? "0" : (Math.random() * 0.05).toFixed(3);
    const fields = { FAULT: fault, FAULT_AT: String(call), DELAY: delay };
    const result = await publish("bin", dist, args, target, fields);
    return { ...result, delay, called: readFileSync(calls, "utf8").trim().split("\n") };
  }

  it.each(["fail", "lose", "kill"])(
    "survives: %s",
    async (fault) => {
      const expected = filesOf(end);
      const old = last === undefined ? undefined : filesOf(last);
      const { called: all } = await disturb(at(title, `${fault} none`), "", 0);
      expect(new Set(all).size).toBeGreaterThan(4);
      const numbers = all
        .map((_, index) => index + 1)
        .filter((call) => fault !== "lose" || connects.has(all[call - 1] ?? ""));
      // One in so many calls, from one that the seed chooses.
      const skip = Math.ceil(40 / rounds);
      const from = seed % skip;
      let broken = 0;
      for (const call of numbers.filter((_, index) => index % skip === from)) {
        const target = at(title, `${fault} ${call}`);
        const { code, stderr, delay, called } = await disturb(target, fault, call);
        const when = { fault, call, command: called[call - 1], delay, code, stderr };
        const live = servedAt(target);
        if (code !== 0) broken++;
        if (code === 0) expect({ ...when, live }).toEqual({ ...when, live: expected });
        else {
          expect([JSON.stringify(old), JSON.stringify(expected)], JSON.stringify(when)).toContain(JSON.stringify(live));
        }
        // If the server is back at the previous release, another --back would go further.
        const isBack = args.includes("--back") && JSON.stringify(live) === JSON.stringify(expected);
        const next = await publish("later", isBack ? end : dist, isBack ? ["--reload"] : args, target);
        const after = { next: next.code, text: next.stderr, live: servedAt(target) };
        expect({ ...when, ...after }).toEqual({ ...when, next: 0, text: "", live: expected });
        rmSync(target, { recursive: true });
      }
      // Few calls connect.
      if (fault !== "lose") expect(broken).toBeGreaterThan(numbers.length / skip / 5);
    },
    600_000,
  );
});
