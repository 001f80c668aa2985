// Follows company.md in an empty folder, in which the root of the container is a folder, too.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProgram } from "../build/cli/preview/program.ts";
import { textFile } from "../build/files/file.ts";
import type { HostProgram } from "../build/hosts/host.ts";
import { run } from "../test/cli/run-command.ts";
import { runCommands, writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const blocks = blocksOf(readPage("docs/company.md"));
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-company-"));
const cwd = process.cwd();

beforeAll(async () => {
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  process.chdir(folder);
  process.env["GITHUB_SHA"] = "84ab07";
  for (const block of blocks) {
    if (block.language === "sh" && block.mark === undefined) await runCommands(block.text);
    else writeBlock(block);
  }
});

afterAll(() => {
  delete process.env["GITHUB_SHA"];
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

/** By file, the bytes of the build. */
const filesIn = (dist: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, "base64")]),
  );

it("changes nothing else with the commit and the time of a build", async () => {
  const before = filesIn("dist");
  process.env["GITHUB_SHA"] = "1f0c9a";
  expect(await run(["build", "--host", "nginx"])).toMatchObject({ status: 0 });
  const after = filesIn("dist");
  const changed = [...after].filter(([file, bytes]) => before.get(file) !== bytes).map(([file]) => file);
  expect(changed).toEqual(["dist/api/v1/build.json"]);
  expect(after.size).toBe(before.size);
  expect(JSON.parse(readFileSync("dist/api/v1/build.json", "utf8"))).toEqual({
    commit: "1f0c9a",
    built_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

it("serves the pages of the image with its configuration", async () => {
  const inImage = (file: string) => readFileSync(file, "utf8").replaceAll(" /srv/", ` ${folder}/srv/`);
  mkdirSync("srv");
  const [publish = ""] = inImage("Dockerfile").match(/npm run publish .*/) ?? [];
  await runCommands(publish);
  const start = "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr crit;\n";
  const nginx: HostProgram = {
    command: "nginx",
    install: "sudo apt install nginx",
    run: ({ port, folder: at }) => ({
      files: [textFile("nginx.conf", start + inImage("nginx.conf").replace("8080", `127.0.0.1:${port}`))],
      args: ["-p", at, "-c", "nginx.conf"],
    }),
  };
  const site = { base: "/api/v1", publishRoot: "dist", configuration: ".", port: 0 };
  const { origin, stop } = await startProgram(nginx, site);
  try {
    expect(await run(["verify", origin, "--host", "nginx"])).toMatchObject({ status: 0 });
  } finally {
    await stop();
  }
});
