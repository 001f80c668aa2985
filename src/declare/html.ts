// Pages of an API for people: HTML that is made from the data of a build, by templates that escape inserted texts.

import type { ApiTypes, BodyOf, Change, ItemOf } from "../answers/answers.ts";
import { ownField } from "../model/fields.ts";

/** A page at BASE/docs/NAME, which is one of the pages that an API declares. */
export interface PageDeclaration<Data = PageData> {
  /** The name of the page, on one line. Links show it, and the page's title shows it after the API's title. */
  readonly title: string;
  /**
   * Returns the content of the page, below a header that leads to the reference; undefined if the deployment has nothing
   * to show. The page depends on nothing but `data`, and runs no script but the one that all pages share: it adds a
   * button to each `<pre><code>` and the age to each `<time datetime>`.
   */
  // A method, so that the page of some collections is a page of any API.
  render(data: Data): Html | PageContent | undefined;
  /** Whether the header has the page between the data and the changes, not behind them. Default: false. */
  readonly main?: boolean;
  /** Rules for the stylesheet of the declared pages, because hosts may forbid inline styles. */
  readonly style?: string;
  /** The class of the body, by which `style` can tell pages apart. Default: page. */
  readonly scope?: string;
  /** The language of the page, such as `de` or `pt-BR`. Default: `language` of api.yaml, else English. */
  readonly language?: string;
}

export interface PageContent {
  readonly content: Html;
  /** For search engines and previews of links. */
  readonly description?: string | undefined;
}

/** The deployment that is built, as a page sees it. */
export interface PageData<Api extends ApiTypes = ApiTypes> {
  /** The prefix of every path, such as /api/v1. */
  readonly base: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The origin at which the API is published, such as https://api.example.com. */
  readonly url: string | undefined;
  readonly license: { readonly name: string; readonly url: string } | undefined;
  readonly collections: { readonly [Name in keyof Api["collections"]]?: PageItems<ItemOf<Api["collections"][Name]>> };
  readonly documents: { readonly [Name in keyof Api["documents"]]?: BodyOf<Api["documents"][Name]> };
  /** The path of the list of changes as Atom; undefined if there is no such list. */
  readonly feed: string | undefined;
  /** What this build and earlier ones changed, the newest first; empty if there is no such list. */
  readonly changes: readonly Change<Api>[];
  /** The path of a request: `/api/v1/nodes?region=lhr1` for `nodes` and `{ region: "lhr1" }`. */
  request(name: (keyof Api["collections"] | keyof Api["documents"]) & string, params?: RequestParams): string;
  /** The path of a page, by its path below BASE: `/api/v1/docs/data/nodes` for `docs/data/nodes`. */
  page(path: string): string;
}

type RequestParams = Readonly<Record<string, string | number | boolean>>;

/** The items of a collection in its order. Iterating parses them anew, so that they need no memory. */
export interface PageItems<Item> extends Iterable<Item> {
  readonly count: number;
}

const brand = Symbol.for("stillapi.html");

/**
 * Escaped HTML. Only `html` creates it. Data cannot imitate it, because data has no symbols. The symbol is registered,
 * because a declaration may import another copy of this module.
 */
class EscapedHtml {
  readonly [brand] = true;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = EscapedHtml;

export const isHtml = (value: unknown): value is Html => typeof value === "object" && value !== null && brand in value;

/** HTML that its author vouches for. It is not exported to declarations. */
export const trusted = (text: string): Html => new EscapedHtml(text);

/**
 * Lists are inserted one element after another. Undefined, null, true and false insert nothing, so that a part can depend
 * on a condition: `${isNew && html`<b>new</b>`}`. Attributes need quotes. Throws if an address is inserted that could run a
 * script: `href` and the like must be http, https or mailto addresses, or paths.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const addresses = addressesIn.get(strings) ?? strings.map((text) => startsAddress.test(text));
  addressesIn.set(strings, addresses);
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) {
    if (addresses[index] && !isSafeAddress(String(value))) {
      throw new TypeError(`${JSON.stringify(value)} is neither an http, https or mailto address nor a path.`);
    }
    text += escaped(value) + (strings[index + 1] ?? "");
  }
  return new EscapedHtml(text);
}

/** Whether an address follows each string of a template. Kept, because a table repeats few templates. */
const addressesIn = new WeakMap<TemplateStringsArray, readonly boolean[]>();

/** Browsers also end the name of an element, and an attribute before, with a slash or a quote. */
const startsAddress = /[\s/"':](?:href|src|action|formaction)\s*=\s*["']?\s*$/i;

/** Whether an address is safe to follow. Browsers ignore white space and control characters in a scheme. */
export function isSafeAddress(text: string): boolean {
  const [, scheme] = /^([^/?#:]*):/.exec(text.replace(/[\0-\x20\x7f]/g, "")) ?? [];
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
}

function escaped(value: unknown): string {
  if (isHtml(value)) return value.toString();
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (value === undefined || value === null || typeof value === "boolean") return "";
  const text = String(value);
  // Most texts have none of the signs. With this test, tables take two thirds of the time.
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => ownField(entities, sign) ?? sign) : text;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
