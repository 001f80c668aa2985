// The documents that publish a state. A state that is too large for one file of a host is split: `cursors.json` names
// `cursors-2.json` and further files, each of which holds a part of the JSON as a string.
import type { Deployment } from "../content/catalog.ts";
import { type Document, jsonType } from "../files/document.ts";
import { encode, generator, totalLength } from "../files/file.ts";
import { sha256 } from "../files/sha256.ts";
import { apiFolder, cursorsFile } from "../routing/paths.ts";
import { stateForm } from "./state.ts";

/** `state` is only called for the bytes, unless files have a limit. */
export function stateDocuments(
  state: () => readonly Uint8Array[],
  base: string,
  deployment: Deployment,
  maxBytes: number,
): readonly Document[] {
  const isWhole = maxBytes === Number.POSITIVE_INFINITY || totalLength(state()) <= maxBytes;
  if (isWhole) return [documentOf(base, 1, state)];
  const whole = Buffer.concat(state());
  const text = whole.toString();
  // A UTF-16 unit takes at most three bytes in UTF-8. Half a surrogate pair at either end takes six. The quotes take two.
  const size = Math.floor((maxBytes - 2 * 3 - 2) / 3);
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const files = parts.map((_, index) => cursorsFile(base, index + 2).slice(apiFolder(base).length + 1));
  const head = { generator, form: stateForm, deployment: deployment.name, digest: sha256(whole), files };
  return [head, ...parts].map((part, index) => documentOf(base, index + 1, () => [encode(JSON.stringify(part))]));
}

const documentOf = (base: string, part: number, parts: () => readonly Uint8Array[]): Document => ({
  path: `/${cursorsFile(base, part)}`,
  file: cursorsFile(base, part),
  contentType: jsonType,
  cacheControl: "no-store",
  get length() {
    return totalLength(parts());
  },
  parts,
});
