// Digests of items and documents. A build compares them with those of the build before it to find what has changed.
import { hash } from "node:crypto";

/** The bytes of a digest. */
export const digestLength = 8;

/** The first bytes of the SHA-256 of the bytes between the offsets, one after the other. */
export function digestsIn(bytes: Uint8Array, offsets: ArrayLike<number>): Buffer {
  const digests = Buffer.alloc(digestLength * (offsets.length - 1));
  for (let index = 0; index < offsets.length - 1; index++) {
    // A text is made three times as quickly as a Buffer.
    const digest = hash("sha256", bytes.subarray(offsets[index], offsets[index + 1]), "binary");
    digests.write(digest, digestLength * index, digestLength, "binary");
  }
  return digests;
}
