// The form of an endpoint: one field for each filter, all optional. Without a script, it sends the chosen fields, because
// browsers do not send a disabled option; with one, the answer takes the place of the sample beside it.
import { combinationsOf } from "../../../src/filter.ts";
import { filtersOf } from "../../../src/operation.ts";
import { maxLimit } from "../../../src/paging.ts";
import type { Endpoint } from "../endpoints.ts";
import { type Example, exampleSize } from "../examples.ts";
import { type Html, html } from "../html.ts";
import { addressHtml } from "../samples.ts";
import { type DocumentSource, requestPath } from "../source.ts";
import { choiceField, filtersInForms } from "../values.ts";

/** `example` is the request beside the form. Undefined if the endpoint has nothing to ask for. */
export function consoleForm(
  source: DocumentSource,
  { operation, isItem, path, parameters }: Endpoint,
  example: Example | undefined,
): Html | undefined {
  const request = requestPath(source.api, operation, example);
  const address = html`<p class="request"><span class="get">GET</span> <a href="${request}">${addressHtml(source, request)}</a></p>`;
  if (isItem) {
    // Without a script, it asks for the item of the example.
    const fields = parameters.map(({ name, schema }, index) => {
      const type = schema.type === "integer" ? "number" : "text";
      return html`<label>${name} <input name="${name}" type="${type}" value="${example?.key?.[index]}" required disabled autocomplete="off" spellcheck="false"></label>\n`;
    });
    return example && form(request, fields, address, html` data-path="${path}"`);
  }
  const listed = operation.kind === "list" ? filtersInForms(source, operation) : [];
  const typed = filtersOf(operation).filter((filter) => !listed.includes(filter));
  const fields = listed.map((filter) => operation.kind === "list" && choiceField(source, operation, filter));
  if (operation.kind === "list" && operation.paged) fields.push(limitField(source.sizesOf(operation.name)));
  if (operation.kind === "document" || fields.length + typed.length === 0) return form(path, [], address);
  const combinations = combinationsOf(operation).map((set) => set.map(({ param }) => param).join());
  const data = html` data-combinations="${combinations.join(" ")}" data-preset="${example?.query}"`;
  const clear = html`<button type="reset" class="plain">Clear</button>\n`;
  // An empty text field would be sent, so each has a form of its own, until the script has joined them.
  const alone = typed.map(
    ({ param }) => html`<form class="alone" method="get" action="${path}">
<label>${param} <input name="${param}" required autocomplete="off" spellcheck="false"></label>
<button class="plain">Get by ${param}</button>
</form>
`,
  );
  return html`${form(path, fields, address, data, clear)}${alone}`;
}

/** The button of a form without fields is not the first one on the screen. */
const form = (action: string, fields: readonly unknown[], address: Html, data?: Html, more?: Html): Html =>
  html`<form class="console" method="get" action="${action}"${data}>
${data && html`<div class="grid">\n${fields}</div>\n`}${address}
<p><button${data === undefined && html` class="plain"`}>Send</button>
${more}</p>
</form>
`;

function limitField(sizes: readonly number[]): Html {
  const [smallest = maxLimit] = sizes;
  return html`<label>limit <input name="limit" type="number" required min="${smallest}" max="${maxLimit}" value="${exampleSize(sizes)}"></label>\n`;
}
