// The frame of every HTML page, and the parts that several pages share.
import type { Change, Changes } from "../../../src/answers/answers.ts";
import type { Deprecation } from "../../../src/declare/deprecation.ts";
import { type Html, html, type PageContent } from "../../../src/declare/html.ts";
import { isRightToLeft } from "../../../src/declare/language.ts";
import { type Document, lazyDocument, minutes } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { referencePath } from "../../routing/paths.ts";
import { documentPaths } from "../describe/addresses.ts";
import { noticeOfApi, titleOf } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { credentialCode } from "./credentials.ts";

export { type Html, html };

interface PageParts {
  /** In a request. Undefined if the page is at many addresses, none of which is permanent. */
  readonly path: string | undefined;
  /** The site's name is added. */
  readonly title: string;
  /** Default: the title. */
  readonly description?: string | undefined;
  /** Further lines of the head. */
  readonly links?: Html | undefined;
  /** The class of the body. */
  readonly scope?: string;
  /** The language of the main content; undefined for English. */
  readonly language?: string | undefined;
  /** The part above the main content. */
  readonly top: Html;
  readonly content: Html;
}

/** As in frame.css. */
const ground = { light: "#fff", dark: "#0f1216" };

/** What the frame reads of a site. */
interface PageSite extends Pick<Site, "api" | "changes" | "changesPage"> {
  readonly settings: Pick<Site["settings"], "access" | "url" | "logo" | "card" | "title" | "license" | "contact">;
}

export function pageHtml(site: PageSite, parts: PageParts): Html {
  const { api, changes } = site;
  const notice = noticeHtml(noticeOfApi(api), (code) =>
    code === api.deprecated?.use ? referencePath(code) : undefined,
  );
  const { path, links, scope, language, top, content } = parts;
  const title = `${parts.title} – ${titleOf(site)}`;
  const { style, script, icon, feed } = documentPaths(api.base);
  // On one line, for search engines and previews of links.
  const description = (parts.description ?? title).replaceAll(/\s+/g, " ").trim();
  const isForeign = language !== undefined;
  const isHidden = path === undefined || site.settings.access !== undefined;
  // The script may load late or never: the stylesheet reserves the room of its additions.
  return html`<!doctype html>
<html${languageOf(language ?? "en")}${credentialData(site.settings)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="generator" content="${generator}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${ground.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${ground.dark}" media="(prefers-color-scheme: dark)">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
${path !== undefined && previewOf(site, path)}<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
<link rel="icon" type="image/svg+xml" href="${icon}">
${changes && html`<link rel="alternate" type="application/atom+xml" title="Changes" href="${feed}">\n`}${isHidden && html`<meta name="robots" content="noindex">\n`}${links}</head>
<body${scope !== undefined && html` class="${scope}"`}>
<a class="skip"${isForeign && english} href="#content">Skip to the content</a>
${top}
<main id="content">
${notice}${content}
</main>
${footer(site, isForeign)}
</body>
</html>
`;
}

/** For scripts, which write requests. */
const credentialData = ({ access }: PageSite["settings"]) =>
  access !== undefined && html` data-credentials="${JSON.stringify(credentialCode({ access }))}"`;

/** The permanent address of a page; and what previews of links show, which needs the address of the host. */
function previewOf({ api, settings: { url, logo, card } }: PageSite, path: string): Html {
  const canonical = html`<link rel="canonical" href="${url}${path}">\n`;
  if (url === undefined) return canonical;
  // Previews show no SVG.
  const shown = card ?? (logo?.file.endsWith(".svg") ? undefined : logo);
  const picture = shown && html`<meta property="og:image" content="${url}${api.base}/docs/${shown.file}">\n`;
  return html`<meta property="og:url" content="${url}${path}">
<meta name="twitter:card" content="${card === undefined ? "summary" : "summary_large_image"}">
${picture}${canonical}`;
}

/** The line at the end of every page. */
function footer(site: PageSite, isForeign: boolean): Html {
  const { openapi, feed } = documentPaths(site.api.base);
  const { license, contact } = site.settings;
  const freshness = freshnessOf(site);
  const parts = [
    ...(freshness === undefined ? [] : [html`${freshness.words} ${toChanges(site, freshness.time)}`]),
    ...(license === undefined ? [] : [linkHtml(license.url, license.name)]),
    ...(contact === undefined ? [] : [contactHtml(contact)]),
    ...(site.changes === undefined ? [] : [linkHtml(feed, "Atom")]),
    linkHtml(openapi, "OpenAPI"),
    html`Made with ${generator}`,
  ];
  return html`<footer${isForeign && english}>
<p>${separated(parts, " · ")}</p>
</footer>`;
}

/** With a link to the page of changes, if there is one. */
export const toChanges = ({ changesPage }: Pick<Site, "changesPage">, time: Html): Html =>
  changesPage === undefined ? time : linkHtml(changesPage, time);

interface Freshness {
  readonly words: "Last change" | "Unchanged since";
  readonly time: Html;
}

/** Of all data or of a list. Undefined without a list of changes. */
export function freshnessOf({ changes }: Pick<Site, "changes">, list?: string): Freshness | undefined {
  if (changes === undefined) return undefined;
  const change = list === undefined ? changes.data[0] : changeOf(changes, list);
  return change === undefined
    ? { words: "Unchanged since", time: timeHtml(changes.since) }
    : { words: "Last change", time: timeHtml(change.at) };
}

/** The last change of a list. */
export const changeOf = ({ data }: Changes, list: string): Change | undefined =>
  data.find(({ collections }) => Object.hasOwn(collections, list));

export function contactHtml({ name, url, email }: NonNullable<Site["settings"]["contact"]>): Html {
  const label = name ?? email ?? url;
  if (url !== undefined) return linkHtml(url, label);
  return email === undefined ? html`${label}` : linkHtml(`mailto:${email}`, label);
}

interface FramedPage extends Omit<PageParts, keyof PageContent> {
  readonly path: string;
  readonly scope: string;
}

/** A page below a header. Its text is generated on demand. */
export function pageDocument(site: Site, page: FramedPage, contentOf: () => PageContent): Document {
  const scope = [...new Set(["page", page.scope])].join(" ");
  return htmlFile(page.path, () => pageHtml(site, { ...page, ...contentOf(), scope }));
}

/** A page as a document. Its text is generated on demand. */
export function htmlFile(path: string, page: () => Html, cacheControl = minutes): Document {
  const file = `${path.slice(1).replace(/\.html$/, "")}.html`;
  const contentType = "text/html; charset=utf-8";
  return lazyDocument({ path, file, contentType, cacheControl }, () => String(page()));
}

/** The attributes of an element with words of a language. Undefined if it is that of the page. */
export const languageOf = (language: string | undefined): Html | undefined =>
  language === undefined ? undefined : html` lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}`;

/** The attributes of the program's words on a page in another language. */
export const english = html` lang="en" dir="ltr"`;

/** Marks words of the publisher on a page of the program, if they have a language. */
export const publisherWords = ({ settings: { language } }: Pick<Site, "settings">, words: unknown): Html =>
  language === undefined ? html`${words}` : html`<span${languageOf(language)}>${words}</span>`;

/** A heading that links to itself, so that readers can copy the address of every part of a page. */
export const heading = (level: 2 | 3 | 4, id: string, content: unknown): Html =>
  html`<h${level} id="${id}"><a href="#${id}">${content}</a></h${level}>`;

export const linkHtml = (href: string, text: unknown): Html => html`<a href="${href}">${text}</a>`;

/** The address to which a piece of code in a text leads, if any. */
export type LinkOf = (code: string) => string | undefined;

/** Text with code between backticks. */
export const prose = (text: string, linkOf: LinkOf = () => undefined): readonly Html[] =>
  text.split("`").map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    const code = html`<code>${part}</code>`;
    const href = linkOf(part);
    return href === undefined ? code : linkHtml(href, code);
  });

/** A mark beside the name of a deprecated operation, filter, field or output. */
export const deprecationMark = (deprecated: Deprecation | undefined): Html | undefined =>
  deprecated && html` <span class="bad">deprecated</span>`;

/** A notice, with a link to the replacement. */
export function noticeHtml(text: string, linkOf?: LinkOf): Html | undefined {
  if (text === "") return undefined;
  const [what = "", when = ""] = text.split(/(?<=deprecated)/i);
  return html`<aside class="notice" role="note"><strong>${what}</strong>${prose(when, linkOf)}</aside>\n`;
}

/** A time for people, `2026-11-20 09:00 UTC`, behind which the script adds its age. `at` is to the second, in UTC. */
export const timeHtml = (at: string): Html =>
  html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;

/** The parts of an enumeration, separated by commas. */
export const separated = (parts: readonly unknown[], by = ", "): readonly Html[] =>
  parts.map((part, index) => html`${index > 0 && by}${part}`);

/** Long lines are wrapped. */
export const code = (label: string, content: unknown): Html =>
  html`<pre role="group" aria-label="${label}"><code>${content}</code></pre>`;

/** A text with the origin of the API, which may be long: it scrolls in itself, so that no line moves. */
export const hostText = (content: unknown): Html => html`<span class="host" tabindex="0">${content}</span>`;

/** Code in a frame, below a bar that names it, to which the script adds a button to copy it. */
export const codeBlock = (label: string, content: unknown, name: unknown = label): Html =>
  framed(name, code(label, content));

/** A long block, which scrolls in itself. */
export const scrolledBlock = (label: string, content: unknown, name: unknown = label): Html =>
  framed(name, html`<pre tabindex="0" role="group" aria-label="${label}"><code>${content}</code></pre>`);

const framed = (name: unknown, block: Html): Html => html`<div class="frame">
<div><p class="caption">${name}</p></div>
${block}
</div>`;

interface SectionParts {
  /** Beside the text on wide screens. */
  readonly sample?: Html | false;
  /** Further text, which narrow screens show after the sample. */
  readonly rest?: Html;
  /** Takes the whole width. */
  readonly wide?: Html;
}

/** A section of the reference. */
export const section = (text: Html, { sample, rest, wide }: SectionParts = {}): Html => html`<section>
<div class="text">
${text}
</div>
${sample && html`<div class="sample">\n${sample}\n</div>\n`}${rest && html`<div class="text">\n${rest}\n</div>\n`}${wide && html`<div class="wide">\n${wide}\n</div>\n`}</section>
`;

/** A table whose rows are stacked on narrow screens. The cells of the first column are the heads of the rows. */
export const stackedTable = (
  heads: readonly string[],
  rows: readonly { readonly id?: string; readonly cells: readonly unknown[] }[],
): Html => html`<table class="stack">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ id, cells: [first, ...cells] }) =>
    html`<tr${id !== undefined && html` id="${id}"`}><th scope="row">${first}</th>${cells.map(
      (cell, index) => html`<td data-label="${heads[index + 1]}">${cell}</td>`,
    )}</tr>\n`,
)}</tbody>
</table>`;
