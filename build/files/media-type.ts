import mime from "mime";

/** The Content-Type of a file by the ending of its path, for a text in UTF-8; undefined for an unknown ending. */
export function mediaTypeOf(path: string): string | undefined {
  const type = mime.getType(path);
  if (type === null) return undefined;
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}
