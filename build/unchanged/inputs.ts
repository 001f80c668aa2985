import { createHash } from "node:crypto";
import type { Discovery } from "../content/discover.ts";

/** A hash of all that the reading of a content folder depends on. */
export function inputsOf({ files, obstacles }: Discovery): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([files.map(({ file, bytes }) => [file, bytes.length]), obstacles]));
  for (const { bytes } of files) hash.update(bytes);
  return hash.digest("hex");
}
