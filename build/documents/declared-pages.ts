// The pages that the API declares, each in the frame of all pages.
import type { PageContent, PageData } from "../../src/declare/html.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Item } from "../../src/model/key.ts";
import { eachItem, type Items } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import type { Log } from "../messages.ts";
import { pageDocument } from "./html.ts";
import { type DocumentSource, requestPath, titleOf } from "./source.ts";

export interface RenderedPage {
  /** In a request. */
  readonly path: string;
  readonly title: string;
  readonly scope: string;
  readonly content: PageContent;
}

/** The pages that have something to show. A page that fails is reported. */
export function renderedPages(source: DocumentSource, log: Log): readonly RenderedPage[] {
  const data = dataOf(source);
  const made: RenderedPage[] = [];
  for (const { title, scope, path, render } of source.api.pages) {
    const content = render(data);
    if (content instanceof Failure) log.report({ code: "throws", at: content.place, text: content.text });
    else if (content !== undefined) made.push({ path: `${data.base}/${path}`, title, scope, content });
  }
  return made;
}

/** A page in its frame, which leads to all other pages: `source` knows which there are. */
export const declaredPage = (source: DocumentSource, { content, ...page }: RenderedPage): Document =>
  pageDocument(source, page, () => content);

function dataOf(source: DocumentSource): PageData {
  const { api, operations, catalog, deployment } = source;
  const { description, url, license } = source.settings;
  const lists = operations.filter(({ kind }) => kind === "list");
  const documents = api.documents.flatMap(({ name, documentOf }) => {
    const content = deployment.documents.get(name);
    return content === undefined ? [] : [[name, documentOf(content)] as const];
  });
  return {
    base: api.base,
    title: titleOf(source),
    description,
    url,
    license,
    collections: Object.fromEntries(lists.map(({ name }) => [name, itemsOf(catalog.items.get(name))])),
    documents: Object.fromEntries(documents),
    request(name, params = {}) {
      const query = new URLSearchParams();
      for (const [param, value] of Object.entries(params)) query.set(param, String(value));
      return requestPath(api, { name }, { query: String(query) });
    },
  };
}

const itemsOf = (items: Items | undefined): Iterable<Item> & { readonly count: number } => ({
  count: items?.count ?? 0,
  [Symbol.iterator]: () => (items === undefined ? [].values() : eachItem(items)),
});
