import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildForTest } from "../../../test/check/built.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { run } from "../../../test/cli/run-command.ts";
import { serve } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { hosts } from "../../hosts/hosts.ts";
import { findProgram } from "../preview/program.ts";

const folder = temporaryFolder();
const dist = path.join(folder, "dist");
const nginx = hosts.get("nginx");

beforeAll(async () => {
  writeSample(path.join(folder, "content"), { count: 3, pageSizes: [5] });
  await buildForTest(path.join(folder, "content"), dist, nginx === undefined ? [] : [nginx]);
});

const isInstalled = nginx?.program !== undefined && findProgram(nginx.program) !== undefined;

const takePort = async () => new URL(await serve(() => undefined)).port;

it.each([[[]], ...(isInstalled ? [[["--host", "nginx"]]] : [])])("names a port that is in use: %j", async (more) => {
  const port = await takePort();
  expect(await run(["preview", "--out", dist, "--port", `${port}`, ...more])).toEqual({
    status: 2,
    stdout: "",
    stderr: `✗ Port ${port} is in use. Stop the program that listens there, or choose another port with --port.\n`,
  });
});

it.each([
  [["--out", "nowhere"], "✗ nowhere contains no build. Run the build first, or name another folder with --out.\n"],
  [
    ["--out", "nowhere", "--host", "nginx"],
    "✗ nowhere contains no build. Run the build first, or name another folder with --out.\n",
  ],
  [
    ["--out", dist, "--host", "caddy"],
    `✗ There is no ${dist}.hosts/caddy. First run: npm run build -- --host caddy --out ${dist}\n`,
  ],
])("reports the folder and the configuration before the port: %j", async (args, stderr) => {
  expect(await run(["preview", "--port", `${await takePort()}`, ...args])).toEqual({ status: 2, stdout: "", stderr });
});
