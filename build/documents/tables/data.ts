// The data of the script of a table, and the values of filters as links: for the build and for the script.
import { type Html, html } from "../../../src/declare/html.ts";
import type { Filter } from "../../../src/model/filter.ts";
import { integer } from "../../text/words.ts";
import { type CellColumn, namedLink } from "./cells.ts";

export interface ListData {
  /** The path of the table. */
  readonly table: string | undefined;
  /** The path of all items as NDJSON; undefined if they are too many to load. */
  readonly dump: string | undefined;
  readonly keys: readonly string[];
}

export interface TableData extends ListData {
  /** The path of the list's request. */
  readonly request: string;
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly CellColumn[];
  readonly rows: number;
  readonly hasItems: boolean;
  /** The filters by fields. */
  readonly filters: readonly (Pick<Filter, "param" | "field" | "steps" | "by"> & Pick<Facet, "isDeprecated">)[];
  /** The path of the values of filters. */
  readonly values: string;
  readonly together: readonly (readonly string[])[];
  /** The lists to which items refer, by name. */
  readonly lists: Readonly<Record<string, ListData>>;
  /** The names of these lists, by the fields that refer to them. */
  readonly references: Readonly<Record<string, string>>;
  /** The filters of lists by which they refer to items of this one. */
  readonly referrers: readonly Referrer[];
}

export interface Referrer {
  readonly table: string;
  readonly param: string;
  /** The path of the values of filters, with their counts. */
  readonly values: string;
  readonly noun: string;
  readonly nouns: string;
}

/** A filter with its values that have items. */
export interface Facet {
  readonly param: string;
  readonly isDeprecated: boolean;
  readonly values: readonly FacetValue[];
}

/** A value of a filter, with the name of the item whose key it is. */
export interface FacetValue {
  readonly value: string;
  readonly name?: string | undefined;
  readonly count: number;
}

/** More values than these are not listed: a page with all values would load slowly. */
const maxValues = 500;

/** If more than this many values have one item each, the links would repeat the list. */
const maxAlone = 30;

/** The number of filters whose values are shown at first, and how many values they may have. */
const maxOpen = 3;
const fewValues = 12;

/** The filters with the fewest values come first, and are open. */
export const sortedFacets = <T extends Facet>(facets: readonly T[]): readonly (T & { isOpen: boolean })[] =>
  [...facets]
    .sort((one, other) => one.values.length - other.values.length)
    .map((facet, index) => ({ ...facet, isOpen: index < maxOpen && facet.values.length <= fewValues }));

interface FacetParts {
  readonly isOpen: boolean;
  readonly hrefOf: (value: string) => string;
  /** The path of all values. */
  readonly all: string;
  readonly chosen?: string | undefined;
}

/** Links to the items of the values of a filter, of which one may be chosen. */
export function facetHtml({ param, isDeprecated, values }: Facet, { isOpen, hrefOf, all, chosen }: FacetParts): Html {
  const mark = isDeprecated && html` <span class="bad">deprecated</span>`;
  const isListed = values.length <= maxValues && (values.length <= maxAlone || values.some(({ count }) => count > 1));
  const links = values.map(({ value, name, count }) => {
    const current = value === chosen && html` aria-current="true"`;
    return html`<li>${namedLink(value, { href: hrefOf(value), name }, current)}, ${integer(count)}</li>\n`;
  });
  return html`<details data-param="${param}"${isOpen && html` open`}><summary>${param} <span class="type">${integer(values.length)}</span>${mark}</summary>
${isListed ? html`<ul class="values">\n${links}</ul>` : html`<p>All values are at <a href="${all}">${all}</a>.</p>`}
</details>
`;
}
