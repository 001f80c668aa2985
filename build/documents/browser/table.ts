// The script of the tables: finds, filters and sorts as one types, opens rows, and keeps what is shown in the address.
// Every page is complete without it. The first use loads the items.
import { rowAnchor, type TableData } from "../tables/cells.ts";
import { addCopyButton, all, announce, copyButton, make, makeButton, showAges } from "./elements.ts";
import type { TableItems } from "./table-items.ts";
import { addressOf, stateAt, type TableState, withChoice } from "./table-state.ts";
import { showChosen, showFacets, showPages, showRequest } from "./table-view.ts";

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
  body.onclick = click;
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

function link(to: TableState, ...content: readonly (Node | string)[]): HTMLAnchorElement {
  const onclick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return make("a", { href: addressOf(data, to), onclick }, ...content);
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
  const next = (param: string, value?: string) => withChoice(data, state, param, value);
  showFacets(facets, view.facets, state.chosen, next, link);
  showChosen(chosen, view.facets, state.chosen, next, link);
  showPages(pages, view, link);
  showRequest(section, data, state);
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

function click(event: MouseEvent): void {
  const row = event.target instanceof Element ? event.target.closest("th a")?.closest("tr") : undefined;
  if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
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
