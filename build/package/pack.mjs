// npm runs this before and after packing. Meanwhile, package.json is the published one, and the repository's is beside it; if
// npm is interrupted, the next `npm pack` or `npm run postpack` restores it. Plain JavaScript, because the published
// package.json has no development tools.
import { existsSync, renameSync } from "node:fs";

const backup = ".package.json.own";

if (existsSync(backup)) renameSync(backup, "package.json");
if (process.env.npm_lifecycle_event === "prepack") {
  const { register } = await import("tsx/esm/api");
  register();
  const { writePackage } = await import("./write.ts");
  await writePackage(process.cwd(), backup);
}
