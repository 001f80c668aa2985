// Numbers and times of a table in the language of its data. The build does not know the forms of languages: they change with
// the version of Node.
import { all } from "../../frame/browser/elements.ts";

const numeral = /^(-?\d[\d,]*(?:\.\d+)?)(\D*)$/;

/** Formats the cells of rows, or the values of an opened row. Numbers keep their digits, with or without separators. */
export function formatCells(root: ParentNode, language: string): void {
  if (language === "") return;
  for (const cell of all(":is(td, span).number", root)) {
    const [, text = "", spaces = ""] = numeral.exec(cell.textContent ?? "") ?? [];
    if (text === "") continue;
    const [, decimals = ""] = text.split(".");
    const useGrouping = text.includes(",");
    const format = new Intl.NumberFormat(language, {
      useGrouping,
      minimumFractionDigits: Math.min(20, decimals.length),
    });
    cell.textContent = format.format(Number(text.replaceAll(",", ""))) + spaces;
  }
  const times = new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone: "UTC",
  });
  for (const time of all<HTMLTimeElement>("tbody time[datetime]", root)) {
    time.textContent = `${times.format(new Date(time.dateTime))} UTC`;
  }
}
