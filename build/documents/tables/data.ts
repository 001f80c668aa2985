// The data of the script of a table, and the values of filters as links: for the build and for the script.
import { type Html, html } from "../../../src/declare/html.ts";
import type { Filter } from "../../../src/model/filter.ts";
import type { Order } from "../../../src/model/order.ts";
import { integer } from "../../text/words.ts";
import { type CellColumn, namedLink } from "../describe/cells.ts";

export interface ListData {
  /** The path of the list's request. */
  readonly request: string;
  /** The path of the table. */
  readonly table: string | undefined;
  /** The path of all items as NDJSON; undefined if they are too many to load. */
  readonly dump: string | undefined;
  readonly keys: readonly string[];
  readonly hasItems: boolean;
}

export interface TableData extends ListData {
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly CellColumn[];
  /** The columns that are not shown before a reader chooses them. */
  readonly further: readonly CellColumn[];
  /** The addresses of the fields in the reference start with it. */
  readonly reference: string;
  /** The number of rows on a page. */
  readonly rows: number;
  /** The number of items. */
  readonly total: number;
  /** If all items are too many to load: about as many are few enough. */
  readonly maxItems: number | undefined;
  readonly filters: readonly DataFilter[];
  /** The path of the values of filters. */
  readonly values: string;
  readonly together: readonly (readonly string[])[];
  /** The further orders of the list. */
  readonly orders: readonly Order[];
  /** The lists to which items refer, by name. */
  readonly lists: Readonly<Record<string, ListData>>;
  /** The names of these lists, by the fields that refer to them. */
  readonly references: Readonly<Record<string, string>>;
  /** The filters of lists by which they refer to items of this one. */
  readonly referrers: readonly Referrer[];
}

type DataFilter = Pick<Filter, "param" | "field" | "steps" | "by"> & Pick<Facet, "isDeprecated" | "isOrdered">;

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
  /** Whether the values are numbers or words in an order of their own. Others are sorted by their counts. */
  readonly isOrdered: boolean;
  readonly values: readonly FacetValue[];
}

/** A value of a filter, with the name of the item whose key it is. */
export interface FacetValue {
  readonly value: string;
  readonly name?: string | undefined;
  /** Undefined if the number of the items that the other filters leave is not known. */
  readonly count?: number | undefined;
}

/** More values than these are not listed: a menu with all values would load slowly. */
const maxValues = 200;

/** If more than this many values have one item each, the links would repeat the list. */
const maxAlone = 30;

/** Whether a menu lists the values of a filter. Readers type other values. */
const isListed = ({ values }: Pick<Facet, "values">): boolean =>
  values.length <= maxAlone || values.some(({ count = 1 }) => count > 1);

/** Those with most items first, unless they have an order of their own. */
const sortedValues = <Value extends FacetValue>({ isOrdered }: Facet, values: readonly Value[]): readonly Value[] =>
  isOrdered ? values : [...values].sort((one, other) => (other.count ?? 0) - (one.count ?? 0));

interface FacetParts {
  readonly hrefOf: (value: string) => string;
  readonly chosen?: string | undefined;
  /** The path to which a form sends a value that the menu does not list; undefined if no request has queries. */
  readonly action: string | undefined;
  /** The path of all values. */
  readonly all: string;
}

/** A menu of the values of a filter, of which one may be chosen, each with a link to its items. */
export function facetHtml(facet: Facet, { hrefOf, chosen, action, all }: FacetParts): Html {
  const { param, isDeprecated } = facet;
  const values = isListed(facet) ? sortedValues(facet, facet.values).slice(0, maxValues) : [];
  const links = values.map(({ value, name, count }) => {
    const current = value === chosen && html` aria-current="true"`;
    const number = count !== undefined && html` <span class="type">${integer(count)}</span>`;
    return html`<li>${namedLink(value, { href: hrefOf(value), name }, current)}${number}</li>\n`;
  });
  const isOpenEnded = values.length < facet.values.length;
  const more = isOpenEnded && html`<p><a href="${all}">${integer(facet.values.length)} values</a></p>`;
  const form =
    isOpenEnded &&
    action !== undefined &&
    html`<form action="${action}"><label>${param} <input name="${param}" required></label><button class="small">Show</button></form>`;
  const mark = isDeprecated && html` <span class="bad">deprecated</span>`;
  return menuHtml(param, html`${param}${mark}`, html`${links.length > 0 && html`<ul>\n${links}</ul>`}${more}${form}`);
}

/** Opens by touch and by keyboard, without a script. */
export const menuHtml = (name: string, summary: unknown, content: Html): Html =>
  html`<details class="menu" name="menu" data-param="${name}"><summary>${summary}</summary>
<div>${content}</div></details>
`;
