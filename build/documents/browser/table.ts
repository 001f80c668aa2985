// The script of the tables: finds, filters and sorts as one types, opens rows, and keeps what is shown in the address.
// Every page is complete without it. The first use loads the items.
import { html } from "../../../src/html.ts";
import { integer } from "../../text/words.ts";
import { type FacetValue, rowAnchor, type TableData, valuesHtml } from "../tables/cells.ts";
import { addCopyButton, all, announce, copyButton, make, makeButton, showAges } from "./elements.ts";
import type { TableItems, TableView } from "./table-items.ts";
import { addressOf, requestFor, stateAt, type TableState, withChoice } from "./table-state.ts";

/** The most values of a filter that are shown at once. */
const mostValues = 500;

/** The number of filters whose values are shown at first, and how many values they may have. */
const [mostOpen, fewValues] = [3, 12];

const section = document.querySelector<HTMLElement>("[data-table]") ?? make("section");
const body = section.querySelector("tbody") ?? make("tbody");
const heads = all("thead th", section);
const heading = section.querySelector("h2 a");
const pages = section.querySelector<HTMLElement>(".pages") ?? make("nav", { className: "pages", ariaLabel: "Pages" });
const facets = document.querySelector<HTMLElement>(".facets") ?? make("div", { className: "facets" });
const chosen = make("span", { className: "chosen" });
const data: TableData = JSON.parse(section.dataset["table"] ?? "{}");
const label = `Find ${data.nouns}`;
const input = make("input", { type: "search", placeholder: label, ariaLabel: label, autocomplete: "off" });

let state: TableState;
let loading: Promise<TableItems> | undefined;
/** Whether the script has shown the rows of a state. */
let isShown = false;
/** Counts what was to be shown, because a later state is shown instead. */
let turn = 0;
let writing: ReturnType<typeof setTimeout> | undefined;

// A list without items has no rows.
if (body.isConnected) start();

function start(): void {
  readState();
  addTools();
  heads.forEach(addSorting);
  for (const opener of all("tbody th a", section)) opener.ariaExpanded = "false";
  document.addEventListener("click", click);
  window.addEventListener("popstate", () => {
    readState();
    if (isShown || location.search !== "") attempt(show);
  });
  window.addEventListener("hashchange", () => attempt(seek));
  attempt(async () => {
    if (location.search !== "") await show();
    await seek();
  });
}

function readState(): void {
  state = stateAt(data, new URL(location.href));
  input.value = state.find;
}

function addTools(): void {
  const tools = make("div", { className: "tools", role: "search" }, chosen);
  const csv = copyButton(async () => (await items()).csv(state), "Copy as CSV");
  if (data.dump !== undefined) tools.prepend(input, ...csv);
  input.onfocus = () => attempt(items);
  input.oninput = () => {
    state = { ...state, find: input.value.trim(), page: 1 };
    // Browsers limit how often the address changes.
    clearTimeout(writing);
    writing = setTimeout(write, 250);
    attempt(show);
  };
  (section.previousElementSibling === facets ? facets : section).before(tools);
  if (!facets.isConnected) section.before(facets);
  if (!pages.isConnected) section.querySelector(".same")?.before(pages);
}

/** Sorts by a column, first ascending, then descending, then no longer. */
function addSorting(head: HTMLElement): void {
  const field = head.querySelector("a");
  const path = field?.textContent ?? "";
  head.dataset["path"] = path;
  if (field === null || data.dump === undefined) return;
  const after = (sort: string) => ({ [path]: `-${path}`, [`-${path}`]: "" })[sort] ?? path;
  field.replaceChildren("?");
  field.ariaLabel = `What ${path} is`;
  head.prepend(
    makeButton(path, () => go({ ...state, sort: after(state.sort), page: 1 }), "sort"),
    " ",
  );
}

/** The items, which are loaded once. After a failure, the next use tries again. */
function items(): Promise<TableItems> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<TableItems> {
  const { openItems }: typeof import("./table-items.ts") = await import(data.script);
  return openItems(data);
}

/** A failure is shown. */
function attempt(task: () => Promise<unknown>): void {
  task().catch((error: unknown) => {
    heading?.replaceChildren(`The items cannot be loaded: ${error instanceof Error ? error.message : error}`);
    announce(heading?.textContent ?? "");
  });
}

function go(to: TableState): void {
  state = to;
  history.pushState(null, "", addressOf(data, to));
  attempt(show);
}

async function show(): Promise<void> {
  const own = ++turn;
  section.ariaBusy = "true";
  const loaded = await items();
  const view = await loaded.view(state);
  if (own !== turn) return;
  isShown = true;
  const focused = document.activeElement;
  const place = focused?.parentElement?.closest(".facets, .pages, .chosen");
  document.querySelector("h1")?.replaceChildren(data.title);
  const nothing = `<tr><td colspan="${heads.length}">Nothing found.</td></tr>`;
  body.innerHTML = view.items.length === 0 ? nothing : loaded.rows(view.items);
  showFacets(view);
  showPages(view);
  showRequest();
  heading?.replaceChildren(view.title);
  for (const head of heads) {
    const path = head.dataset["path"] ?? "";
    head.ariaSort = { [path]: "ascending", [`-${path}`]: "descending" }[state.sort] ?? "none";
  }
  if (input !== document.activeElement) input.value = state.find;
  section.ariaBusy = "false";
  showAges();
  announce(view.title);
  // A link that had the focus was made anew.
  const same = place && all("a", place).find(({ textContent }) => textContent === focused?.textContent);
  same?.focus();
}

/**
 * The values of each filter, those with the fewest first, and the chosen ones, each with a link that chooses it or gives it
 * up. Filters by functions stay as the page has them.
 */
function showFacets({ facets: shown }: TableView): void {
  const paramOf = (block: HTMLElement) => block.querySelector("summary")?.firstChild?.textContent?.trim();
  const blocks = new Map(all<HTMLDetailsElement>("details", facets).map((each) => [paramOf(each), each]));
  const hrefOf = (param: string, value?: string) => addressOf(data, withChoice(data, state, param, value));
  const sorted = [...shown].sort((one, other) => one.values.length - other.values.length);
  const filled = sorted.map(({ param, values }, index) => {
    const open = index < mostOpen && values.length <= fewValues;
    const summary = () => make("summary", {}, `${param} `, make("span", { className: "type" }));
    const block = blocks.get(param) ?? make("details", { open }, summary());
    const current = state.chosen.get(param);
    const linkOf = (value: string) => hrefOf(param, value === current ? undefined : value);
    const rest = values.length - mostValues;
    block.querySelector("summary .type")?.replaceChildren(integer(values.length));
    block.querySelector("summary ~ *")?.remove();
    block.insertAdjacentHTML("beforeend", String(valuesHtml(values.slice(0, mostValues), linkOf, current)));
    if (rest > 0) block.lastElementChild?.append(make("li", {}, `${integer(rest)} more: find one above.`));
    return block;
  });
  facets.prepend(...filled);
  const links = [...state.chosen].map(([param, value]) => {
    const isIt = (each: FacetValue) => each.value === value;
    const name = shown.find((each) => each.param === param)?.values.find(isIt)?.name;
    const text = `${param}: ${name === undefined ? value : `${name} (${value})`} ×`;
    return html`<a href="${hrefOf(param)}" aria-label="Remove the filter ${param}: ${value}">${text}</a>`;
  });
  chosen.innerHTML = links.join("");
}

function showPages({ range, previous, next }: TableView): void {
  const linkTo = (to: TableState, text: string) => html`<a href="${addressOf(data, to)}">${text}</a>`;
  const [before, after] = [previous && linkTo(previous.state, previous.label), next && linkTo(next, "Next")];
  pages.innerHTML = String(html`${before} <span>${range}</span> ${after}`);
}

/** The request in the sample, which has a button to copy it. */
function showRequest(): void {
  const same = requestFor(data, state);
  const href = same ?? data.dump ?? data.request;
  section.querySelector(".same code")?.replaceChildren('curl "', location.origin, make("a", { href }, href), '"');
  const others = `No single request gives these rows${data.dump === undefined ? "" : ". All items, as NDJSON"}`;
  section.querySelector(".same .caption")?.replaceChildren(same === undefined ? others : "The same as JSON");
}

/** Links to other states of the table show them, and the heads of rows open and close the rows. */
function click(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLAnchorElement>(".facets a, .pages a, .chosen a");
  const row = event.target.closest<HTMLElement>("[data-table] tbody th a")?.closest("tr");
  if (isShown && link !== null && link.pathname === data.table) go(stateAt(data, new URL(link.href)));
  else if (row) toggle(row);
  else return;
  event.preventDefault();
}

function toggle(row: HTMLElement): void {
  write(`#${row.id}`);
  attempt(async () => {
    if (row.nextElementSibling?.className !== "opened") return open(row);
    row.querySelector("th a")?.setAttribute("aria-expanded", "false");
    row.nextElementSibling.remove();
  });
}

function write(row = ""): void {
  clearTimeout(writing);
  history.replaceState(null, "", addressOf(data, state) + row);
}

async function open(row: HTMLElement): Promise<void> {
  const key = row.id.replace(/^row-/, "");
  const loaded = await items();
  const found = await loaded.find(key, state);
  if (found === undefined) return announce(`${key} is no longer in the data.`);
  if (row.nextElementSibling?.className === "opened") return;
  row.querySelector("th a")?.setAttribute("aria-expanded", "true");
  const opened = loaded.openedRow(found.item, heads.length);
  all("pre", opened).forEach(addCopyButton);
  row.after(opened);
  showAges();
}

/** Opens the row of the address, on whichever page it is. */
async function seek(): Promise<void> {
  const key = location.hash.slice(1).replace(/^row-/, "");
  if (key === "" || (document.getElementById(key) !== null && !location.hash.startsWith("#row-"))) return;
  const rowOf = () => document.getElementById(rowAnchor(key));
  if (rowOf() === null) {
    const loaded = await items();
    const found = await loaded.find(key, state);
    if (found === undefined) return announce(`There is no row ${key}.`);
    state = found.at ?? state;
    if (found.at === undefined) body.innerHTML = loaded.rows([found.item]);
    else await show();
  }
  const row = rowOf();
  if (row === null) return;
  await open(row);
  for (const each of all(".sought", body)) each.classList.remove("sought");
  row.classList.add("sought");
  row.scrollIntoView({ block: "start" });
}
