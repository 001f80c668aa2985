/** Aligns rows in columns, one line each: the first column to the left, the others, which are numbers, to the right. */
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

/** With thousands separators. The first call of `toLocaleString` takes longer than this does for a whole build. */
export const integer = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${integer(count)} ${count === 1 ? one : many}`;

/** `1 city`, `2 cities` */
export const counted = (count: number, { noun, nouns }: { readonly noun: string; readonly nouns: string }): string =>
  plural(count, noun, nouns);

/** The longest list of names that is printed in full. */
const maxNames = 10;

/** `a, b, c`; a long list is cut and ends with the number of further names. */
export const listed = (names: readonly string[]): string =>
  names.length <= maxNames
    ? names.join(", ")
    : `${names.slice(0, maxNames).join(", ")} and ${integer(names.length - maxNames)} more`;

/** `a, b and c`. The first `Intl.ListFormat` of a process takes 10 ms. */
export const withAnd = (names: readonly string[]): string => names.join(", ").replace(/, (?=[^,]*$)/, " and ");

/** `mime-types` is MimeTypes. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_\s-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
