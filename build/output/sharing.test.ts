// An out folder that a site shares: the files outside of the base that a build replaces, refuses to replace, and keeps.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { contentsOf, lay, temporaryFolder } from "../../test/output/folder.ts";
import { built } from "../../test/plan.ts";
import { adapters } from "../hosts/hosts.ts";

/** A content folder and an out folder with its first build. */
async function begin(settings = "page_sizes: [2, 5]\n") {
  const parent = temporaryFolder();
  const content = path.join(parent, "content");
  const out = path.join(parent, "dist");
  writeSample(content, { count: 6, pageSizes: [2, 5] });
  const configure = (text: string) => writeFileSync(path.join(content, "api.yaml"), text);
  configure(settings);
  const again = async (...hosts: readonly string[]): Promise<void> => {
    await built({ api: edgeNetwork, content, out, hosts: adapters(hosts) });
  };
  await again("netlify");
  return { parent, out, configure, again };
}

it("a site's files stay, whatever the build's hosts and front page are", async () => {
  const { out, configure, again } = await begin();
  const first = contentsOf(out);
  lay(out, { "about.html": "theirs", "api/notes.txt": "theirs", ".well-known/security.txt": "theirs" });
  const theirs = contentsOf(out);
  await again("cloudflare-pages");
  expect(Object.keys(contentsOf(out))).toEqual(expect.arrayContaining(["_worker.js", "about.html"]));
  expect(Object.keys(contentsOf(out))).not.toContain("_redirects");
  configure("page_sizes: [2, 5]\nfront_page: false\n");
  await again("netlify");
  expect(Object.keys(contentsOf(out)).filter((name) => name === "index.html" || /^\.well-known/.test(name))).toEqual([
    ".well-known/",
    ".well-known/security.txt",
  ]);
  configure("page_sizes: [2, 5]\n");
  await again("netlify");
  expect(contentsOf(out)).toEqual(theirs);
  rmSync(path.join(out, "about.html"));
  rmSync(path.join(out, "api/notes.txt"));
  rmSync(path.join(out, ".well-known"), { recursive: true });
  expect(contentsOf(out)).toEqual(first);
});

it.each(["../notes.txt", "/etc/hosts", "api/../../notes.txt"])(
  "a marker that lists %s is not the program's",
  async (entry) => {
    const { parent, out, again } = await begin();
    lay(parent, { "notes.txt": "theirs" });
    const marker = JSON.parse(readFileSync(path.join(out, "routing.json"), "utf8"));
    lay(out, { "routing.json": JSON.stringify({ ...marker, owns: [...marker.owns, entry] }) });
    await expect(again("netlify")).rejects.toThrow("holds files that stillapi did not write");
    expect(readFileSync(path.join(parent, "notes.txt"), "utf8")).toBe("theirs");
  },
);
