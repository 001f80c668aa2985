// Compresses pages ahead of time, so that a web server does not have to do it for each request.
//
// The settings are fixed and the header names no time and no system, so that the bytes are reproducible. The zlib or
// Brotli of another version of Node may compress the same page to other bytes, and so may zlib on another kind of
// processor. Pages and sidecars are therefore each compared by their bytes.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { eachFile, type OutputFile, outputFile, type PlannedFiles } from "../file.ts";
import { pageFiles } from "../routing/owned.ts";
import { type Encoding, encodings, suffixes } from "../routing/paths.ts";

/** Each file, followed by its sidecars in these encodings. Errors have none because they are small. */
export const withSidecars = (base: string, files: PlannedFiles, wanted: readonly Encoding[]): PlannedFiles =>
  wanted.length === 0 ? files : compressed(base, eachFile(files), wanted);

function* compressed(base: string, files: Iterable<OutputFile>, wanted: readonly Encoding[]): Generator<OutputFile> {
  const isPageFile = pageFiles(base);
  for (const file of files) {
    yield file;
    if (isPageFile(file.entry.file)) yield* compressedCopies(file, wanted);
  }
}

/** A sidecar saves at least a tenth. A smaller gain is not worth another file and a client's time. */
const worthIt = 0.9;

/**
 * Each copy is shorter than the next one in the order of preference. No two files of a page have the same length,
 * because nginx and Caddy derive ETags from length and time.
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
    sidecars.push(outputFile(file + suffixes[encoding], [bytes]));
    most = bytes.length - 1;
  }
  return sidecars;
}

/** The offset of the byte that names the system (RFC 1952, section 2.3.1), and the value for an unknown system. */
const system = { at: 9, unknown: 255 };

const compress: Readonly<Record<Encoding, (page: Uint8Array) => Uint8Array>> = {
  gzip(page) {
    const bytes = gzipSync(page, { level: constants.Z_BEST_COMPRESSION });
    bytes[system.at] = system.unknown;
    return bytes;
  },
  // Quality 11 takes some forty times as long and saves another 6 to 8 % of pages that fit a few packets anyway;
  // quality 9 takes some twenty times as long and saves nothing.
  br: (page) => brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};
