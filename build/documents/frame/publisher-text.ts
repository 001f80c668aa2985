// The publisher's texts, introduction.md and changes.md: Markdown whose HTML is shown as text, and whose links are safe to
// follow. This module is loaded only if there is one of them, because the rules of `marked` take 5 ms to make.
import { Marked, type Token, type Tokens } from "marked";
import { isSafeAddress, trusted } from "../../../src/declare/html.ts";
import type { Settings } from "../../content/settings/chosen-settings.ts";
import type { DatedText, PublisherTexts } from "../describe/site.ts";
import { type Html, html, languageOf, linkHtml } from "./html.ts";
import { withoutHtml } from "./markdown-text.ts";

export function publisherTexts({
  introduction,
  changesText,
  language,
}: Pick<Settings, "introduction" | "changesText" | "language">): PublisherTexts {
  return {
    introduction: introduction === undefined ? undefined : shown(new Marked().lexer(introduction), language),
    quotation: introduction === undefined ? undefined : quotation(introduction),
    changes: changesText === undefined ? undefined : datedText(changesText, language),
  };
}

/** The parts below headings that start with a date, such as `## 2026-11-20: New regions`, and the text below no date. */
function datedText(markdown: string, language: string | undefined): DatedText {
  const undated: Token[] = [];
  const notes: { readonly date: string; readonly heading: Tokens.Heading; readonly tokens: Token[] }[] = [];
  let tokens = undated;
  for (const token of new Marked().lexer(markdown)) {
    const heading = token.type === "heading" ? (token as Tokens.Heading) : undefined;
    const date = dateIn(heading?.text);
    if (heading !== undefined && date !== undefined) {
      tokens = [];
      notes.push({ date, heading, tokens });
    } else {
      if (heading !== undefined && heading.depth <= (notes.at(-1)?.heading.depth ?? 0)) tokens = undated;
      tokens.push(token);
    }
  }
  const textOf = (part: readonly Token[]) =>
    part.every(({ type }) => type === "space") ? undefined : shown(part, language);
  return {
    undated: textOf(notes.length === 0 ? undated : withoutEmptyParts(undated)),
    notes: notes.map(({ date, heading, tokens: part }) => ({ date, title: titleOf(heading), text: textOf(part) })),
  };
}

/** The level of a heading. Texts are below all levels. */
const depthOf = (token: Token): number => (token.type === "heading" ? Number(token["depth"]) : 7);

/** Leaves out headings without content, such as the headings of years whose notes have dates. */
function withoutEmptyParts(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  for (const token of tokens.toReversed()) {
    const next = kept.find(({ type }) => type !== "space");
    const isEmpty = next === undefined || depthOf(next) <= depthOf(token);
    if (token.type !== "heading" || !isEmpty) kept.unshift(token);
  }
  return kept;
}

/** The date with which a text starts, behind marks of Markdown. */
function dateIn(text = ""): string | undefined {
  const [, date = ""] = /^[^\p{L}\p{N}]*(\d{4}-\d{2}-\d{2})(?!\d)/u.exec(text) ?? [];
  const milliseconds = Date.parse(date);
  // 30 February is read as a day of March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date) ? date : undefined;
}

/** The level of the highest headings. */
const topLevel = 3;

/** A text as HTML, in its language if it is known. */
function shown(tokens: readonly Token[], language: string | undefined): Html {
  const highest = Math.min(6, ...tokens.map(depthOf));
  const text = trusted(markedWith(topLevel - highest).parser([...tokens]));
  return language === undefined ? text : html`<div${languageOf(language)}>\n${text}</div>`;
}

/** The words of a heading, without links: the heading is one. */
function titleOf({ tokens: words }: Tokens.Heading): Html {
  const marked = markedWith(0).use({
    renderer: {
      link({ tokens }) {
        return this.parser.parseInline(tokens);
      },
      image: (image) => String(html`${image.text}`),
    },
  });
  return trusted(marked.Parser.parseInline(words, marked.defaults));
}

/** The rules for the texts of publishers. `shift` is added to the levels of headings. */
function markedWith(shift: number): Marked {
  const link = (href: string, content: Html) => String(isSafeAddress(href) ? linkHtml(href, content) : content);
  return new Marked({
    renderer: {
      html: ({ text }) => String(html`${text}`),
      heading({ tokens: content, depth }) {
        // A heading within a quotation or a list may be higher than those beside it.
        const tag = `h${Math.min(6, Math.max(topLevel, depth + shift))}`;
        return `<${tag}>${this.parser.parseInline(content)}</${tag}>\n`;
      },
      link({ href, tokens: content }) {
        return link(href, trusted(this.parser.parseInline(content)));
      },
      // Pages request nothing from elsewhere.
      image: ({ href, text }) => link(href, html`${text}`),
    },
  });
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
