// While npm packs, package.json is the published one, and the repository's is beside it. If npm is interrupted, the
// next `npm pack` or `npm run postpack` restores it.
import { existsSync, renameSync } from "node:fs";

export const manifestFile = "package.json";
export const ownManifestFile = ".package.json.own";

export function restoreManifest() {
  if (existsSync(ownManifestFile)) renameSync(ownManifestFile, manifestFile);
}
