// What npm runs before it packs, as plain JavaScript for a package.json without the repository's tools.
import { register } from "tsx/esm/api";
import { restoreManifest } from "./restore.mjs";

register();
restoreManifest();
const { writePackage } = await import("./write.ts");
await writePackage(process.cwd());
