import type { FoundFile } from "./discover.ts";
import { fault, type WithFaults } from "./fault.ts";
import { formatOf } from "./formats/formats.ts";
import type { Source } from "./source.ts";

/** The text of a file whose name asks for a format; undefined where the bytes are not UTF-8. A byte order mark is left out. */
export function decode({ file, bytes }: FoundFile): WithFaults<Source | undefined> {
  const text = new TextDecoder().decode(bytes);
  const source: Source = { file, format: formatOf(file) ?? "yaml", text };
  const start = firstReplaced(text, bytes);
  if (start === undefined) return [source, []];
  return [undefined, [fault("invalid-utf8", source, { start, end: start + 1 }, () => ({}))]];
}

const replacement = "\u{fffd}";

/** The index of the first character that stands for bytes which are not UTF-8. */
function firstReplaced(text: string, bytes: Uint8Array): number | undefined {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let offset = mark;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, at + 1)) {
    offset += Buffer.byteLength(text.slice(from, at));
    const written = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (!written) return at;
    from = at;
  }
  return undefined;
}
