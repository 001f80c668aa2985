// A text of the publisher: Markdown whose HTML is shown as text, and whose links are safe to follow.
import { Marked } from "marked";
import { isAddress, trusted } from "../../src/declare/html.ts";
import { type Html, html, languageOf, linkHtml } from "./html.ts";

/** The level of the highest headings. */
const topLevel = 3;

/** In its language, if it is known. */
export function publisherText(markdown: string, language: string | undefined): Html {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const highest = Math.min(...tokens.map((token) => (token.type === "heading" ? Number(token["depth"]) : 6)));
  const link = (href: string, content: Html) => String(isAddress(href) ? linkHtml(href, content) : content);
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
