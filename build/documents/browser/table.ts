// The script of the tables: searches, filters and sorts, opens rows, and keeps its state in the address.
// Every page is complete without it. The first use loads the items.
import { html } from "../../../src/declare/html.ts";
import { counted, integer } from "../../text/words.ts";
import { rowAnchor } from "../tables/cells.ts";
import { type Facet, facetHtml, sortedFacets, type TableData } from "../tables/data.ts";
import { addCopyButton, all, announce, copyButton, make, makeButton, showAges } from "./elements.ts";
import { csvOf, facetsOf, loadItems, rowsHtml, rowsOf, stateWith, type TableItems } from "./table-items.ts";
import { openedRow } from "./table-row.ts";
import { addressOf, requestFor, stateAt, type TableState, withChoice } from "./table-state.ts";

const section = document.querySelector<HTMLElement>("[data-table]") ?? make("section");
const body = section.querySelector("tbody") ?? make("tbody");
const heads = all("thead th", section);
const heading = section.querySelector("h2 a");
const tools = document.querySelector<HTMLElement>(".tools");
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
let writing: ReturnType<typeof setTimeout> | undefined;

// A list without items has no rows, and a list with too many has no dump to load.
if (tools !== null) start(tools);

function start(tools: HTMLElement): void {
  readState();
  addTools(tools);
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

function addTools(tools: HTMLElement): void {
  tools.role = "search";
  tools.append(input, ...copyButton(async () => csvOf(data, rowsOf(await items(), state)), "Copy as CSV"), chosen);
  input.onfocus = () => attempt(items);
  input.oninput = () => {
    state = { ...state, find: input.value.trim(), page: 1 };
    // Browsers limit how often the address changes.
    clearTimeout(writing);
    writing = setTimeout(write, 250);
    attempt(show);
  };
  if (!facets.isConnected) section.before(facets);
  if (!pages.isConnected) section.querySelector(".same")?.before(pages);
}

/** Sorts by a column, first ascending, then descending, then no longer. */
function addSorting(head: HTMLElement): void {
  const field = head.querySelector("a");
  const path = field?.textContent ?? "";
  head.dataset["path"] = path;
  if (field === null) return;
  const after = (sort: string) => ({ [path]: `-${path}`, [`-${path}`]: "" })[sort] ?? path;
  const sort = makeButton(path, () => go({ ...state, sort: after(state.sort), page: 1 }), "sort");
  field.replaceWith(sort, " ", make("a", { href: field.href, textContent: "?", ariaLabel: `What ${path} is` }));
}

/** The items, which are loaded once. After a failure, the next use tries again. */
function items(): Promise<TableItems> {
  loading ??= loadItems(data).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
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
  const loaded = await items();
  const rows = rowsOf(loaded, state);
  const focused = document.activeElement;
  const place = focused?.parentElement?.closest(".facets, .pages, .chosen");
  const last = Math.max(1, Math.ceil(rows.length / data.rows));
  const page = Math.min(state.page, last);
  const shown = rows.slice((page - 1) * data.rows, page * data.rows);
  const title = counted(rows.length, data);
  const nothing = `<tr><td colspan="${heads.length}">Nothing found.</td></tr>`;
  isShown = true;
  document.querySelector("h1")?.replaceChildren(data.title);
  heading?.replaceChildren(title);
  body.innerHTML = shown.length === 0 ? nothing : rowsHtml(data, loaded, shown);
  showFacets(facetsOf(data, loaded, state));
  showPages(page, last, shown.length, rows.length);
  showRequest();
  for (const head of heads) {
    const path = head.dataset["path"] ?? "";
    head.ariaSort = { [path]: "ascending", [`-${path}`]: "descending" }[state.sort] ?? "none";
  }
  if (input !== document.activeElement) input.value = state.find;
  showAges();
  announce(title);
  // If a link had the focus, the link that replaces it gets the focus.
  const same = place && all("a", place).find(({ textContent }) => textContent === focused?.textContent);
  same?.focus();
}

/** The values of each filter and the chosen ones, each with a link that chooses or removes it. */
function showFacets(shown: readonly Facet[]): void {
  const hrefOf = (param: string, value?: string) => addressOf(data, withChoice(state, param, value));
  for (const facet of sortedFacets(shown)) {
    const { param } = facet;
    const block = facets.querySelector<HTMLDetailsElement>(`[data-param="${param}"]`);
    const current = state.chosen.get(param);
    const linkOf = (value: string) => hrefOf(param, value === current ? undefined : value);
    const isOpen = block?.open ?? facet.isOpen;
    const text = facetHtml(facet, { isOpen, hrefOf: linkOf, all: data.values, chosen: current });
    if (block === null) facets.insertAdjacentHTML("beforeend", String(text));
    else block.outerHTML = String(text);
  }
  const links = [...state.chosen].map(([param, value]) => {
    const values = shown.find((facet) => facet.param === param)?.values ?? [];
    const name = values.find((facetValue) => facetValue.value === value)?.name;
    const text = `${param}: ${name === undefined ? value : `${name} (${value})`} ×`;
    return html`<a href="${hrefOf(param)}" aria-label="Remove the filter ${param}: ${value}">${text}</a>`;
  });
  chosen.innerHTML = links.join("");
}

function showPages(page: number, last: number, shown: number, count: number): void {
  const linkTo = (to: number, text: string) => html`<a href="${addressOf(data, { ...state, page: to })}">${text}</a>`;
  const start = (page - 1) * data.rows;
  const range = `${integer(Math.min(start + 1, count))} to ${integer(start + shown)} of ${integer(count)}`;
  const before = page > 1 && linkTo(page - 1, "Previous");
  const after = page < last && linkTo(page + 1, "Next");
  pages.innerHTML = String(html`${before} <span>${range}</span> ${after}`);
}

/** The request in the sample, which has a button to copy it. */
function showRequest(): void {
  const same = requestFor(data, state);
  const href = same ?? data.dump ?? "";
  section.querySelector(".same code")?.replaceChildren('curl "', location.origin, make("a", { href }, href), '"');
  const others = "No single request gives these rows. All items, as NDJSON";
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
  const below = row.nextElementSibling;
  if (below?.className !== "opened") attempt(() => open(row));
  else {
    row.querySelector("th a")?.setAttribute("aria-expanded", "false");
    below.remove();
  }
}

function write(row = ""): void {
  clearTimeout(writing);
  history.replaceState(null, "", addressOf(data, state) + row);
}

async function open(row: HTMLElement): Promise<void> {
  const key = row.id.replace(/^row-/, "");
  const { rows, targetOf } = await items();
  const item = rows.find((candidate) => candidate.key === key)?.item;
  if (item === undefined) return announce(`${key} is no longer in the data.`);
  if (row.nextElementSibling?.className === "opened") return;
  row.querySelector("th a")?.setAttribute("aria-expanded", "true");
  const opened = openedRow(data, item, targetOf, heads.length);
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
    const found = stateWith(data, await items(), key, state);
    if (found === undefined) return announce(`There is no row ${key}.`);
    state = found;
    await show();
  }
  const row = rowOf();
  if (row === null) return;
  await open(row);
  for (const earlier of all(".sought", body)) earlier.classList.remove("sought");
  row.classList.add("sought");
  row.scrollIntoView({ block: "start" });
}
