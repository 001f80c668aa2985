// The server's configuration, published with the pages: checked by the real nginx, where it is installed.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../preview/program.ts";
import { nginx } from "../nginx/index.ts";
import { buildAt, filesOf, localShell, missing, publishedOf, run, scriptOf, writeEdited } from "./fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-publish-configuration-"));
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

const [one, two, broken] = [at("one", "dist"), at("two", "dist"), at("broken", "dist")];
const files = ["edge-api.maps.conf", "edge-api.only.conf", "edge-api.server.conf"];
const program = nginx.program && findProgram(nginx.program);
const strict = process.env.EDGE_API_SKIP_NOTHING !== undefined;

/** The configuration that a build has for the server. */
const configurationOf = (dist: string): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map((file) => [file, readFileSync(path.join(`${dist}.hosts`, "nginx", file), "utf8")]));

let count = 0;

/** A machine: `there` is its publish root, `config` the folder of the configuration, in which CHECK finds no fault. */
function newMachine(check = "true") {
  const root = at(`machine ${count++}`);
  mkdirSync(root);
  const [target, config, log] = [path.join(root, "srv"), path.join(root, "et c's"), path.join(root, "log")];
  const env = {
    CHECK: `echo check >>'${log}' && ${check}`,
    RELOAD: `echo reload >>'${log}'`,
    RSYNC_RSH: localShell(at("bin")),
  };
  return {
    target,
    config,
    publish: (dist: string, ...args: readonly string[]) =>
      run(scriptOf(dist, nginx), [...args, `host:${target}`], { env }),
    configured: () => filesOf(config),
    /** What has been asked of the server since the last time. */
    asked: () => {
      const text = existsSync(log) ? readFileSync(log, "utf8") : "";
      writeFileSync(log, "");
      return text.trim();
    },
  };
}

describe.skipIf(missing !== undefined)("publish.sh --config", () => {
  beforeAll(async () => {
    writeEdited(at("a"), 12, [1], [2, 5]);
    writeEdited(at("b"), 12, [3, 7], [2, 3]);
    await buildAt(at("a"), one, { host: nginx });
    await buildAt(at("b"), two, { host: nginx, previous: one, now: 1_700_000_060 });
    cpSync(path.dirname(two), path.dirname(broken), { recursive: true });
    appendFileSync(path.join(`${broken}.hosts`, "nginx", "edge-api.server.conf"), "no such directive;\n");
  });

  it("sends and checks what differs, names the reload, and removes what is stale when it is run again", async () => {
    const { target, config, publish, configured, asked } = newMachine();
    const first = await publish(one, "--config", config);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("The configuration has changed. To use it: echo reload >>");
    expect(configured()).toEqual(configurationOf(one));
    expect(asked()).toBe("check");
    expect((await publish(one, "--config", config)).stdout).toContain(
      "is up to date. Nothing was sent.\nThe configuration has",
    );
    expect(asked()).toBe("");
    const second = await publish(two, "--config", config);
    expect(second.stdout).toMatch(/[1-9]\d* stale files, which stay until you run this again after the reload\./);
    expect(filesOf(target)).toEqual({ ...publishedOf(one), ...publishedOf(two) });
    const third = await publish(two, "--config", config);
    expect(third.stdout).toMatch(/0 new, 0 changed, [1-9]\d* stale files\./);
    expect(filesOf(target)).toEqual(publishedOf(two));
    expect(configured()).toEqual(configurationOf(two));
    expect(asked()).toBe("check");
  });

  it("reloads the server where it is asked to, once, before it removes what is stale", async () => {
    const { target, config, publish, configured, asked } = newMachine();
    await publish(one, "--config", config);
    expect(asked()).toBe("check");
    const { code, stdout } = await publish(two, "--config", config, "--reload");
    expect(code).toBe(0);
    expect(stdout).toContain("Reloads the server");
    expect(filesOf(target)).toEqual(publishedOf(two));
    expect(asked()).toBe("check\ncheck\nreload");
    expect((await publish(two, "--config", config, "--reload")).stdout).toBe(
      `host:${target} is up to date. Nothing was sent.\n`,
    );
    expect(asked()).toBe("");
    expect((await publish(two, "--back", "--reload")).code).toBe(0);
    expect(configured()).toEqual(configurationOf(one));
    expect(filesOf(target)).toEqual(publishedOf(one));
    expect(asked()).toBe("check\nreload");
  });

  it("leaves the configuration as it is without the option, and in a dry run", async () => {
    const { config, publish, asked } = newMachine();
    await publish(one);
    expect((await publish(two, "--config", config, "--dry-run")).stdout).toContain(`The configuration in ${config}`);
    expect(existsSync(config)).toBe(false);
    expect(asked()).toBe("");
  });

  it.skipIf(program === undefined && !strict)("takes back a configuration that nginx refuses", async () => {
    const root = at("nginx");
    mkdirSync(root);
    const site = at("nginx", "site");
    const { config, target, publish, configured } = newMachine(`${program} -q -t -p '${root}' -c '${site}'`);
    writeFileSync(
      site,
      `pid nginx.pid; error_log stderr crit; events {} http { access_log off; include "${config}/edge-api.maps.conf"; server {
       listen "unix:${root}/socket"; root "${target}"; include "${config}/edge-api.server.conf"; } }`,
    );
    expect(await publish(one, "--config", config)).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await publish(broken, "--config", config);
    expect(code).toBe(1);
    expect(stderr).toContain("The server refuses the configuration, so the one before is back.");
    expect(configured()).toEqual(configurationOf(one));
    const before = publishedOf(one);
    expect(filesOf(target)).toMatchObject({ ...before, "api/v1/cursors.json": expect.any(String) });
    expect(await publish(two, "--config", config, "--reload")).toMatchObject({ code: 0, stderr: "" });
    expect(configured()).toEqual(configurationOf(two));
    expect(filesOf(target)).toEqual(publishedOf(two));
  });
});
