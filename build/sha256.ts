import { createHash } from "node:crypto";

/** In hexadecimal, of the parts one after the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
