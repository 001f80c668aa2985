// Pages of HTML. Every text that is put into a template is escaped.
import { html } from "hono/html";

export { html };

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

/** Headings are links to themselves, so that every part of a page has an address that can be copied. */
export function heading(level: 2 | 3 | 4, id: string, content: unknown): Html {
  const link = html`<a href="#${id}">${content}</a>`;
  if (level === 2) return html`<h2 id="${id}">${link}</h2>`;
  return level === 3 ? html`<h3 id="${id}">${link}</h3>` : html`<h4 id="${id}">${link}</h4>`;
}

/** Text in which what stands between backticks is code. */
export const prose = (text: string): readonly unknown[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** What search engines and previews of links show: one line. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
