// The header that all pages share: the name of the API, the pages in one order, the current one marked, and the search.
import type { OtherApi } from "../../content/catalog.ts";
import { referencePath } from "../../routing/paths.ts";
import { documentPaths } from "../describe/addresses.ts";
import { titleOf, versionOf } from "../describe/sentences.ts";
import { type PageLink, pagesIn, type Site } from "../describe/site.ts";
import { deprecationMark, english, type Html, html } from "./html.ts";

/** More declared pages than these, behind the others, are in a menu. */
const maxBeside = 3;

/** The page that the header marks as current: the page itself, or the index of data for a table. */
interface CurrentPage {
  readonly path: string | undefined;
  readonly language?: string | undefined;
}

/** The pages to which every header leads, in its order. */
export const headerPages = (site: Site): readonly PageLink[] => [
  { path: documentPaths(site.api.base).reference, title: "Reference" },
  ...(site.dataIndex === undefined ? [] : [{ path: site.dataIndex, title: "Data" }]),
  ...pagesIn(site),
];

/** `further` are links below. */
export function header(site: Site, current: CurrentPage, further?: Html): Html {
  const { reference } = documentPaths(site.api.base);
  const others = site.declaredPages.filter(({ main }) => !main).length;
  const menuStart = others > maxBeside ? -others : undefined;
  const links = headerPages(site).map(
    ({ path, title }) => html`<a href="${path}"${current.path === path && html` aria-current="page"`}>${title}</a>`,
  );
  const rest = menuStart !== undefined && menu(html`More`, links.slice(menuStart));
  return html`<header${current.language !== undefined && english}>
<p class="brand">${brand(site, reference)}</p>
${versions(site)}<nav aria-label="Site"><ul>
${links.slice(0, menuStart).map((link) => html`<li>${link}</li>\n`)}</ul>
${rest}</nav>
<p class="finder"></p>
<p class="theme"></p>
${further}</header>`;
}

const menu = (title: Html, links: readonly Html[]): Html => html`<details class="menu"><summary>${title}</summary>
<ul>
${links.map((link) => html`<li>${link}</li>\n`)}</ul></details>\n`;

/** The version, with a menu of the other APIs of the build. */
function versions(site: Site): Html {
  const { api, settings, catalog } = site;
  const version = versionOf(api);
  const others = catalog.placement?.others ?? [];
  if (others.length === 0) return html`<p class="tag">${version}</p>\n`;
  const link = ({ base, title = "API", deprecated }: OtherApi, isCurrent = false) =>
    html`<a href="${referencePath(base)}"${isCurrent && html` aria-current="true"`}>${title} <code>${base}</code>${deprecationMark(deprecated)}</a>`;
  const { title } = settings;
  const { base, deprecated } = api;
  return menu(html`${version}`, [
    link({ base, title, deprecated }, true),
    ...others.map((other) => link({ ...other, base: settings.mount + other.base })),
  ]);
}

/** The logo and the title of the API, with a link. */
const brand = ({ api, settings }: Pick<Site, "api" | "settings">, href: string): Html =>
  html`<a href="${href}"${settings.language !== undefined && html` lang="${settings.language}"`} dir="auto">${settings.logo && html`<img src="${api.base}/docs/${settings.logo.file}" alt=""> `}${titleOf({ settings })}</a>`;
