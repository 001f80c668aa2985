// The publisher's own text in the reference: Markdown whose HTML is shown as text, and whose links are safe to follow.
import { Marked } from "marked";
import { isAddress, trusted } from "../../../src/html.ts";
import { type Html, heading, html, section } from "../html.ts";
import type { DocumentSource } from "../source.ts";

/** Empty if the content has no introduction. */
export function aboutSection({ settings: { introduction } }: Pick<DocumentSource, "settings">): Html {
  if (introduction === undefined) return html``;
  return section(html`${heading(2, "about", "About")}\n${markdownHtml(introduction)}`);
}

/** The level of the highest headings. */
const topLevel = 3;

function markdownHtml(text: string): Html {
  const marked = new Marked();
  const tokens = marked.lexer(text);
  const highest = Math.min(...tokens.map((token) => (token.type === "heading" ? Number(token["depth"]) : 6)));
  marked.use({
    renderer: {
      html: (code) => String(html`${code}`),
      heading: (content, level) => {
        const tag = `h${Math.min(6, level - highest + topLevel)}`;
        return `<${tag}>${content}</${tag}>\n`;
      },
      link: (href, _, content) => linkHtml(href, trusted(content)),
      // Pages request nothing from elsewhere.
      image: (href, _, alternative) => linkHtml(href, html`${alternative}`),
    },
  });
  return trusted(marked.parser(tokens));
}

const linkHtml = (href: string, content: Html): string =>
  String(isAddress(href) ? html`<a href="${href}">${content}</a>` : content);
