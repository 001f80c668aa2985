import { Mime } from "mime/lite";
import otherTypes from "mime/types/other.js";
import standardTypes from "mime/types/standard.js";
import { once } from "../values/once.ts";

export const svgType = "image/svg+xml";

/** Made when it is first used: it takes 3 ms, and a build without files beside the data does not use it. */
const mediaTypes = once(() => new Mime(standardTypes, otherTypes));

/** The media type of a file by the ending of its path; undefined for an unknown ending. */
export const typeOfEnding = (path: string): string | undefined => mediaTypes().getType(path) ?? undefined;

/** The usual ending of files with a Content-Type, without the dot. */
export const endingOfType = (contentType: string): string => mediaTypes().getExtension(contentType) ?? "bin";

/** The Content-Type of a file with a media type. Texts are UTF-8. */
export const contentTypeFor = (type: string): string => (type.startsWith("text/") ? `${type}; charset=utf-8` : type);

/** The Content-Type of a file by the ending of its path; undefined for an unknown ending. */
export function mediaTypeOf(path: string): string | undefined {
  const type = typeOfEnding(path);
  return type && contentTypeFor(type);
}
