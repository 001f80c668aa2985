/** Rows of text in columns, a line each: the first column to the left, the others, which are numbers, to the right. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** With a separator of thousands. `toLocaleString` takes longer for its first number than this for the rest of a build. */
export const integer = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");

export const plural = (count: number, noun: string): string => `${integer(count)} ${noun}${count === 1 ? "" : "s"}`;

/** The longest list of names that is printed in full. */
const most = 10;

/** `a, b, c`, and of a long list the first names and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.length <= most
    ? names.join(", ")
    : `${names.slice(0, most).join(", ")} and ${integer(names.length - most)} more`;
