import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { lay, mount, temporaryFolder } from "../../test/output/folder.ts";
import { refuseOverlap } from "./location.ts";

function begin(): string {
  const parent = temporaryFolder();
  lay(parent, { "content/nodes/": "", "real/content/": "", "real/dist/": "", "dist.hosts/content/": "" });
  symlinkSync("content", path.join(parent, "link"));
  symlinkSync("content/nodes", path.join(parent, "inner"));
  symlinkSync("real", path.join(parent, "other"));
  return parent;
}

const judge = (parent: string, content: string, out: string): string => {
  try {
    refuseOverlap(path.join(parent, content), path.join(parent, out));
    return "";
  } catch (error) {
    return String(error).replaceAll(`${parent}/`, "").replaceAll(parent, "all");
  }
};

it.each([
  ["content", "content", "content is inside content"],
  ["content", "content/dist", "content/dist is inside content"],
  ["content", "link/new/dist", "link/new/dist is inside content"],
  ["link", "content/dist", "content/dist is inside link"],
  ["content", "inner", "inner is inside content"],
  ["inner", "content", "inner is inside content"],
  ["real/content", "other", "real/content is inside other"],
  ["dist.hosts/content", "dist", "dist.hosts/content is inside dist.hosts"],
  ["content", "", "content is inside all"],
])("content in %j and output in %j is refused", (content, out, message) => {
  expect(judge(begin(), content, out)).toContain(message);
});

it("output in the root of the file system is refused", () => {
  expect(() => refuseOverlap("content", "/")).toThrow("content is inside /.");
});

it.each([
  ["content", "dist"],
  ["content", "content-dist"],
  ["link", "new/link-dist"],
  ["real/content", "other/dist"],
  ["missing", "dist"],
])("content in %j and output in %j is not", (content, out) => {
  expect(judge(begin(), content, out)).toBe("");
});

it("a folder that is mounted elsewhere is recognised", ({ skip }) => {
  const parent = begin();
  mkdirSync(path.join(parent, "mounted"));
  mount(skip, path.join(parent, "mounted"), "--bind", path.join(parent, "content"));
  expect(existsSync(path.join(parent, "mounted/nodes"))).toBe(true);
  expect(judge(parent, "content", "mounted/dist")).toContain("mounted/dist is inside content");
  expect(judge(parent, "mounted/nodes", "content")).toContain("mounted/nodes is inside content");
});
