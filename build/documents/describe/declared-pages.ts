// The content of the pages that the API declares. declared/pages.ts puts it into the frame of all pages.
import type { Changes } from "../../../src/answers/answers.ts";
import type { PageContent, PageData, PageItems } from "../../../src/declare/html.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { Item } from "../../../src/model/key.ts";
import { eachItem, type Items } from "../../content/table/items.ts";
import type { Log } from "../../messages.ts";
import { noItems } from "../../pages/items.ts";
import { documentPaths, pagePath, requestPath } from "./addresses.ts";
import { titleOf } from "./sentences.ts";
import type { SiteData } from "./site-data.ts";

export interface RenderedPage {
  /** In a request. */
  readonly path: string;
  readonly title: string;
  readonly scope: string;
  readonly main: boolean;
  /** Of the content; undefined for English. */
  readonly language: string | undefined;
  readonly content: PageContent;
}

/** The pages that have something to show. A page that fails is reported. */
export function renderedPages(data: SiteData, input: PageData, log: Log): readonly RenderedPage[] {
  const { api } = data;
  const pages: RenderedPage[] = [];
  for (const { title, scope, main, path, language = data.settings.language, render } of api.pages) {
    const content = render(input);
    if (content instanceof Failure) log.report({ code: "throws", at: content.place, text: content.text });
    else if (content !== undefined) pages.push({ path: pagePath(api, path), title, scope, main, language, content });
  }
  return pages;
}

/** What the functions of the declaration get of a deployment. */
export function pageDataOf(data: SiteData, changes: Changes | undefined): PageData {
  const { api, operations, catalog, deployment } = data;
  const { description, url, license } = data.settings;
  const lists = operations.filter(({ kind }) => kind === "list");
  const documents = api.documents.flatMap(({ name, documentOf }) => {
    const content = deployment.documents.get(name);
    return content === undefined ? [] : [[name, documentOf(content)] as const];
  });
  return {
    base: api.base,
    title: titleOf(data),
    description,
    url,
    license,
    feed: changes === undefined ? undefined : documentPaths(api.base).feed,
    changes: changes?.data ?? [],
    collections: Object.fromEntries(lists.map(({ name }) => [name, itemsOf(catalog.items.get(name) ?? noItems)])),
    documents: Object.fromEntries(documents),
    page: (path) => pagePath(api, path),
    request(name, params = {}) {
      const query = new URLSearchParams();
      for (const [param, value] of Object.entries(params)) query.set(param, String(value));
      return requestPath(api, { name }, { query: String(query) });
    },
  };
}

const itemsOf = (items: Items): PageItems<Item> => ({
  count: items.count,
  [Symbol.iterator]: () => eachItem(items),
});
