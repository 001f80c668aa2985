import mime from "mime";

export const svgType = "image/svg+xml";

/** The media type of a file by the ending of its path; undefined for an unknown ending. */
export const typeOfEnding = (path: string): string | undefined => mime.getType(path) ?? undefined;

/** The Content-Type of a file with a media type. Texts are UTF-8. */
export const contentTypeFor = (type: string): string => (type.startsWith("text/") ? `${type}; charset=utf-8` : type);

/** The Content-Type of a file by the ending of its path; undefined for an unknown ending. */
export function mediaTypeOf(path: string): string | undefined {
  const type = typeOfEnding(path);
  return type && contentTypeFor(type);
}
