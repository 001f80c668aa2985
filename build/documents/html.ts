// Parts of HTML that several documents share.
import { type Html, html } from "../../src/pages.ts";

export { type Html, html };

/** A heading that links to itself, so that readers can copy the address of every part of a page. */
export function heading(level: 2 | 3 | 4, id: string, content: unknown): Html {
  const link = html`<a href="#${id}">${content}</a>`;
  if (level === 2) return html`<h2 id="${id}">${link}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${link}</h3>` : html`<h4 id="${id}">${link}</h4>`;
}

/** Text with code between backticks. */
export const prose = (text: string): readonly unknown[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** A description on one line, for search engines and previews of links. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
