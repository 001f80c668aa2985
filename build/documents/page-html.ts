// The frame of every HTML page.
import type { Api } from "../../src/api.ts";
import { generator } from "../generator.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, documentPaths, titleOf } from "./source.ts";

interface PageParts {
  readonly title: string;
  /** The title in previews of links. */
  readonly shortTitle: string;
  /** One line. */
  readonly description: string;
  /** Further lines of the head. */
  readonly links?: Html;
  /** The start of the body. */
  readonly body: Html;
  /** The part above the main content. */
  readonly top: Html;
  readonly content: Html;
}

/** The logo and the title of the API, with a link. */
export const brand = ({ api, settings }: Pick<DocumentSource, "api" | "settings">, href: string): Html =>
  html`<a href="${href}" dir="auto">${settings.logo && html`<img src="${api.base}/docs/${settings.logo.file}" alt=""> `}${titleOf({ settings })}</a>`;

export const pageHtml = (
  { base }: Pick<Api, "base">,
  { title, shortTitle, description, links, body, top, content }: PageParts,
): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="generator" content="${generator}">
<meta name="color-scheme" content="light dark">
<meta property="og:type" content="website">
<meta property="og:title" content="${shortTitle}">
<meta property="og:description" content="${description}">
<link rel="stylesheet" href="${documentPaths(base).style}">
<script type="module" src="${documentPaths(base).script}"></script>
<link rel="icon" type="image/svg+xml" href="${documentPaths(base).icon}">
${links}</head>
${body}
<a class="skip" href="#content">Skip to the content</a>
${top}
<main id="content">
${content}
</main>
</body>
</html>
`;
