// Places in a text are marked in the text: `key: «"idd"»`.

/** A text without its marks. */
export const unmarked = (text: string): string => text.replace(/[«»]/g, "");

/** Lines and columns, from 1. The end is behind the last character. */
interface MarkedPlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A text with marks around places, around the same place once. */
export function marked(text: string, places: readonly MarkedPlace[]): string {
  const lines = text.split("\n");
  const offsetOf = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  const opened = new Set<string>();
  const marks = places.flatMap(({ line, column, endLine, endColumn }) => {
    const start = offsetOf(line, column);
    const end = offsetOf(endLine, endColumn);
    if (opened.size === opened.add(`${start}-${end}`).size) return [];
    if (start === end) return [{ offset: start, mark: "«»" }];
    return [
      { offset: start, mark: "«" },
      { offset: end, mark: "»" },
    ];
  });
  let result = text;
  for (const { offset, mark } of marks.sort((one, other) => other.offset - one.offset))
    result = result.slice(0, offset) + mark + result.slice(offset);
  return result;
}
