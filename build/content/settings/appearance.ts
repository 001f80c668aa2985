// The logo and the accent of the pages: the checks that no form expresses.

import { wrong } from "../../explain/words.ts";
import { type Log, wholeFile } from "../../messages.ts";
import { didYouMean } from "../../text/slips.ts";
import type { Logo } from "../catalog.ts";
import type { Folder } from "../find/read.ts";
import type { PlaceIn } from "../validate.ts";
import type { SettingsContent } from "./settings-form.ts";

/** The logo that api.yaml names. A logo without a name is a fault, so that nobody looks for it on the pages in vain. */
export function readLogo(chosen: SettingsContent["logo"], at: PlaceIn, { files }: Folder, log: Log): Logo | undefined {
  const logos = files.filter(({ role }) => role.kind === "logo");
  const named = logos.find(({ file }) => file === chosen);
  if (chosen !== undefined && named === undefined) {
    const text = `There is no file ${chosen} in the content folder.`;
    const hint = didYouMean(logos[0]?.file) ?? "Add it, or leave out logo.";
    log.report({ code: "no-such-file", at: at(["logo"]), text, hint });
    return undefined;
  }
  const bytes = named?.read() ?? new Uint8Array();
  const expected = chosen === undefined || named === undefined ? undefined : refusal(chosen, bytes);
  if (expected !== undefined) {
    log.report(wrong("wrong-value", at(["logo"]), { name: "logo", expected, value: chosen }));
    return undefined;
  }
  for (const other of logos) {
    if (other === named) continue;
    const hint = `Add "logo: ${other.file}" to api.yaml, or remove the file.`;
    log.report({ code: "unknown-file", at: wholeFile(other.file), text: "api.yaml does not name this logo.", hint });
  }
  return chosen === undefined || named === undefined ? undefined : { file: chosen, bytes };
}

const pngStart = "\x89PNG\r\n\x1a\n";

/** The expected kind of image; undefined if the file is one. */
function refusal(file: Logo["file"], bytes: Uint8Array): string | undefined {
  if (file === "logo.png")
    return Buffer.from(bytes).toString("latin1", 0, pngStart.length) === pngStart ? undefined : "must name a PNG image";
  return isPlainSvg(new TextDecoder().decode(bytes))
    ? undefined
    : "must name a plain SVG image, without scripts, animations and addresses of other files";
}

/** The elements of an image, without links, animations and anything else that could run a script. */
const elements = new Set([
  "svg",
  "g",
  "defs",
  "symbol",
  "use",
  "title",
  "desc",
  "metadata",
  "clipPath",
  "mask",
  "pattern",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "linearGradient",
  "radialGradient",
  "stop",
  "filter",
  "feGaussianBlur",
  "feOffset",
  "feMerge",
  "feMergeNode",
]);

/**
 * Content may come from anyone, and if somebody opens the address of an SVG image itself, browsers run its scripts and
 * load other files.
 */
function isPlainSvg(text: string): boolean {
  const body = text.replace(/^\s*<\?xml version="1\.\d"(?: encoding="utf-8")?(?: standalone="\w+")?\s*\?>/i, "");
  const plain = body.replaceAll(/<!--.*?-->/gs, "");
  const names = [...plain.matchAll(/<\/?([^\s/>]*)/g)].map(([, name = ""]) => name);
  // Character references and escapes of CSS could hide addresses from the next pattern.
  const hides = /&#|\\/.test(plain);
  const refers = /href\s*=\s*["']?\s*[^"'\s#]|url\(\s*["']?\s*[^"'\s#]|@import|\son\w+\s*=/i.test(plain);
  return !hides && names[0] === "svg" && names.every((name) => elements.has(name)) && !refers;
}
