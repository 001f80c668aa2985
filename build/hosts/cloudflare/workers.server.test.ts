import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { isFileOf } from "../../../test/check/conform.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { caddy } from "../caddy/index.ts";
import { vercel } from "../vercel/index.ts";
import { cloudflareWorkers } from "./index.ts";

describe(".assetsignore", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-workers-"));
  const dist = path.join(folder, "dist");
  let built: Built;

  beforeAll(async () => {
    writeSample(path.join(folder, "content"), { count: 7, pageSizes: [5] });
    built = await buildForTest(path.join(folder, "content"), dist, [cloudflareWorkers, vercel, caddy]);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it("uploads answers, and nothing else", () => {
    const git = (...args: string[]) => execFileSync("git", ["-C", dist, ...args], { encoding: "utf8" });
    const present = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(isFileOf(dist));
    git("init", "--quiet");
    const uploaded = git("ls-files", "--others", "--exclude-from=.assetsignore").trimEnd().split("\n");
    const documents = built.plan.documents.map(({ file }) => file);
    expect(uploaded.sort()).toEqual(
      present.filter((file) => file.startsWith("api/") || documents.includes(file)).sort(),
    );
    expect(documents.filter((file) => !uploaded.includes(file))).toEqual([]);
    expect(present).toEqual(expect.arrayContaining(["routing.json", "vercel.json", "404.html"]));
  });

  it("needs no further lines for a table without documents elsewhere", () => {
    const [only] = cloudflareWorkers.files?.([{ ...built.plan.table, documents: [] }]) ?? [];
    expect(Buffer.concat([...(only?.parts() ?? [])]).toString()).toBe("# The API at /api/v1.\n/*\n!/api/\n");
    expect(readFileSync(path.join(dist, ".assetsignore"), "utf8")).toContain("!/index.html\n");
  });
});
