/** The text with something else between the two comments of a name. */
export function between(text: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->\n`].map((marker) => text.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error(`It lacks ${name}.`);
  return [text.slice(0, text.indexOf("\n", start) + 1), table, text.slice(end)]
    .join("\n")
    .replace(`${table}\n`, `${table}\n\n`);
}
