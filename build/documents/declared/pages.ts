// The pages that the API declares, in the frame of all pages, and a stylesheet with their rules.
import { type Document, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { documentPaths } from "../describe/addresses.ts";
import type { RenderedPage } from "../describe/declared-pages.ts";
import type { Site } from "../describe/site.ts";
import { header } from "../frame/header.ts";
import { html, pageDocument } from "../frame/html.ts";

export function declaredPages(site: Site): readonly Document[] {
  const pages = site.declaredPages.map((page) => declaredPage(site, page));
  const rules = rulesOf(site);
  if (pages.length === 0 || rules.length === 0) return pages;
  const { pageStyle } = documentPaths(site.api.base);
  // The layers are in frame/style.css.
  const text = `/* ${generator} */\n\n@layer frame {\n${rules.join("")}}\n`;
  return [...pages, textDocument(pageStyle, "text/css", text)];
}

/** A declared page in its frame. */
export function declaredPage(site: Site, { content, ...page }: RenderedPage): Document {
  const { pageStyle } = documentPaths(site.api.base);
  const links = rulesOf(site).length > 0 ? html`<link rel="stylesheet" href="${pageStyle}">\n` : html``;
  return pageDocument(site, { ...page, top: header(site, page), links }, () => content);
}

/** The rules of the pages that have some. */
const rulesOf = ({ api }: Pick<Site, "api">): readonly string[] =>
  api.pages.flatMap(({ style }) => (style.trim() === "" ? [] : [`${style.trimEnd()}\n`]));
