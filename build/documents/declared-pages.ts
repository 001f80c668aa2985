// The pages that the API declares, each in the frame of all pages and with a link to the reference.
import type { ApiPage } from "../../src/api.ts";
import type { PageContent, PageData } from "../../src/html.ts";
import type { Item } from "../../src/resource.ts";
import { eachItem, type Items } from "../content/catalog.ts";
import { type Checked, DeclarationError, type Diagnostic } from "../diagnostics.ts";
import { type Document, lazyDocument, minutes } from "../document.ts";
import { brand, finder, type Html, html, pageHtml } from "./html.ts";
import { type DocumentSource, documentPaths, requestPath, titleOf } from "./source.ts";

export interface DeclaredPage {
  readonly title: string;
  readonly document: Document;
}

/** The pages that have something to show. A page that fails is a fault. */
export function declaredPages(source: DocumentSource): Checked<readonly DeclaredPage[]> {
  const data = dataOf(source);
  const made: DeclaredPage[] = [];
  const faults: Diagnostic[] = [];
  for (const { title, scope, path, render } of source.api.pages) {
    try {
      const content = render(data);
      if (content === undefined) continue;
      made.push({
        title,
        document: pageDocument(source, { title, scope, path: `${data.base}/${path}` }, () => content),
      });
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      faults.push(error.diagnostic);
    }
  }
  return [made, faults];
}

function dataOf(source: DocumentSource): PageData {
  const { api, operations, catalog, deployment } = source;
  const { description, url, license } = source.settings;
  const lists = operations.filter(({ kind }) => kind === "list");
  const documents = api.documents.flatMap(({ name, resource }) => {
    const content = deployment.documents.get(name);
    return content === undefined ? [] : [[name, resource.documentOf(content)] as const];
  });
  return {
    ...{ base: api.base, title: titleOf(source), description, url, license },
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

interface FramedPage extends Pick<ApiPage, "title" | "scope"> {
  /** In a request. */
  readonly path: string;
  /** Further links of the header. */
  readonly navigation?: Html;
  /** Further lines of the head. */
  readonly links?: Html;
}

/** A page in the frame of all pages. Its text is made when it is asked for. */
export function pageDocument(
  source: DocumentSource,
  { path, title: name, scope, navigation, links }: FramedPage,
  contentOf: () => PageContent,
): Document {
  const title = `${titleOf(source)} – ${name}`;
  const { reference } = documentPaths(source.api.base);
  const pages = source.related.filter((each) => each.kind === "Pages" && each.path !== path);
  const text = () => {
    const { content, description } = contentOf();
    const body = html`<body class="${[...new Set(["page", scope])].join(" ")}">`;
    return pageHtml(source, {
      title,
      shortTitle: title,
      description: description ?? title,
      body,
      ...(links && { links }),
      top: html`<header>
<p class="brand">${brand(source, reference)}</p>
<nav aria-label="Documents"><a href="${reference}">API reference</a>${pages.map((each) => html` <a href="${each.path}">${each.title}</a>`)}</nav>
${finder}
${navigation}</header>`,
      content,
    });
  };
  const [file, contentType] = [`${path.slice(1)}.html`, "text/html; charset=utf-8"];
  return lazyDocument({ path, file, contentType, cacheControl: minutes }, () => String(text()));
}
