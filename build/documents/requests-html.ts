// A request to copy, in several languages. Without a stylesheet, the languages are listed one below the other.
import { defaultBase } from "../../src/base.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { integerForm } from "../../src/resource.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, itemPath, requestPath } from "./source.ts";

/** The characters that fit beside `curl` in the column of samples. */
const lineLength = 44;

/** `id` is unique among the requests of the page. */
export const requestHtml = (source: DocumentSource, id: string, operation: Operation, query = ""): Html =>
  shownRequest(source, id, requestPath(source.api, operation, query), callOf(operation, query));

/** The request of a single item, with the parts of its key. */
export const itemRequestHtml = (
  source: DocumentSource,
  id: string,
  operation: ListOperation,
  key: readonly string[],
): Html => shownRequest(source, id, itemPath(source.api, operation, key), itemCallOf(operation, key));

function shownRequest({ api, settings }: DocumentSource, id: string, path: string, call: string): Html {
  const url = `${settings.url ?? "$HOST"}${path}`;
  const quote = settings.url === undefined ? '"' : "'";
  return tabs(id, "Language of the request", [
    ["curl", `curl ${url.length > lineLength ? "\\\n  " : ""}${quote}${url}${quote}`],
    [
      "JavaScript",
      `const response = await fetch(\n  "${settings.url ?? ""}${path}",\n);\nconst answer = await response.json();`,
    ],
    ...clientPanel(settings.client, clientAddress(settings.url, api.base), call),
    [
      "Python",
      `import requests\n\nanswer = requests.get(\n    ${settings.url === undefined ? `HOST + "${path}"` : `"${url}"`}\n).json()`,
    ],
  ]);
}

/** Only if the publisher provides the client. `from` is a package, or a module of a package. */
function clientPanel(from: string | undefined, address: string, call: string): readonly Panel[] {
  if (from === undefined) return [];
  const [name = from] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [];
  const text = `// npm install ${name}\nimport { createClient } from "${from}";\n\nconst client = createClient(${address});\nconst answer = await client${call};`;
  return [["Client", text]];
}

/** The argument of `createClient`, which knows the usual base. */
function clientAddress(url: string | undefined, base: string): string {
  const path = base === defaultBase ? "" : base;
  if (url !== undefined) return `"${url}${path}"`;
  return path === "" ? "HOST" : `HOST + "${path}"`;
}

/** The call of the client: `.nodes.get({ limit: 2 })`. */
function callOf({ kind, name }: Operation, query: string): string {
  const methods = memberOf(name);
  if (kind === "document") return `${methods}()`;
  const params = [...new URLSearchParams(query)].map(
    ([param, value]) => `${param.includes("-") ? `"${param}"` : param}: ${param === "limit" ? value : `"${value}"`}`,
  );
  return `${methods}.get(${params.length === 0 ? "" : `{ ${params.join(", ")} }`})`;
}

/** `.products.item("nodejs")` */
function itemCallOf({ name, resource: { scope, key, keyForm } }: ListOperation, parts: readonly string[]): string {
  const forms = [...scope, { field: key, form: keyForm }].map(({ form }) => form);
  const values = parts.map((part, index) => (forms[index] === integerForm ? part : `"${part}"`));
  return `${memberOf(name)}.item(${values.join(", ")})`;
}

const memberOf = (name: string): string => (name.includes("-") ? `["${name}"]` : `.${name}`);

type Panel = readonly [name: string, text: string];

/** Radio buttons that each show one panel by CSS. */
function tabs(id: string, label: string, panels: readonly Panel[]): Html {
  const buttons = panels.map(
    ([name], index) => html`<input type="radio" name="${id}" id="${id}-${index}"${index === 0 && html` checked`} />
<label for="${id}-${index}">${name}</label>
`,
  );
  const own = panels.map(([name, text]) => html`${codeBlock(name, html`<code>${text}</code>`)}\n`);
  return html`<div class="tabs" role="group" aria-label="${label}">
${buttons}${own}</div>`;
}

/** Scrolls if a line is too long, also by keyboard. */
export const codeBlock = (label: string, content: unknown): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}">${content}</pre>`;
