// The script of the tables: searches, filters, sorts, chooses columns, opens rows, and keeps its state in the address.
// Every page is complete without it. The first use starts a worker, which loads the items.

import { html } from "../../../../src/declare/html.ts";
import { ownField } from "../../../../src/model/fields.ts";
import { counted, integer, listed } from "../../../text/words.ts";
import { rowAnchor } from "../../describe/cells.ts";
import {
  addCopyButtons,
  all,
  announce,
  copyButton,
  credentials,
  decoded,
  make,
  makeButton,
  showAges,
  showCode,
} from "../../frame/browser/elements.ts";
import { curlCode } from "../../frame/code.ts";
import { type Facet, facetHtml, type TableData } from "../data.ts";
import { callsOf } from "./table-calls.ts";
import { chosenColumns, columnsMenu, fixWidths, freeWidths } from "./table-columns.ts";
import { formatCells } from "./table-format.ts";
import { showReferrers } from "./table-referrers.ts";
import {
  addressOf,
  everything,
  itemAddress,
  orderNamed,
  requestFor,
  stateAt,
  type TableState,
  withChoice,
  withColumn,
  withFind,
  withOrder,
} from "./table-state.ts";
import type { RowPlace, View } from "./table-work.ts";

const section = document.querySelector<HTMLElement>("[data-table]") ?? make("section");
const table = section.querySelector<HTMLElement>(".items") ?? make("table");
const body = table.querySelector("tbody") ?? make("tbody");
const heading = section.querySelector("h2 a");
const orderText = section.querySelector("[data-order]");
const orderOfList = [...(orderText?.childNodes ?? [])];
const tools = section.querySelector<HTMLElement>(".tools");
const facets = section.querySelector<HTMLElement>(".facets") ?? make("div", { className: "facets" });
const pages = section.querySelector<HTMLElement>(".pages") ?? make("nav", { className: "pages", ariaLabel: "Pages" });
const chosen = make("span", { className: "chosen" });
const note = make("p", { hidden: true });
const data: TableData = JSON.parse(section.dataset["table"] ?? "{}");
const work = callsOf(data);
/** Says that the items are too many to load. */
const tooMany = section.querySelector<HTMLElement>("[data-many]");
const label = `Find ${data.nouns}`;
const input = make("input", { type: "search", placeholder: label, ariaLabel: label, autocomplete: "off" });

let state: TableState;
/** Whether the rows of the state can be searched and sorted. */
let isLoaded = data.dump !== undefined;
let columns = chosenColumns(data);
/** Whether the script has shown the rows of a state. */
let isShown = false;
const pageTitle = document.title;
let writing: ReturnType<typeof setTimeout> | undefined;
let showing: Promise<void> | undefined;
/** Whether the state has changed since the worker was asked. */
let isStale = false;

// A list without items has no rows.
if (tools !== null && table.isConnected) start(tools);

function start(tools: HTMLElement): void {
  readState();
  addTools(tools);
  formatCells(table, body.lang);
  showHeads();
  freeWidths(table);
  for (const opener of all("tbody th a", section)) opener.ariaExpanded = "false";
  if (isLoaded && data.total > data.rows)
    showPages({ page: 1, shown: Math.min(data.rows, data.total), count: data.total });
  document.addEventListener("click", click);
  document.addEventListener("keydown", keydown);
  facets.addEventListener("submit", submit);
  section.addEventListener("toggle", placeMenus, true);
  window.addEventListener("resize", () => freeWidths(table));
  window.addEventListener("popstate", () => {
    readState();
    if (isShown || location.search !== "") attempt(show);
  });
  window.addEventListener("hashchange", () => attempt(seek));
  attempt(async () => {
    if (location.search !== "" || columns !== data.columns) await show();
    await seek();
  });
}

function readState(): void {
  state = stateAt(data, location);
  input.value = state.find;
}

function addTools(tools: HTMLElement): void {
  tools.role = "search";
  input.disabled = !isLoaded;
  input.onfocus = () => attempt(work.load);
  input.oninput = find;
  tools.append(input, columnsMenu(data, columns, changeColumns));
  orderText?.after(chosen);
  orderText?.parentElement?.after(note);
  section.querySelector(".csv")?.append(...copyButton(() => work.csv(state, columns), "Copy as CSV"));
  if (!pages.isConnected) section.querySelector(".same")?.before(pages);
}

function find(): void {
  state = withFind(state, input.value.trim());
  attempt(async () => {
    await show();
    // Browsers limit how often the address changes.
    clearTimeout(writing);
    writing = setTimeout(write, 250);
  });
}

function changeColumns(chosenOnes: typeof columns): void {
  columns = chosenOnes;
  freeWidths(table);
  showHeads();
  attempt(async () => {
    await show();
    freeWidths(table);
  });
}

/** A press on a head sorts first ascending, then descending, then no longer. */
function nextColumn(path: string): string {
  if (state.column === path) return `-${path}`;
  return state.column === `-${path}` ? "" : path;
}

/** A head that sorts is a button. The definition of its field is in the menu of the columns. */
function showHeads(): void {
  const row = table.querySelector("thead tr") ?? make("tr");
  const marks = new Map(
    all("th", row).map((head) => [head.dataset["path"] ?? textOf(head), head.querySelector(".bad")]),
  );
  const heads = columns.map(({ path, kind }) => {
    const name = isLoaded
      ? makeButton(path, () => go(withColumn(state, nextColumn(path))), "sort")
      : make("a", { href: data.reference + encodeURIComponent(path) }, path);
    const head = make("th", { scope: "col", className: kind === "number" ? "number" : "" }, name);
    const mark = marks.get(path);
    if (mark) head.append(" ", mark);
    head.dataset["path"] = path;
    return head;
  });
  row.replaceChildren(...heads);
  showOrder();
}

function textOf(head: HTMLElement): string {
  return head.querySelector("a")?.textContent ?? "";
}

/** Marks the head that sorts, and the order in the menu. */
function showOrder(): void {
  const [first] = orderNamed(data, state.order)?.fields ?? [];
  const sorted = first === undefined ? state.column : `${first.descending ? "-" : ""}${first.field}`;
  for (const head of all("thead th", table)) {
    const path = head.dataset["path"] ?? "";
    head.ariaSort = ownField({ [path]: "ascending", [`-${path}`]: "descending" }, sorted) ?? "none";
  }
  for (const link of all("a[data-sort]", facets)) {
    if (link.dataset["sort"] === state.order) link.ariaCurrent = "true";
    else link.removeAttribute("aria-current");
  }
  if (!isShown) return;
  const { order, column } = state;
  const name = make("code", {}, order || column.replace(/^-/, ""));
  const direction = column.startsWith("-") ? " descending" : "";
  const sortedBy = ["Sorted by ", name, direction];
  orderText?.replaceChildren(...(name.textContent === "" ? orderOfList : sortedBy));
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

/** Shows the state. While the worker is busy with one, later ones wait, and only the last of them is shown. */
function show(): Promise<void> {
  isStale = true;
  const run = async () => {
    while (isStale) {
      isStale = false;
      const view = await work.view(state, columns);
      if (!isStale) render(view);
    }
  };
  showing ??= run().finally(() => {
    showing = undefined;
  });
  return showing;
}

function render(view: View): void {
  const focused = document.activeElement;
  const place = focused?.parentElement?.closest(".facets, .pages, .chosen");
  const title = view.count === undefined ? data.title : counted(view.count, data);
  isShown = true;
  showLoaded(view);
  if (view.shown > 0 && body.querySelector(".nothing") === null) fixWidths(table);
  heading?.replaceChildren(title);
  note.hidden = true;
  if (view.shown === 0 && (view.isLoaded || view.count === 0)) showNothing(view);
  else body.innerHTML = view.rows;
  formatCells(table, body.lang);
  for (const opener of all("tbody th a", section)) opener.ariaExpanded = "false";
  showFacets(view.facets);
  showChosen(view.facets);
  showPages(view);
  showRequest();
  showOrder();
  if (input !== document.activeElement) input.value = state.find;
  showAges();
  announce(title);
  // If a link had the focus, the link that replaces it gets the focus.
  const same = place && all("a", place).find(({ textContent }) => textContent === focused?.textContent);
  same?.focus();
}

/** Rows that are not loaded are neither searched nor sorted by a column. */
function showLoaded(view: View): void {
  const hasChanged = isLoaded !== view.isLoaded;
  ({ isLoaded } = view);
  if (!isLoaded) state = withFind(state.column === "" ? state : withColumn(state, ""), "");
  if (hasChanged) showHeads();
  input.disabled = !isLoaded;
  if (tooMany !== null) tooMany.hidden = isLoaded;
}

/** Says what excludes everything, with buttons that remove it. */
function showNothing({ exclusions }: View): void {
  const words = [...state.chosen].map(([param, value]) => `${param}: ${value}`);
  const what = listed([...(state.find === "" ? [] : [`“${state.find}”`]), ...words]);
  const buttons = exclusions.flatMap(({ param, count }) => {
    if (count === 0) return [];
    const without = param === undefined ? withFind(state, "") : withChoice(state, param, undefined);
    const name = param === undefined ? `“${state.find}”` : `${param}: ${state.chosen.get(param)}`;
    const number = count === undefined ? "" : `: ${counted(count, data)}`;
    return [makeButton(`Without ${name}${number}`, () => go(without), "plain"), " "];
  });
  const clear = makeButton("Clear all", () => go(everything), "plain");
  const cell = make("td", { colSpan: columns.length }, make("p", {}, `No ${data.nouns} with ${what}.`));
  cell.append(make("p", {}, ...buttons, clear));
  body.replaceChildren(make("tr", { className: "nothing" }, cell));
}

function hrefOf(param: string, value?: string): string {
  return addressOf(data, withChoice(state, param, value));
}

/** The menus of the filters. One that is open stays so. */
function showFacets(shown: readonly Facet[]): void {
  for (const facet of shown) {
    const { param } = facet;
    const menu = facets.querySelector<HTMLDetailsElement>(`[data-param="${param}"]`);
    const current = state.chosen.get(param);
    const linkOf = (value: string) => hrefOf(param, value === current ? undefined : value);
    const text = String(facetHtml(facet, { hrefOf: linkOf, action: data.table, chosen: current, all: data.values }));
    const [made] = make("div", {}, document.createRange().createContextualFragment(text)).children;
    if (!(made instanceof HTMLDetailsElement)) continue;
    if (menu === null) facets.append(made);
    else menu.querySelector(":scope > div")?.replaceWith(...all(":scope > div", made));
  }
}

/** A menu that would end outside of the window opens to the other side. */
function placeMenus(): void {
  for (const panel of all(".menu[open] > :not(summary)", section)) {
    panel.classList.remove("end");
    panel.classList.toggle("end", panel.getBoundingClientRect().right > document.documentElement.clientWidth);
  }
}

/** The chosen values, each with a link that removes it. */
function showChosen(shown: readonly Facet[]): void {
  const links = [...state.chosen].map(([param, value]) => {
    const values = shown.find((facet) => facet.param === param)?.values ?? [];
    const name = values.find((facetValue) => facetValue.value === value)?.name;
    const text = `${param}: ${name === undefined ? value : `${name} (${value})`}`;
    return html`<a href="${hrefOf(param)}" aria-label="Remove the filter ${text}">${text} \u00d7</a>`;
  });
  chosen.innerHTML = links.join("");
  showTitle();
}

function showPages({ page, shown, count = 0 }: Pick<View, "page" | "shown" | "count">): void {
  const last = Math.max(1, Math.ceil(count / data.rows));
  const linkTo = (to: number, text: string) => html`<a href="${addressOf(data, { ...state, page: to })}">${text}</a>`;
  const start = (page - 1) * data.rows;
  const range = `${integer(start + 1)} to ${integer(start + shown)} of ${integer(count)}`;
  const before = page > 1 && linkTo(page - 1, "Previous");
  const after = isLoaded && page < last && html`${linkTo(page + 1, "Next")} ${linkTo(last, "Last")}`;
  pages.innerHTML = shown === 0 ? "" : String(html`${before} <span>${range}</span> ${after}`);
}

/** The request in the sample, which has a button to copy it. */
function showRequest(): void {
  const same = requestFor(data, state);
  const href = same ?? data.dump ?? data.request;
  for (const code of all(".same code", section)) showCode(code, curlCode(href, credentials));
  const json = section.querySelector<HTMLAnchorElement>(".same [data-same]");
  if (json === null) return;
  json.href = href;
  json.textContent = same === undefined ? "JSON (no single request has these rows: all of them)" : "JSON";
}

/** Links to other states of the table show them, and the heads of rows open and close the rows. */
function click(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
  closeMenus(event.target.closest(".menu"));
  const link = event.target.closest<HTMLAnchorElement>(".facets a, .pages a, .chosen a");
  const row = event.target.closest<HTMLElement>("[data-table] tbody th a")?.closest("tr");
  const to = link === null ? undefined : stateOf(link);
  if (to !== undefined) go(to);
  else if (row) toggle(row);
  else return;
  event.preventDefault();
}

/** The state to which a link leads, if the script shows it. */
function stateOf(link: HTMLAnchorElement): TableState | undefined {
  const { sort } = link.dataset;
  if (sort !== undefined) return withOrder(state, sort === state.order ? "" : sort);
  return link.pathname === data.table ? stateAt(data, link) : undefined;
}

/** A value that no menu lists. */
function submit(event: Event): void {
  if (!(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const [[param, value] = []] = new FormData(event.target);
  if (param !== undefined) go(withChoice(state, param, String(value).trim()));
}

function closeMenus(but: Element | null = null): void {
  for (const menu of all<HTMLDetailsElement>(".menu[open]", section)) {
    if (menu === but) continue;
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.open = false;
  }
}

function keydown({ key }: KeyboardEvent): void {
  if (key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
  if (section.querySelector(".menu[open]") !== null) {
    closeMenus();
    return;
  }
  const opened = document.activeElement?.closest("tr") ?? undefined;
  const below = opened?.className === "opened" ? opened : opened?.nextElementSibling;
  const last = below?.className === "opened" ? below : all(".opened", body).at(-1);
  if (last?.previousElementSibling instanceof HTMLElement) close(last.previousElementSibling);
}

function toggle(row: HTMLElement): void {
  if (row.nextElementSibling?.className === "opened") {
    close(row);
  } else {
    write(`#${row.id}`);
    attempt(() => open(row));
  }
}

/** The address leads to the table again. */
function close(row: HTMLElement): void {
  const opener = row.querySelector<HTMLElement>("th a");
  row.nextElementSibling?.remove();
  row.classList.remove("sought");
  opener?.setAttribute("aria-expanded", "false");
  opener?.focus();
  showTitle();
  write();
}

/** The title of the window names the opened row, or else the chosen values. */
function showTitle(row?: string): void {
  const values = all("a", chosen).map(({ textContent }) => textContent?.replace(/ \u00d7$/, ""));
  document.title = [row ?? values.join(", "), pageTitle].filter(Boolean).join(" – ");
}

/** Before the script has shown a state, the address is that of the page. */
function write(row = ""): void {
  clearTimeout(writing);
  const address = isShown ? addressOf(data, state) : location.pathname + location.search;
  history.replaceState(history.state, "", address + row);
}

async function open(row: HTMLElement): Promise<void> {
  const key = row.id.replace(/^row-/, "");
  const opened = await work.opened(key, state);
  if (opened === undefined) return say(`${key} is no longer in this table.`);
  if (row.nextElementSibling?.className === "opened") return;
  row.querySelector("th a")?.setAttribute("aria-expanded", "true");
  const cell = make("td", { colSpan: columns.length });
  cell.innerHTML = opened.content;
  addCopyButtons(cell);
  showTitle(opened.name);
  const below = make("tr", { className: "opened" }, cell);
  row.after(below);
  formatCells(below, body.lang);
  const referrers = cell.querySelector<HTMLElement>(".referrers");
  if (referrers !== null) attempt(() => showReferrers(data, key, referrers));
  showAges();
}

function say(...words: readonly (Node | string)[]): void {
  note.replaceChildren(...words);
  note.hidden = false;
  announce(note.textContent);
}

/** Opens the row of the address, on whichever page it is. */
async function seek(): Promise<void> {
  const key = decoded(location.hash.slice(1)).replace(/^row-/, "");
  if (key === "" || (document.getElementById(key) !== null && !location.hash.startsWith("#row-"))) return;
  const rowOf = () => document.getElementById(rowAnchor(key));
  if (rowOf() === null) {
    const place = await work.placeOf(key, state);
    if (place.state === undefined) return say(...nowhere(key, place));
    state = place.state;
    await show();
  }
  const row = rowOf();
  if (row === null) return;
  await open(row);
  for (const earlier of all(".sought", body)) earlier.classList.remove("sought");
  row.classList.add("sought");
  row.scrollIntoView({ block: "start" });
}

/** Says that there is no such row, or that it was not sought, with a link to the request or the file that has it. */
function nowhere(key: string, { isSought }: RowPlace): readonly (Node | string)[] {
  if (isSought) return [`There is no ${data.noun} ${key} in this table.`];
  const words = `This table has too many ${data.nouns} to look for ${key}. `;
  if (data.hasItems) return [words, make("a", { href: itemAddress(data, key) }, `${key} as JSON`)];
  const dump = section.querySelector<HTMLAnchorElement>(".same a[href$=ndjson]")?.href;
  return dump === undefined ? [words] : [words, make("a", { href: dump }, `All ${data.nouns}`)];
}
