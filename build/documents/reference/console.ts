// The form of an endpoint: one field for each filter, all optional. Without a script, it sends the chosen fields, because
// browsers do not send a disabled option; with one, the answer takes the place of the sample beside it.
import { combinationsOf, type Filter } from "../../../src/filter.ts";
import { filtersOf, type ListOperation } from "../../../src/operation.ts";
import { maxLimit } from "../../../src/paging.ts";
import type { Endpoint } from "../endpoints.ts";
import { type Example, exampleSize } from "../examples.ts";
import { filterField, isListedInForms } from "../filter-values.ts";
import { type Html, html } from "../html.ts";
import { addressHtml } from "../samples.ts";
import { type DocumentSource, requestPath } from "../source.ts";

/** `example` is the request beside the form. Undefined if the endpoint has nothing to ask for. */
export function consoleForm(
  source: DocumentSource,
  endpoint: Endpoint,
  example: Example | undefined,
): Html | undefined {
  const { operation, isItem, path } = endpoint;
  if (isItem) return example && itemForm(source, endpoint, example);
  const address = requestLine(source, endpoint, example);
  if (operation.kind === "document") return form(path, html``, address, "plain");
  const [typed, listed] = partition(filtersOf(operation), (filter) => !isListedInForms(source, operation, filter));
  const fields = [
    ...listed.map((filter) => filterField(source, operation, filter)),
    ...(operation.paged ? [limitField(source, operation)] : []),
  ];
  if (fields.length === 0 && typed.length === 0) return form(path, html``, address, "plain");
  const combinations = combinationsOf(operation).map((set) => set.map(({ param }) => param).join());
  const data = html` data-combinations="${combinations.join(" ")}" data-preset="${example?.query}"`;
  // An empty text field would be sent, so each has a form of its own, until the script has joined them.
  const alone = typed.map(
    (filter) => html`<form class="alone" method="get" action="${path}">
${filterField(source, operation, filter)}<button class="plain">Get by ${filter.param}</button>
</form>
`,
  );
  const clear = html`<button type="reset" class="plain">Clear</button>\n`;
  return html`${form(path, html`<div class="grid">\n${fields}</div>\n`, address, "", clear, data)}${alone}`;
}

const form = (action: string, fields: Html, address: Html, kind: string, more?: Html, data?: Html): Html =>
  html`<form class="console" method="get" action="${action}"${data}>
${fields}${address}
<p><button${kind !== "" && html` class="${kind}"`}>Send</button>
${more}</p>
</form>
`;

/** Without a script, it asks for the item of the example. */
function itemForm(source: DocumentSource, endpoint: Endpoint, example: Example): Html {
  const { parameters, path } = endpoint;
  const fields = parameters.map(({ name, schema }, index) => {
    const type = schema.type === "integer" ? "number" : "text";
    return html`<label>${name} <input name="${name}" type="${type}" value="${example.key?.[index]}" required disabled autocomplete="off" spellcheck="false"></label>\n`;
  });
  const address = requestLine(source, endpoint, example);
  const action = requestPath(source.api, endpoint.operation, example);
  return form(action, html`<div class="grid">\n${fields}</div>\n`, address, "", undefined, html` data-path="${path}"`);
}

const requestLine = (source: DocumentSource, { operation }: Endpoint, example: Example | undefined): Html => {
  const path = requestPath(source.api, operation, example);
  return html`<p class="request"><span class="get">GET</span> <a href="${path}">${addressHtml(source, path)}</a></p>`;
};

function limitField({ sizesOf }: DocumentSource, { name }: ListOperation): Html {
  const [smallest = maxLimit, ...larger] = sizesOf(name);
  return html`<label>limit <input name="limit" type="number" required min="${smallest}" max="${maxLimit}" value="${exampleSize([smallest, ...larger])}"></label>\n`;
}

function partition(filters: readonly Filter[], isFirst: (filter: Filter) => boolean) {
  return [filters.filter(isFirst), filters.filter((each) => !isFirst(each))] as const;
}
