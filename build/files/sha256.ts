import { createHash } from "node:crypto";

/** In hexadecimal, of the parts one after the other. */
export const sha256 = (...parts: readonly (string | Uint8Array)[]): string => sha256Of(parts);

/** In hexadecimal, of parts that are not in memory together. */
export function sha256Of(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
