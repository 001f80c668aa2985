// The table of contents: beside the page on wide screens, folded above it on narrow ones.

import { itemAnchor, operationAnchor, resourceAnchor } from "./anchors.ts";
import { type Html, html } from "./html.ts";
import { brand } from "./page-html.ts";
import { resourcesOf } from "./reference-resource.ts";
import { type DocumentSource, hasItems, isPaged, versionOf } from "./source.ts";

export function contents(source: DocumentSource): Html {
  const list = lists(source);
  const title = html`<p class="brand">${brand(source, "#top")} <span class="tag">${versionOf(source)}</span></p>`;
  return html`<nav class="side" aria-label="Contents">
${title}
${list}
</nav>
<details class="folded">
<summary>Contents</summary>
<nav aria-label="Contents">
${list}
</nav>
</details>`;
}

function lists(source: DocumentSource): Html {
  const start = [
    ["top", "Introduction"],
    ["first-request", "First request"],
    ...(source.operations.some(isPaged) ? [["paging", "Paging"] as const] : []),
    ["errors", "Errors"],
    ["caching", "Caching"],
    ["cors", "CORS"],
    ["versions", "Versions"],
  ] as const;
  const operations = source.operations.flatMap((each) => [
    [operationAnchor(each), html`<span class="get">GET</span> ${each.name}`] as const,
    ...(hasItems(each)
      ? [[itemAnchor(each), html`<span class="get">GET</span> one ${each.resource.noun}`] as const]
      : []),
  ]);
  const resources = resourcesOf(source).map((each) => [resourceAnchor(each.title), each.title] as const);
  return html`${linkList("Start", start)}
${linkList("Operations", operations)}
${linkList("Resources", resources)}`;
}

function linkList(title: string, links: readonly (readonly [id: string, text: string | Html])[]): Html {
  const items = links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>\n`);
  return html`<p class="list-title">${title}</p>
<ul>
${items}</ul>`;
}
