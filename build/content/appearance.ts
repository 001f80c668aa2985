// The logo and the accent of the pages: their forms in api.yaml, and the checks that no form expresses.
import * as z from "zod";
import { type Accent, isReadable, leastContrast, readable, type Scheme, schemes } from "../colour.ts";
import { didYouMean } from "../text/slips.ts";
import type { Logo } from "./catalog.ts";
import { logoFiles } from "./classify.ts";
import { type Fault, fault, type WithFaults, wholeFile } from "./fault.ts";
import type { Folder } from "./read.ts";
import type { PlaceIn } from "./validate.ts";
import { wrongValue } from "./wrong.ts";

const colourDescription = 'a colour in quotes, such as "#0a5bc2"';

const colour = z
  .string(colourDescription)
  .regex(/^#[0-9a-f]{6}$/i, colourDescription)
  .describe(colourDescription);

const pairDescription = `${colourDescription}, or one for each of light and dark`;

export const accentForm = z.union(
  [colour, z.strictObject({ light: colour, dark: colour }, pairDescription)],
  pairDescription,
);

export const logoForm = z.enum(logoFiles, `one of ${logoFiles.join(", ")}`).describe(`one of ${logoFiles.join(", ")}`);

/** The accent for both schemes. From a single colour, that for dark pages is derived. */
export function readAccent(
  chosen: z.infer<typeof accentForm> | undefined,
  at: PlaceIn,
): WithFaults<Accent | undefined> {
  if (chosen === undefined) return [undefined, []];
  const isSingle = typeof chosen === "string";
  const accent = isSingle ? { light: chosen, dark: readable(chosen, "dark") } : chosen;
  const faults = schemes.flatMap((scheme) => {
    if (isReadable(accent[scheme], scheme)) return [];
    return [pale(at, isSingle ? ["accent"] : ["accent", scheme], accent[scheme], scheme)];
  });
  return [accent, faults];
}

function pale(at: PlaceIn, field: readonly string[], value: string, scheme: Scheme): Fault {
  const expected = `a colour with a contrast of ${leastContrast}:1 on ${scheme} pages`;
  const expectation = { name: field.join("."), expected, value, accepts: () => false };
  return fault("wrong-value", at(field), wrongValue(expectation, readable(value, scheme)));
}

const images: Readonly<Record<(typeof logoFiles)[number], string>> = {
  "logo.png": "must name a PNG image",
  "logo.svg": "must name a plain SVG image, without scripts, animations and addresses of other files",
};

/** The logo that api.yaml names. A logo without a name is a fault, so that nobody looks for it on the pages in vain. */
export function readLogo(
  chosen: keyof typeof images | undefined,
  at: PlaceIn,
  { files }: Folder,
): WithFaults<Logo | undefined> {
  const logos = files.filter(({ role }) => role.kind === "logo");
  if (chosen === undefined) return [undefined, logos.map(({ file }) => unnamed(file))];
  const named = logos.find(({ file }) => file === chosen);
  if (named === undefined) {
    const message = `There is no file ${chosen} in the content folder.`;
    const hint = didYouMean(logos[0]?.file) ?? "Add it, or leave out logo.";
    return [undefined, [fault("no-such-file", at(["logo"]), message, hint)]];
  }
  if (!isImage(chosen, named.bytes)) {
    const expectation = { name: "logo", expected: images[chosen], value: chosen, accepts: () => false };
    return [undefined, [fault("wrong-value", at(["logo"]), wrongValue(expectation))]];
  }
  const others = logos.filter((each) => each !== named);
  return [{ file: chosen, bytes: named.bytes }, others.map(({ file }) => unnamed(file))];
}

const unnamed = (file: string): Fault =>
  fault(
    "unknown-file",
    wholeFile(file),
    "api.yaml does not name this logo.",
    `Add "logo: ${file}" to api.yaml, or remove the file.`,
  );

const pngStart = "\x89PNG\r\n\x1a\n";

function isImage(file: (typeof logoFiles)[number], bytes: Uint8Array): boolean {
  if (file === "logo.svg") return isPlainSvg(new TextDecoder().decode(bytes));
  return Buffer.from(bytes).toString("latin1", 0, pngStart.length) === pngStart;
}

/** The elements of an image, without links, animations and anything else that could run a script. */
const elements = new Set([
  ...["svg", "g", "defs", "symbol", "use", "title", "desc", "metadata", "clipPath", "mask", "pattern"],
  ...["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"],
  ...["linearGradient", "radialGradient", "stop", "filter", "feGaussianBlur", "feOffset", "feMerge", "feMergeNode"],
]);

/**
 * Content may come from anyone, and if somebody opens the address of an SVG image itself, browsers run its scripts and
 * load other files.
 */
function isPlainSvg(text: string): boolean {
  const body = text.replace(/^\s*<\?xml version="1\.\d"(?: encoding="utf-8")?(?: standalone="\w+")?\s*\?>/i, "");
  const plain = body.replaceAll(/<!--.*?-->/gs, "");
  const names = [...plain.matchAll(/<\/?([^\s/>]*)/g)].map(([, name = ""]) => name);
  // References to characters and escapes of CSS hide what the next pattern looks for.
  const hides = /&#|\\/.test(plain);
  const refers = /href\s*=\s*["']?\s*[^"'\s#]|url\(\s*["']?\s*[^"'\s#]|@import|\son\w+\s*=/i.test(plain);
  return !hides && names[0] === "svg" && names.every((name) => elements.has(name)) && !refers;
}
