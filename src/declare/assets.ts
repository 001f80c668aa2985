// Fields that name a file beside the data. The content has the path of a file below content/; answers have its address and
// what is known of it.
import * as z from "zod";
import { count, size } from "./forms.ts";
import { type AssetOptions, assetMarks } from "./marks.ts";

/** What is known of a file. */
export interface FileFacts {
  /** The media type, such as image/jpeg. */
  readonly content_type: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** In pixels, as a person sees the picture: turned as its EXIF data says. Only pictures have a width and a height. */
  readonly width?: number;
  readonly height?: number;
}

const url = z
  .string()
  .describe("The address of the file, relative to the origin of the API. It changes when the file does.");
const contentType = z.string().describe("The media type, such as image/jpeg.");
const published = { url, content_type: contentType, bytes: count.describe("The size in bytes.") };
const text = "the path of a file below content/";

/**
 * A file beside the data. The content has its path, relative to the file that names it or, after a slash, to content/. The
 * answer has `url`, `content_type` and `bytes`.
 */
export const file = (options: AssetOptions = {}) =>
  assetMarks.mark(z.strictObject(published, text), { isImage: false, ...options });

/** A picture beside the data: PNG, JPEG, WebP, AVIF, GIF or SVG. The answer also has `width` and `height`. */
export const image = (options: AssetOptions = {}) =>
  assetMarks.mark(
    z.strictObject({ ...published, width: size.describe("In pixels."), height: size.describe("In pixels.") }, text),
    { isImage: true, ...options },
  );
