// What is known of a file by its name, its size and its first bytes.

import { imageSize } from "image-size";
import type { FileFacts } from "../../../src/declare/assets.ts";
import { ownField } from "../../../src/model/fields.ts";
import { svgType, typeOfEnding } from "../../files/media-type.ts";

/** The media types of the pictures that can be measured, by the names that image-size gives them. */
const pictures: Readonly<Record<string, string>> = {
  avif: "image/avif",
  gif: "image/gif",
  jpg: "image/jpeg",
  png: "image/png",
  svg: svgType,
  webp: "image/webp",
};

/** Pictures that turn their rows into columns, as EXIF data say: https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf */
const firstTurned = 5;

export const isPicture = (type: string): boolean => Object.values(pictures).includes(type);

/** The media type of a file by the ending of its name. */
export const assetTypeOf = (file: string): string => typeOfEnding(file) ?? "application/octet-stream";

/** In bytes. The size of a picture is before its pixels, in rare photos behind long descriptions. */
export const headLengths = [1 << 19, 1 << 24] as const;

/** The problem of an SVG whose root element says nothing of its size. */
export const noSize = "has no size";

/** Returns the problem, as a clause about the file, if it is a picture by its name and not by its bytes. */
export function factsOf(file: string, size: number, head: Uint8Array): FileFacts | string {
  const contentType = assetTypeOf(file);
  const facts = { content_type: contentType, bytes: size };
  if (!isPicture(contentType)) return facts;
  if (size === 0) return "is empty";
  const root = contentType === svgType ? rootOf(head) : undefined;
  const without = root === undefined ? `is damaged: it has no size as ${contentType}` : noSize;
  let measured: ReturnType<typeof imageSize>;
  try {
    measured = imageSize(root ?? head);
  } catch {
    return without;
  }
  const { type = "", width, height, orientation = 1 } = measured;
  const measuredType = ownField(pictures, type);
  if (measuredType !== contentType) return `is ${measuredType ?? type} by its content, but ${contentType} by its name`;
  if (![width, height].every((length) => length > 0 && Number.isFinite(length))) return without;
  return orientation < firstTurned ? { ...facts, width, height } : { ...facts, width: height, height: width };
}

/** The units of lengths in CSS, in pixels. */
const pixelsOf: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 96 / 6,
  em: 16,
  ex: 8,
};

/** A length in pixels, without its unit, in the form that image-size reads; as it is if the unit is unknown. */
function inPixels(length: string): string {
  const [, number, unit = ""] = /^(\+?(?:\d*\.?\d+|\d+\.)(?:e[-+]?\d+)?)([a-z]*)$/i.exec(length) ?? [];
  const pixels = ownField(pixelsOf, unit.toLowerCase());
  return number === undefined || typeof pixels !== "number"
    ? length
    : String(Number(number) * pixels).replace("e+", "e");
}

/** The root element of an SVG, with its lengths as image-size reads them: numbers of pixels with spaces between them. */
function rootOf(svg: Uint8Array): Uint8Array | undefined {
  // A comment may hold another root element.
  const text = new TextDecoder().decode(svg).replace(/<!--.*?-->/gs, "");
  const [root] = /<svg(?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?\/?>/.exec(text) ?? [];
  const plain = root?.replace(
    /\s(width|height|viewBox)\s*=\s*(["'])(.*?)\2/gs,
    (_, name: string, _quote, value: string) => {
      const lengths = value.split(/[\s,]+/).filter((length) => length !== "");
      return ` ${name}="${lengths.map(inPixels).join(" ")}"`;
    },
  );
  return plain === undefined ? undefined : new TextEncoder().encode(plain.replace(/^<svg\/?>/, "<svg >"));
}
