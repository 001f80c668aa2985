// npm runs this before packing. Plain JavaScript, because the published package.json has no development tools.
import { register } from "tsx/esm/api";
import { restoreManifest } from "./restore.mjs";

register();
restoreManifest();
const { writePackage } = await import("./write.ts");
await writePackage(process.cwd());
