// The columns of a table: which ones a reader has chosen, a menu to choose them, and their widths.
import type { CellColumn } from "../../describe/cells.ts";
import { all, make, makeButton } from "../../frame/browser/elements.ts";
import { remember, remembered } from "../../frame/browser/remembered.ts";
import type { TableData } from "../data.ts";

/** The name of the choice for a list. */
const nameOf = ({ request }: TableData): string => `columns of ${request}`;

const allColumns = ({ columns, further }: TableData): readonly CellColumn[] => [...columns, ...further];

/** The columns that a reader has chosen, at first those of the page. */
export function chosenColumns(data: TableData): readonly CellColumn[] {
  const paths = remembered(nameOf(data))?.split("\n");
  if (paths === undefined || paths.join() === data.columns.map(({ path }) => path).join()) return data.columns;
  return allColumns(data).filter(({ path }) => data.keys.includes(path) || paths.includes(path));
}

/** `change` is called with the columns after each choice. The columns of the key are always shown. */
export function columnsMenu(
  data: TableData,
  shown: readonly CellColumn[],
  change: (columns: readonly CellColumn[]) => void,
): HTMLElement {
  const boxes = allColumns(data).map((column) => {
    const checked = shown.includes(column);
    const box = make("input", { type: "checkbox", checked, disabled: data.keys.includes(column.path) });
    box.onchange = () => choose(boxes.flatMap(([field, one]) => (one.checked ? [field] : [])));
    return [column, box] as const;
  });
  function choose(columns: readonly CellColumn[]): void {
    for (const [column, box] of boxes) box.checked = columns.includes(column);
    remember(nameOf(data), columns.map(({ path }) => path).join("\n"));
    change(columns);
  }
  const entries = boxes.map(([{ path }, box]) => {
    const definition = make(
      "a",
      { href: data.reference + encodeURIComponent(path), ariaLabel: `definition of ${path}` },
      "definition",
    );
    return make("li", {}, make("label", {}, box, ` ${path}`), " ", definition);
  });
  const reset = makeButton("Default columns", () => choose(data.columns), "small");
  const content = make("div", {}, make("ul", {}, ...entries), reset);
  return make("details", { className: "menu", name: "menu" }, make("summary", {}, "Columns"), content);
}

/** Keeps the widths of the columns, so that nothing moves while the rows change. */
export function fixWidths(table: HTMLElement): void {
  if (table.classList.contains("fixed")) return;
  const heads = all("thead th", table);
  const widths = heads.map((head) => head.getBoundingClientRect().width);
  table.style.width = `${table.getBoundingClientRect().width}px`;
  for (const [index, head] of heads.entries()) head.style.width = `${widths[index]}px`;
  table.classList.add("fixed");
}

/** The columns get the widths that their contents need. */
export function freeWidths(table: HTMLElement): void {
  table.classList.remove("fixed");
  table.style.width = "";
  for (const head of all("thead th", table)) head.style.width = "";
  // A table that is wider than its place scrolls in it.
  table.parentElement?.classList.toggle("scrolls", table.offsetWidth > (table.parentElement?.clientWidth ?? 0));
}
