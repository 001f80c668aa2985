// A request to copy, in several languages. Without a stylesheet, the languages are listed one below the other.
import { defaultBase } from "../../src/answers.ts";
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
  return tabs(id, "Language of the request", [
    ["curl", curlText(settings.url, path)],
    [
      "JavaScript",
      `const response = await fetch(\n  "${settings.url ?? ""}${path}",\n);\nconst answer = await response.json();`,
    ],
    ...clientPanel(settings.client, clientAddress(settings.url, api.base), call),
    ["Python", html`import requests\n\nanswer = requests.get(\n    ${quotedAddress(settings.url, path)}\n).json()`],
  ]);
}

function curlText(url: string | undefined, path: string): Html {
  const quote = url === undefined ? '"' : "'";
  const isLong = `${url ?? "$HOST"}${path}`.length > lineLength;
  return html`curl ${isLong && "\\\n  "}${quote}${url ?? shellHost}${path}${quote}`;
}

/** The host, if `url` is not set: variables in a shell and in a program, which the script of the pages replaces. */
export const shellHost = html`<var>$HOST</var>`;
const programHost = html`<var>HOST</var>`;

/** A string in a program. */
function quotedAddress(url: string | undefined, path: string): Html {
  if (url !== undefined) return html`"${url}${path}"`;
  return path === "" ? programHost : html`${programHost} + "${path}"`;
}

/** Only if the publisher provides the client. `from` is a package, or a module of a package. */
function clientPanel(from: string | undefined, address: Html, call: string): readonly Panel[] {
  if (from === undefined) return [];
  const [name = from] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [];
  const text = html`// npm install ${name}\nimport { createClient } from "${from}";\n\nconst client = createClient(${address});\nconst answer = await client${call};`;
  return [["Client", text]];
}

/** The argument of `createClient`, which knows the usual base. */
const clientAddress = (url: string | undefined, base: string): Html =>
  quotedAddress(url, base === defaultBase ? "" : base);

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

type Panel = readonly [name: string, text: string | Html];

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

/** Long lines are wrapped. */
export const codeBlock = (label: string, content: unknown): Html =>
  html`<pre role="group" aria-label="${label}">${content}</pre>`;
