// The elements around the rows of a table: filters, pages, and the request that gives the same.
import { integer } from "../../text/words.ts";
import type { TableData } from "../tables/cells.ts";
import { all, make } from "./elements.ts";
import type { Facet, FacetValue, TableView } from "./table-items.ts";
import { requestFor, type TableState } from "./table-state.ts";

/** A link to another state of the table. */
export type LinkTo = (state: TableState, ...content: readonly (Node | string)[]) => HTMLAnchorElement;

/** The most values of a filter that are shown at once. */
const mostValues = 500;

/** The number of filters whose values are shown at first, and how many values they may have. */
const [mostOpen, fewValues] = [3, 12];

/**
 * The values of each filter, those with the fewest first, with links that choose a value or give it up. `next` returns the
 * state that a choice leads to. Filters by functions stay as the page has them.
 */
export function showFacets(
  place: HTMLElement,
  facets: readonly Facet[],
  chosen: TableState["chosen"],
  next: (param: string, value?: string) => TableState,
  link: LinkTo,
): void {
  const blocks = new Map(all<HTMLDetailsElement>("details", place).map((each) => [paramOf(each), each]));
  const sorted = [...facets].sort((one, other) => one.values.length - other.values.length);
  const shown = sorted.map(({ param, values }, index) => {
    const count = make("span", { className: "type" });
    const open = index < mostOpen && values.length <= fewValues;
    const block = blocks.get(param) ?? make("details", { open }, make("summary", {}, `${param} `, count));
    const [summary] = block.children;
    summary?.querySelector(".type")?.replaceChildren(integer(values.length));
    const list = make("ul", { className: "values" });
    block.replaceChildren(summary ?? "", list);
    // Folded values come when they are opened, because thousands take time.
    const fill = () => {
      if (!block.open || list.firstChild !== null) return;
      const links = values.slice(0, mostValues).map((each) => {
        const isChosen = chosen.get(param) === each.value;
        const choice = link(next(param, isChosen ? undefined : each.value), ...labelOf(each));
        if (isChosen) choice.setAttribute("aria-current", "true");
        return make("li", {}, choice, `, ${integer(each.count)}`);
      });
      const rest = values.length - links.length;
      list.append(...links, ...(rest > 0 ? [make("li", {}, `${integer(rest)} more: find one above.`)] : []));
    };
    block.ontoggle = fill;
    fill();
    return block;
  });
  place.prepend(...shown);
}

const paramOf = (block: HTMLElement) => block.querySelector("summary")?.firstChild?.textContent?.trim();

const labelOf = ({ value, name }: FacetValue): readonly (Node | string)[] =>
  name === undefined || name === value ? [value] : [name, " ", make("span", { className: "code" }, value)];

/** The chosen values, each with a link that gives it up. */
export function showChosen(
  place: HTMLElement,
  facets: readonly Facet[],
  chosen: TableState["chosen"],
  next: (param: string) => TableState,
  link: LinkTo,
): void {
  const links = [...chosen].map(([param, value]) => {
    const name = facets.find((each) => each.param === param)?.values.find((each) => each.value === value)?.name;
    const given = link(next(param), `${param}: ${name === undefined ? value : `${name} (${value})`} ×`);
    given.ariaLabel = `Remove the filter ${param}: ${value}`;
    return given;
  });
  place.replaceChildren(...links);
}

export function showPages(place: HTMLElement, { range, previous, next }: TableView, link: LinkTo): void {
  place.replaceChildren(
    ...(previous === undefined ? [] : [link(previous.state, previous.label), " "]),
    make("span", {}, range),
    ...(next === undefined ? [] : [" ", link(next, "Next")]),
  );
}

/** The request in the sample, which has a button to copy it. */
export function showRequest(place: HTMLElement, data: TableData, state: TableState): void {
  const same = requestFor(data, state);
  const href = same ?? data.dump ?? data.request;
  place.querySelector("code")?.replaceChildren('curl "', location.origin, make("a", { href }, href), '"');
  const others = `No single request gives these rows${data.dump === undefined ? "" : ". All items, as NDJSON"}`;
  place.querySelector(".caption")?.replaceChildren(same === undefined ? others : "The same as JSON");
}
