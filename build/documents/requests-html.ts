// A request to copy, in several languages. Without a stylesheet, the languages are listed one below the other.
import { defaultBase } from "../../src/base.ts";
import type { Operation } from "../../src/operation.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, requestPath } from "./source.ts";

/** The characters that fit beside `curl` in the column of samples. */
const lineLength = 44;

/** `id` is unique among the requests of the page. */
export function requestHtml({ api, settings }: DocumentSource, id: string, operation: Operation, query = ""): Html {
  const path = requestPath(api, operation, query);
  const url = `${settings.url ?? "$HOST"}${path}`;
  const quote = settings.url === undefined ? '"' : "'";
  return tabs(id, "Language of the request", [
    ["curl", `curl ${url.length > lineLength ? "\\\n  " : ""}${quote}${url}${quote}`],
    [
      "JavaScript",
      `const response = await fetch(\n  "${settings.url ?? ""}${path}",\n);\nconst answer = await response.json();`,
    ],
    ...clientPanel(settings.client, clientAddress(settings.url, api.base), operation, query),
    [
      "Python",
      `import requests\n\nanswer = requests.get(\n    ${settings.url === undefined ? `HOST + "${path}"` : `"${url}"`}\n).json()`,
    ],
  ]);
}

/** Only if the publisher provides the client. `from` is a package, or a module of a package. */
function clientPanel(from: string | undefined, address: string, operation: Operation, query: string): readonly Panel[] {
  if (from === undefined) return [];
  const [name = from] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [];
  const text = `// npm install ${name}\nimport { createClient } from "${from}";\n\nconst client = createClient(${address});\nconst answer = await client${callOf(operation, query)};`;
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
  const methods = name.includes("-") ? `["${name}"]` : `.${name}`;
  if (kind === "document") return `${methods}()`;
  const params = [...new URLSearchParams(query)].map(
    ([param, value]) => `${param.includes("-") ? `"${param}"` : param}: ${param === "limit" ? value : `"${value}"`}`,
  );
  return `${methods}.get(${params.length === 0 ? "" : `{ ${params.join(", ")} }`})`;
}

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
