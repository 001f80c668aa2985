// The elements around the rows of a table: filters, pages, and the request that gives the same.
import { counted, integer } from "../../text/words.ts";
import type { TableData } from "../tables/shape.ts";
import { all, make } from "./elements.ts";
import type { Facet, TableView } from "./table-items.ts";
import { requestFor, type TableState } from "./table-state.ts";

/** A link to another state of the table. */
export type LinkTo = (state: TableState, ...content: readonly (Node | string)[]) => HTMLAnchorElement;

/** The most values of a filter that are shown at once. */
const mostValues = 500;

/** The values that a person sees at first. */
const [mostOpen, fewValues] = [3, 12];

/**
 * The values of each filter, with links that choose a value or give it up. A filter whose values are folded keeps them
 * until it is opened, because thousands take time. `state` is the one that a choice leads to.
 */
export function showFacets(
  place: HTMLElement,
  facets: readonly Facet[],
  chosen: TableState["chosen"],
  state: (param: string, value: string | undefined) => TableState,
  link: LinkTo,
): void {
  const old = new Map(all<HTMLDetailsElement>("details", place).map((each) => [paramOf(each), each]));
  const sorted = [...facets].sort((one, other) => one.values.length - other.values.length);
  const blocks = sorted.map(({ param, values }, index) => {
    const [list, before] = [make("ul", { className: "values" }), old.get(param)];
    const isOpen = before?.open ?? (index < mostOpen && values.length <= fewValues);
    const count = make("span", { className: "type" }, integer(values.length));
    // A filter that will go has a mark.
    const mark = before?.querySelector("summary .bad") ?? "";
    const block = make("details", { open: isOpen }, make("summary", {}, `${param} `, count, " ", mark), list);
    block.dataset["param"] = param;
    const fill = () => {
      if (!block.open || list.firstChild !== null) return;
      const shown = values.slice(0, mostValues).map(({ value, name, count }) => {
        const isChosen = chosen.get(param) === value;
        const label =
          name === undefined || name === value ? [value] : [name, " ", make("span", { className: "code" }, value)];
        const choice = link(state(param, isChosen ? undefined : value), ...label);
        if (isChosen) choice.setAttribute("aria-current", "true");
        return make("li", {}, choice, `, ${integer(count)}`);
      });
      const rest = values.length - shown.length;
      list.append(...shown, ...(rest > 0 ? [make("li", {}, `${integer(rest)} more: find one above.`)] : []));
    };
    block.ontoggle = fill;
    fill();
    return block;
  });
  // Filters by functions stay as the page has them.
  for (const { param } of facets) old.get(param)?.remove();
  place.prepend(...blocks);
}

const paramOf = (block: HTMLElement): string | undefined =>
  block.dataset["param"] ?? block.querySelector("summary")?.firstChild?.textContent?.trim();

/** The chosen values, each with a link that gives it up. */
export function showChosen(
  place: HTMLElement,
  chosen: TableState["chosen"],
  facets: readonly Facet[],
  without: (param: string) => TableState,
  link: LinkTo,
): void {
  const links = [...chosen].map(([param, value]) => {
    const name = facets.find((each) => each.param === param)?.values.find((each) => each.value === value)?.name;
    const given = link(without(param), `${param}: ${name === undefined ? value : `${name} (${value})`} ×`);
    given.ariaLabel = `Remove the filter ${param}: ${value}`;
    return given;
  });
  place.replaceChildren(...links);
}

export function showPages(place: HTMLElement, { previous, next, first, items, total }: TableView, link: LinkTo): void {
  const range =
    first === undefined || total === undefined
      ? `${integer(items.length)} on this page`
      : `${integer(Math.min(first + 1, total))} to ${integer(first + items.length)} of ${integer(total)}`;
  place.replaceChildren(
    ...(previous === undefined ? [] : [link(previous, first === undefined ? "First page" : "Previous"), " "]),
    make("span", {}, range),
    ...(next === undefined ? [] : [" ", link(next, "Next")]),
  );
}

export const titleOfView = (data: TableData, { items, total }: TableView): string =>
  total === undefined ? `${counted(items.length, data)} on this page` : counted(total, data);

/** The request in the sample, which has a button to copy it. */
export function showRequest(data: TableData, state: TableState, place: HTMLElement): void {
  const [code, caption] = [place.querySelector("code"), place.querySelector(".caption")];
  const same = requestFor(data, state);
  const address = same ?? data.dump ?? data.request;
  code?.replaceChildren('curl "', location.origin, make("a", { href: address }, address), '"');
  caption?.replaceChildren(
    same !== undefined
      ? "The same as JSON"
      : `No single request gives these rows${data.dump === undefined ? "" : ". All items, as NDJSON"}`,
  );
}
