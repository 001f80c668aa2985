// Samples for readers: a request to copy, in several languages, and JSON that is indented, coloured by classes, and
// shortened in long lists.

import { defaultBase } from "../../src/answers.ts";
import type { Api } from "../../src/api.ts";
import type { ListOperation, Operation } from "../../src/operation.ts";
import { integerForm } from "../../src/resource.ts";
import type { Example } from "./examples.ts";
import { codeBlock, type Html, html, separated } from "./html.ts";
import { type DocumentSource, itemPath, requestPath } from "./source.ts";

/** The characters that fit a line of the narrowest column. */
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

/** Radio buttons that each show one language by CSS. Without a stylesheet, the languages are listed one after another. */
function shownRequest(
  { api, settings: { url, client } }: DocumentSource,
  id: string,
  path: string,
  call: string,
): Html {
  const panels = [
    ["curl", curlText(url, path)],
    [
      "JavaScript",
      `const response = await fetch(\n  "${url ?? ""}${path}",\n);\nconst answer = await response.json();`,
    ],
    ...(client === undefined ? [] : [["Client", clientText(client, url, api.base, call)] as const]),
    ["Python", html`import requests\n\nanswer = requests.get(\n    ${quotedAddress(url, path)}\n).json()`],
  ] as const;
  const buttons = panels.map(
    ([name], index) => html`<input type="radio" name="${id}" id="${id}-${index}"${index === 0 && html` checked`} />
<label for="${id}-${index}">${name}</label>
`,
  );
  return html`<div class="tabs" role="group" aria-label="Language of the request">
${buttons}${panels.map(([name, text]) => html`${codeBlock(name, html`<code>${text}</code>`)}\n`)}</div>`;
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

/** `from` is a package, or a module of a package. The client knows the usual base. */
function clientText(from: string, url: string | undefined, base: string, call: string): Html {
  const [name = from] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? [];
  const address = quotedAddress(url, base === defaultBase ? "" : base);
  return html`// npm install ${name}\nimport { createClient } from "${from}";\n\nconst client = createClient(${address});\nconst answer = await client${call};`;
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
  const fields = [...scope, { field: key, form: keyForm }];
  const values = parts.map((part, index) => (fields[index]?.form === integerForm ? part : `"${part}"`));
  return `${memberOf(name)}.item(${values.join(", ")})`;
}

const memberOf = (name: string): string => (name.includes("-") ? `["${name}"]` : `.${name}`);

/** The address that a string in a field links to, if any. */
type LinkOf = (field: string, value: string) => string | undefined;

/** An example's answer, with a link from `next_cursor` to the next page. */
export const answerHtml = (api: Pick<Api, "base">, operation: Operation, { query, answer }: Example): Html =>
  responseHtml(answer, (field, value) => {
    if (field !== "next_cursor") return undefined;
    const params = query.split("&").filter((param) => param !== "" && !param.startsWith("cursor="));
    return requestPath(api, operation, [...params, `cursor=${value}`].join("&"));
  });

/** The answer of a request. */
export const responseHtml = (
  answer: unknown,
  linkOf?: LinkOf,
): Html => html`<p class="caption"><span class="ok">200</span> Response</p>
${codeBlock("Response", jsonHtml(answer, 2, linkOf))}`;

/** `shown` is the number of elements of each list that are shown. */
export const jsonHtml = (value: unknown, shown: number, linkOf: LinkOf = () => undefined): Html =>
  html`<code>${print(value, "", "", { shown, linkOf })}</code>`;

interface View {
  readonly shown: number;
  readonly linkOf: LinkOf;
}

/** `indent` is undefined within a line. */
function print(value: unknown, field: string, indent: string | undefined, view: View): Html {
  if (typeof value === "string") return text(value, view.linkOf(field, value));
  if (typeof value === "number") return html`<span class="n">${value}</span>`;
  if (typeof value !== "object" || value === null) return html`<span class="l">${String(value)}</span>`;
  if (Array.isArray(value)) return list(value, field, indent, view);
  const members = Object.entries(value);
  if (members.length === 0) return html`{}`;
  const printed = (within: string | undefined) =>
    members.map(
      ([name, member]) => html`<span class="k">${JSON.stringify(name)}</span>: ${print(member, name, within, view)}`,
    );
  if (indent === undefined || fits(value, indent)) return html`{ ${separated(printed(undefined))} }`;
  return html`{${inLines(printed(`${indent}  `), indent)}}`;
}

function list(values: readonly unknown[], field: string, indent: string | undefined, view: View): Html {
  const first = values.slice(0, view.shown);
  const more = values.length - first.length;
  const rest = more > 0 ? [html`<span class="c">… ${more} more</span>`] : [];
  const printed = (within: string | undefined) => [...first.map((each) => print(each, field, within, view)), ...rest];
  const isShort = indent === undefined || values.length === 0 || (fits(first, indent) && first.every(isPlain));
  return isShort ? html`[${separated(printed(undefined))}]` : html`[${inLines(printed(`${indent}  `), indent)}]`;
}

const fits = (value: unknown, indent: string): boolean => JSON.stringify(value).length + indent.length <= lineLength;

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain));

const inLines = (parts: readonly Html[], indent: string): Html =>
  html`${parts.map((part, index) => html`${index > 0 && ","}\n${indent}  ${part}`)}\n${indent}`;

function text(value: string, link: string | undefined): Html {
  const quoted = html`<span class="s">${JSON.stringify(value)}</span>`;
  return link === undefined ? quoted : html`<a href="${link}">${quoted}</a>`;
}
