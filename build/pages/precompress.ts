// Compresses pages ahead of time, so that a web server does not have to do it for each request.
//
// The same bytes everywhere: fixed settings, no time and no system in the header. Another version of zlib or Brotli,
// as another Node has it, may find other bytes for the same page, and zlib may on another kind of processor; they
// decompress to the same. A page therefore counts as unchanged by its own bytes, and its sidecars by theirs.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fileOf, type OutputFile } from "../file.ts";
import { isPageFile } from "../routing/owned.ts";
import { type Encoding, encodings, suffixes } from "../routing/sidecar.ts";

/** Each file, followed by its sidecars in these encodings. Errors have none: they are small and stay so. */
export const withSidecars = (files: Iterable<OutputFile>, wanted: readonly Encoding[]): Iterable<OutputFile> =>
  wanted.length === 0 ? files : compressed(files, wanted);

function* compressed(files: Iterable<OutputFile>, wanted: readonly Encoding[]): Generator<OutputFile> {
  for (const file of files) {
    yield file;
    if (isPageFile(file.entry.file)) yield* compressedCopies(file, wanted);
  }
}

/** A sidecar saves at least a tenth: less is not worth another file and a client's time. */
const worthIt = 0.9;

/**
 * Each is shorter than the next one in the order of preference. No two files of a page have the same length, because
 * nginx and Caddy make their ETags of length and time.
 */
function compressedCopies(own: OutputFile, wanted: readonly Encoding[]): readonly OutputFile[] {
  const { file } = own.entry;
  const page = Buffer.concat(own.parts());
  let most = Math.floor(page.length * worthIt);
  const sidecars: OutputFile[] = [];
  for (const encoding of encodings.toReversed()) {
    if (!wanted.includes(encoding)) continue;
    const bytes = compress[encoding](page);
    if (bytes.length > most) continue;
    sidecars.push(fileOf(file + suffixes[encoding], [bytes]));
    most = bytes.length - 1;
  }
  return sidecars;
}

/** The place of the header that names the system (RFC 1952, section 2.3.1), and the value for an unknown one. */
const system = { at: 9, unknown: 255 };

const compress: Readonly<Record<Encoding, (page: Uint8Array) => Uint8Array>> = {
  gzip(page) {
    const bytes = gzipSync(page, { level: constants.Z_BEST_COMPRESSION });
    bytes[system.at] = system.unknown;
    return bytes;
  },
  // Quality 11 takes some forty times as long and saves another 6 to 8 %, of pages that fit a few packets either way;
  // 9 takes some twenty times as long and saves nothing.
  br: (page) => brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};
