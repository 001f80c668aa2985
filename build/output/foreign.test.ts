// Files, links and folders at the places of the program's files, and which of them a build repairs, keeps or refuses.
import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { contentsOf, lay, temporaryFolder } from "../../test/output/folder.ts";
import { build } from "../build.ts";
import type { Built } from "../build-plan.ts";
import { adapters } from "../hosts/hosts.ts";

const quiet = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };

/** A content folder and an out folder with its first build. */
async function begin(settings = "page_sizes: [2, 5]\n") {
  const parent = temporaryFolder();
  const [content, out, cache] = [path.join(parent, "content"), path.join(parent, "dist"), path.join(parent, "cache")];
  writeSample(content, { count: 6, pageSizes: [2, 5] });
  const configure = (text: string) => writeFileSync(path.join(content, "api.yaml"), text);
  configure(settings);
  const again = async (clean = false, hosts: readonly string[] = ["netlify"]): Promise<Built> => {
    const options = { api: edgeNetwork, content, out, cache, clean, deployment: undefined, hosts: adapters(hosts) };
    const [built, faults] = await build(options, quiet);
    expect(faults).toEqual([]);
    if (built === undefined) throw new Error("Nothing was built.");
    return built;
  };
  await again();
  return { parent, out, configure, again };
}

describe.each(["index.html", ".well-known/api-catalog", "api/v1/cursors.json", "api/v1/openapi.json"])("%s", (file) => {
  it.each<[string, (full: string) => void]>([
    ["that is empty", (full) => truncateSync(full)],
    ["that is cut off", (full) => truncateSync(full, 10)],
    ["with other bytes", (full) => writeFileSync(full, "damaged")],
  ])("%s is repaired, with an index, without one and with --clean", async (_, damage) => {
    const { parent, out, again } = await begin();
    const right = contentsOf(out);
    for (const [clean, cached] of [
      [false, true],
      [false, false],
      [true, true],
    ] as const) {
      damage(path.join(out, file));
      if (!cached) rmSync(path.join(parent, "cache"), { recursive: true });
      const { plan, foreign } = await again(clean);
      expect({ warnings: plan.warnings, foreign }).toEqual({ warnings: [], foreign: [] });
      expect(contentsOf(out)).toEqual(right);
    }
  });
});

it("an empty file that no build wrote is replaced by a document", async () => {
  const { out, configure, again } = await begin("page_sizes: [2, 5]\nfront_page: false\n");
  lay(out, { "index.html": "", ".well-known/api-catalog": "somebody else's" });
  configure("page_sizes: [2, 5]\n");
  const { plan, foreign } = await again();
  expect(foreign).toEqual([".well-known/api-catalog"]);
  expect(plan.warnings).toEqual([expect.stringContaining(".well-known/api-catalog")]);
  expect(lstatSync(path.join(out, "index.html")).size).toBeGreaterThan(100);
});

describe("nothing is written or removed through a link:", () => {
  it.each<[string, string, string]>([
    ["a link in the place of a folder of a document", ".well-known", ".well-known/api-catalog"],
    ["a link in the place of a document", "index.html", "index.html"],
  ])("%s is kept with a warning", async (_, entry, file) => {
    const { parent, out, configure, again } = await begin();
    renameSync(path.join(out, entry), path.join(parent, "outside"));
    symlinkSync("../outside", path.join(out, entry));
    const [outside, names] = [contentsOf(parent), Object.keys(contentsOf(out))];
    const isOutside = ([name]: readonly [string, string]) => name.startsWith("outside");
    for (const settings of ["title: Other", "title: Another", "front_page: false", "title: Last"]) {
      configure(`page_sizes: [2, 5]\n${settings}\n`);
      const { plan, foreign } = await again();
      if (!settings.startsWith("front")) {
        expect(plan.warnings).toEqual([expect.stringContaining(file)]);
        expect(foreign).toContain(entry);
      }
      expect(Object.entries(contentsOf(parent)).filter(isOutside)).toEqual(Object.entries(outside).filter(isOutside));
      expect(lstatSync(path.join(out, entry)).isSymbolicLink()).toBe(true);
    }
    expect(Object.keys(contentsOf(out))).toEqual(names);
  });

  it.each<[string, string, readonly string[]]>([
    ["a page", "api/v1/nodes.json", ["netlify"]],
    ["a folder of pages", "api/v1/nodes", ["netlify"]],
    ["the folder of the API", "api", ["netlify"]],
    ["a file of a host", "_headers", ["netlify"]],
    ["a folder of the files beside", "../dist.hosts/nginx", ["nginx"]],
  ])("a link in the place of %s is refused before anything is written", async (_, entry, hosts) => {
    const { parent, out, configure, again } = await begin();
    await again(false, hosts);
    const full = path.join(out, entry);
    renameSync(full, path.join(parent, "outside"));
    symlinkSync(path.join(parent, "outside"), full);
    const before = contentsOf(parent);
    configure("page_sizes: [1, 3]\ntitle: Other\n");
    await expect(again(false, hosts)).rejects.toThrow(
      / is a link or a special file, and builds write only plain files/,
    );
    const after = Object.entries(contentsOf(parent)).filter(([name]) => !name.startsWith("content/"));
    expect(after).toEqual(Object.entries(before).filter(([name]) => !name.startsWith("content/")));
  });

  it("a link to a folder of somebody else's files stays, and so do the files", async () => {
    const { parent, out, again } = await begin();
    lay(parent, { "outside/api/v1/nodes.json": "1" });
    symlinkSync("../outside", path.join(out, "files"));
    mkdirSync(path.join(out, "empty"));
    expect((await again()).foreign).toEqual(["files"]);
    expect(contentsOf(path.join(parent, "outside"))).toMatchObject({ "api/v1/nodes.json": "1" });
  });
});

it("a clock that stands does not hide a change of hosts and back", async () => {
  const { out, again } = await begin();
  const right = contentsOf(out);
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now);
  try {
    await again(false, ["cloudflare-pages"]);
    expect(Object.keys(contentsOf(out))).toContain("_worker.js");
    await again();
    expect(contentsOf(out)).toEqual(right);
  } finally {
    clock.mockRestore();
  }
});
