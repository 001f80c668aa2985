// The publisher's texts, introduction.md and changes.md: Markdown whose HTML is shown as text, and whose links are safe to
// follow. This module is loaded only if there is one of them, because the rules of `marked` take 5 ms to make.
import { Marked } from "marked";
import { isSafeAddress, trusted } from "../../../src/declare/html.ts";
import type { Settings } from "../../content/settings/chosen-settings.ts";
import type { PublisherTexts } from "../describe/site.ts";
import { type Html, html, languageOf, linkHtml } from "./html.ts";
import { withoutHtml } from "./markdown-text.ts";

export function publisherTexts({
  introduction,
  changesText,
  language,
}: Pick<Settings, "introduction" | "changesText" | "language">): PublisherTexts {
  const shown = (markdown: string | undefined) =>
    markdown === undefined ? undefined : publisherText(markdown, language);
  return {
    introduction: shown(introduction),
    quotation: introduction === undefined ? undefined : quotation(introduction),
    changes: shown(changesText),
  };
}

/** The level of the highest headings. */
const topLevel = 3;

/** In its language, if it is known. */
function publisherText(markdown: string, language: string | undefined): Html {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const highest = Math.min(...tokens.map((token) => (token.type === "heading" ? Number(token["depth"]) : 6)));
  const link = (href: string, content: Html) => String(isSafeAddress(href) ? linkHtml(href, content) : content);
  marked.use({
    renderer: {
      html: ({ text }) => String(html`${text}`),
      heading({ tokens: content, depth }) {
        const tag = `h${Math.min(6, depth - highest + topLevel)}`;
        return `<${tag}>${this.parser.parseInline(content)}</${tag}>\n`;
      },
      link({ href, tokens: content }) {
        return link(href, trusted(this.parser.parseInline(content)));
      },
      // Pages request nothing from elsewhere.
      image: ({ href, text }) => link(href, html`${text}`),
    },
  });
  const text = trusted(marked.parser(tokens));
  return language === undefined ? text : html`<div${languageOf(language)}>\n${text}</div>`;
}

/** Markdown of a publisher as a quotation, at the end of which everything that the text opens ends. */
const quotation = (markdown: string): string =>
  new Marked()
    .lexer(markdown.trim())
    .map(({ type, raw }) => (type === "code" ? raw : withoutHtml(raw)))
    .join("")
    .split("\n")
    .map((text) => `> ${text}`.trimEnd())
    .join("\n");
