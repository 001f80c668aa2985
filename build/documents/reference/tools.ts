// What there is beside the operations: a client, types, descriptions for programs, and the data as files and tables.
import { codeBlock, type Html, heading, html, section, separated } from "../html.ts";
import { clientCode, originOf } from "../samples.ts";
import { type DocumentSource, dataPagePath, documentPaths } from "../source.ts";

interface Tool {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** In the order of the page. Their anchors are permanent. */
export function toolsOf(source: DocumentSource): readonly Tool[] {
  const { api, operations, related } = source;
  const { openapi } = documentPaths(api.base);
  const schemas = operations.map(({ name }) => [`${api.base}/schemas/${name}.json`, name] as const);
  const tables = operations.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    return path === undefined ? [] : [[path, operation.name] as const];
  });
  const linked = (kind: string) =>
    related.filter((each) => each.kind === kind).map(({ path, title }) => [path, title] as const);
  const [dumps, pages] = [linked("Downloads"), linked("Pages")];
  return [
    { id: "client", title: "Client", content: clientHtml(source) },
    { id: "types", title: "TypeScript types", content: typesHtml(source) },
    {
      ...{ id: "openapi", title: "OpenAPI" },
      content: html`<p><a href="${openapi}">openapi.json</a> describes every operation, parameter and error, for generators of clients
and for tools such as Postman.</p>`,
    },
    { id: "schemas", title: "JSON Schemas", content: html`<p>${links(schemas)}: the fields of each resource.</p>` },
    ...(dumps.length === 0
      ? []
      : [
          {
            id: "dumps",
            title: "Dumps",
            content: html`<p>${links(dumps)}: all items of a list at once, one a line.</p>`,
          },
        ]),
    ...(tables.length === 0
      ? []
      : [{ id: "tables", title: "Tables", content: html`<p>${links(tables)}: the data for people.</p>` }]),
    ...(pages.length === 0 ? [] : [{ id: "pages", title: "Pages", content: html`<p>${links(pages)}</p>` }]),
  ];
}

const links = (all: readonly (readonly [path: string, text: string])[]): readonly Html[] =>
  separated(all.map(([path, text]) => html`<a href="${path}">${text}</a>`));

function clientHtml(source: DocumentSource): Html {
  const { client } = source.settings;
  if (client === undefined) {
    return html`<p>Every request is a plain <code>GET</code>, so <code>fetch</code> is enough. With the types below, <code>openapi-fetch</code> knows every parameter and field.</p>`;
  }
  return codeBlock("Client", html`<code>${clientCode(source, client)}</code>`);
}

const typesHtml = (source: DocumentSource): Html =>
  codeBlock(
    "TypeScript types",
    html`<code>npx openapi-typescript \\
  ${originOf(source)}${documentPaths(source.api.base).openapi} \\
  -o api.d.ts</code>`,
  );

export const toolsSection = (source: DocumentSource): Html =>
  section(
    html`${heading(2, "tools", "Client, types and data")}
<dl class="fields">
${toolsOf(source).map(({ id, title, content }) => html`<div id="${id}"><dt><a href="#${id}">${title}</a></dt>\n<dd>${content}</dd></div>\n`)}</dl>`,
  );
