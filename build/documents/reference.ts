// The reference: explains the API to people, on one HTML page that needs no script.
import { asset } from "../asset.ts";
import { type Accent, schemes, tintOf } from "../colour.ts";
import { type Document, minutes } from "../document.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";
import { dataScope } from "./data-pages.ts";
import { type Html, html, oneLine } from "./html.ts";
import { pageHtml } from "./page-html.ts";
import { contents } from "./reference-contents.ts";
import { itemSection } from "./reference-item.ts";
import { operationSection } from "./reference-operation.ts";
import { resourceSection, resourcesOf } from "./reference-resource.ts";
import { cachingSection, corsSection, errorsSection, versionsSection } from "./reference-rules.ts";
import { firstSection, introduction, pagingSection } from "./reference-start.ts";
import { type DocumentSource, documentPaths, hasItems, titleOf } from "./source.ts";

/** The page, at the path of the reference and at the root, with the stylesheet, script and images of all pages. */
export function referenceDocuments(source: DocumentSource): readonly Document[] {
  const page = [encode(String(reference(source)))];
  const about = { contentType: "text/html; charset=utf-8", cacheControl: minutes, mark: generator, parts: () => page };
  const paths = documentPaths(source.api.base);
  const { reference: path, front } = paths;
  return [
    { ...about, path, file: `${path.slice(1)}index.html` },
    { ...about, path: front, file: "index.html" },
    textAt(paths.style, "text/css", `/* ${generator} */\n\n${stylesheet(source)}`),
    textAt(paths.script, "text/javascript; charset=utf-8", `/* ${generator} */\n\n${script()}`),
    textAt(paths.icon, "image/svg+xml", iconOf(source.settings.accent)),
    ...logoOf(source),
  ];
}

/** The rules for all pages, then those of the declared pages, then those for paper. */
function stylesheet({ api: { pages, hasDataPages }, settings: { accent } }: DocumentSource): string {
  const own = [...pages.map(({ scope }) => scope), ...(hasDataPages ? [dataScope] : [])];
  const scopes = [...new Set(own)].map((scope) => `.${scope}`);
  const [scope = ".page", ...others] = scopes;
  const styles = pages.flatMap(({ style }) => (style === "" ? [] : [`${style.trimEnd()}\n`]));
  return coloured(asset("documents/style.css"), accent)
    .replaceAll(/\.page\b/g, others.length === 0 ? scope : `:is(${scopes.join(", ")})`)
    .replace("/* The styles of the API's pages. */\n", () => styles.join("\n"));
}

/** Without its comments, which are a tenth of it. */
const script = (): string =>
  asset("documents/page.js")
    .replaceAll(/^ *\/\/.*\n/gm, "")
    .trimStart();

const textAt = (path: string, contentType: string, text: string): Document => ({
  path,
  file: path.slice(1),
  contentType,
  cacheControl: minutes,
  mark: generator,
  parts: () => [encode(text)],
});

/** The stylesheet with another accent for light pages, its first one, and for dark pages, its second one. */
function coloured(style: string, accent: Accent | undefined): string {
  if (accent === undefined) return style;
  let scheme = 0;
  return style.replaceAll(/--accent: [^;]+;(\s+)--tint: [^;]+;/g, (_, space) => {
    const each = schemes[scheme++] ?? "dark";
    return `--accent: ${accent[each]};${space}--tint: ${tintOf(accent[each], each)};`;
  });
}

function logoOf({ api: { base }, settings: { logo } }: DocumentSource): readonly Document[] {
  if (logo === undefined) return [];
  const path = `${base}/docs/${logo.file}`;
  const contentType = logo.file === "logo.png" ? "image/png" : "image/svg+xml";
  return [{ path, file: path.slice(1), contentType, cacheControl: minutes, parts: () => [logo.bytes] }];
}

/** Without an icon, browsers request a favicon that the host does not have. */
const iconOf = (
  accent: Accent | undefined,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- ${generator} --><rect width="32" height="32" rx="8" fill="${accent?.light ?? "#0a5bc2"}"/><g fill="none" stroke="#fff" stroke-width="2.5"><circle cx="16" cy="16" r="9"/><path d="M7 16h18M16 7c-6 5-6 13 0 18M16 7c6 5 6 13 0 18"/></g></svg>
`;

export function reference(source: DocumentSource): Html {
  const title = titleOf(source);
  const description = oneLine(
    source.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
  );
  return pageHtml(source.api, {
    title: `${title} – Reference`,
    shortTitle: title,
    description,
    links: html`<link rel="service-desc" type="application/json" href="${documentPaths(source.api.base).openapi}">\n`,
    body: html`<body>`,
    top: contents(source),
    content: html`${introduction(source)}
${firstSection(source)}
${pagingSection(source)}
${errorsSection(source)}
${cachingSection(source)}
${corsSection()}
${versionsSection(source)}
<h2 class="group" id="operations"><a href="#operations">Operations</a></h2>
${source.operations.map((operation) => html`${operationSection(source, operation)}${hasItems(operation) && itemSection(source, operation)}`)}
<h2 class="group" id="resources"><a href="#resources">Resources</a></h2>
${resourcesOf(source).map((resource) => resourceSection(source, resource))}`,
  });
}
