import path from "node:path";
import { expect, it } from "vitest";
import { cacheFolderOf } from "./checkout.ts";

const folder = (text: string) => path.join(path.sep, ...text.split("/"));

it.each([
  ["a checkout", "home/me/stillapi", "home/me/stillapi"],
  ["a package that npm installed", "home/me/my-api/node_modules/stillapi", "home/me/my-api"],
  ["a package that pnpm installed", "my-api/node_modules/.pnpm/stillapi@1.0.0/node_modules/stillapi", "my-api"],
])("keeps the cache of %s in the project's own node_modules", (_, root, project) => {
  expect(cacheFolderOf(folder(root))).toBe(path.join(folder(project), "node_modules", ".cache", "stillapi"));
});
