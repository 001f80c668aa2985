// The hosts of api.yaml take the place of --host, for each command that has the option.
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { writeSample } from "../../../test/check/sample.ts";
import { run } from "../../../test/cli/run-command.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
const out = path.join(folder, "dist");

beforeAll(() => {
  writeSample(content, { count: 3, pageSizes: [100] });
  writeFileSync(path.join(content, "api.yaml"), "page_sizes: [100]\nhosts: [nginx, vercel]\n");
});

const has = (file: string) => existsSync(path.join(folder, file));

it("build takes them", async () => {
  expect(await run(["build", "--content", content, "--out", out])).toMatchObject({ status: 0, stderr: "" });
  expect([has("dist/_redirects"), has("dist.hosts/nginx"), has("dist.hosts/vercel")]).toEqual([false, true, true]);
  expect(await run(["build", "--content", content, "--out", out])).toMatchObject({
    stdout: expect.stringContaining("Nothing changed"),
  });
});

it("check and diff show what the API uses of their limits", async () => {
  writeFileSync(path.join(content, "api.yaml"), "hosts: [cloudflare-pages]\n");
  const limits = /^(?: *|Of .* of )(cloudflare-[a-z]+)(?:: files|, at most)/m;
  const shown = async (...args: readonly string[]) => limits.exec((await run(args)).stdout)?.[1];
  expect(await shown("check", "--content", content)).toBe("cloudflare-pages");
  expect(await shown("check", "--content", content, "--host", "cloudflare-workers")).toBe("cloudflare-workers");
  const before = path.join(folder, "before");
  writeSample(before, { count: 5, pageSizes: [100] });
  expect(await shown("diff", "--content", content, "--against", before)).toBe("cloudflare-pages");
});

it("a name that no host has is a fault with its place", async () => {
  writeFileSync(path.join(content, "api.yaml"), "hosts: [ngnix]\n");
  const { status, stderr } = await run(["build", "--content", content, "--out", out]);
  expect(status).toBe(1);
  expect(stderr).toContain("api.yaml:1:9 wrong-value hosts[0] must be one of apache");
  expect(stderr).toContain('Did you mean "nginx"?');
});

const conflict = "netlify generates _redirects, which cloudflare-pages reads too.";

it("two that cannot publish the same folder are a fault with its place", async () => {
  writeFileSync(path.join(content, "api.yaml"), "hosts: [netlify, cloudflare-pages]\n");
  const { status, stderr } = await run(["check", "--content", content]);
  expect(status).toBe(1);
  expect(stderr).toContain(`api.yaml:1:8 hosts-conflict ${conflict} Keep one of them here`);
});

it("two of the command line that cannot are an error of usage", async () => {
  const { status, stderr } = await run(["build", "--content", content, "--host", "netlify", "cloudflare-pages"]);
  expect(status).toBe(2);
  expect(stderr).toContain(`${conflict} Name one of them at a time`);
});

it("faults that do not depend on one another are reported in one run", async () => {
  const wrong = path.join(folder, "wrong");
  writeSample(wrong, { count: 3, pageSizes: [100] });
  writeFileSync(path.join(wrong, "api.yaml"), "hosts: [netlify, cloudflare-pages]\nmount: /data\n");
  writeFileSync(path.join(wrong, "images.json"), "[{}]");
  const { stderr } = await run(["check", "--content", wrong]);
  expect(codesIn(stderr)).toEqual(["hosts-conflict", "mount-with-rules", "missing-field"]);
});

it("the usual host stands for no host of faulty settings", async () => {
  writeFileSync(path.join(content, "api.yaml"), "hosts: [plane]\nmount: /data\n");
  const { stderr } = await run(["check", "--content", content]);
  expect(codesIn(stderr)).toEqual(["wrong-value"]);
});

/** Each once, in the order of the report. */
const codesIn = (report: string): readonly string[] => [
  ...new Set([...report.matchAll(/^\S+:\d+:\d+ ([a-z-]+) /gm)].flatMap(([, code]) => code ?? [])),
];
