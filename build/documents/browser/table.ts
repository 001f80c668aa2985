// The script of the tables: finds, filters and sorts as one types, opens rows, and keeps what is shown in the address.
// Every page is complete without it. The first use loads the items.
import { rowAnchor, type TableData } from "../tables/shape.ts";
import { addCopyButton } from "./copy.ts";
import { all, announce, make, makeButton } from "./elements.ts";
import { showAges } from "./freshness.ts";
import type { TableItems } from "./table-items.ts";
import { addressOf, stateAt, type TableState, withChoice } from "./table-state.ts";
import { type LinkTo, showChosen, showFacets, showPages, showRequest, titleOfView } from "./table-view.ts";

function enliven(section: HTMLElement, body: HTMLElement): void {
  const data: TableData = JSON.parse(section.dataset["table"] ?? "");
  const [heading, heads] = [section.querySelector("h2 a"), all("thead th", section)];
  const pages = section.querySelector<HTMLElement>(".pages") ?? make("nav", { className: "pages", ariaLabel: "Pages" });
  const facets = document.querySelector<HTMLElement>(".facets") ?? make("div", { className: "facets" });
  const [chosen, same] = [make("span", { className: "chosen" }), section.querySelector<HTMLElement>(".same")];
  let state = stateAt(data, new URL(location.href));
  let opening: Promise<TableItems> | undefined;
  let isShown = false;

  const input = make("input", { type: "search", placeholder: `Find ${data.nouns}`, autocomplete: "off" });
  input.ariaLabel = `Find ${data.nouns}`;
  const csv = makeButton("Copy as CSV", copyCsv, "small");
  const tools = make("div", { className: "tools", role: "search" }, chosen);
  if (data.dump !== undefined) tools.prepend(input, ...("clipboard" in navigator && navigator.clipboard ? [csv] : []));

  /** The items, which are loaded once. A failure is shown, and the next use tries again. */
  function items(): Promise<TableItems> {
    opening ??= load().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function load(): Promise<TableItems> {
    const { openItems }: typeof import("./table-items.ts") = await import(data.script);
    return openItems(data);
  }

  const link: LinkTo = (to, ...content) => {
    const element = make("a", { href: addressOf(data, to) }, ...content);
    element.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(to);
    };
    return element;
  };

  function go(to: TableState): void {
    state = to;
    history.pushState(null, "", addressOf(data, to));
    attempt(show);
  }

  function attempt(task: () => Promise<void>): void {
    task().catch((error: unknown) => {
      heading?.replaceChildren(`The items cannot be loaded: ${error instanceof Error ? error.message : error}`);
      announce(heading?.textContent ?? "");
    });
  }

  let latest = 0;

  async function show(): Promise<void> {
    const turn = ++latest;
    section.ariaBusy = "true";
    const loaded = await items();
    const view = await loaded.view(state);
    // A later state is shown instead.
    if (turn !== latest) return;
    isShown = true;
    const focused = document.activeElement instanceof HTMLAnchorElement ? document.activeElement : undefined;
    const [where, label] = [focused?.parentElement?.closest(".facets, .pages, .chosen"), focused?.textContent];
    document.querySelector("h1")?.replaceChildren(data.title);
    body.innerHTML =
      view.items.length === 0 ? `<tr><td colspan="${heads.length}">Nothing found.</td></tr>` : loaded.rows(view.items);
    const next = (param: string, value: string | undefined) => withChoice(data, state, param, value);
    showFacets(facets, view.facets, state.chosen, next, link);
    showChosen(chosen, state.chosen, view.facets, (param) => next(param, undefined), link);
    showPages(pages, view, link);
    if (same !== null) showRequest(data, state, same);
    heading?.replaceChildren(titleOfView(data, view));
    for (const head of heads) {
      const own = head.dataset["path"];
      head.ariaSort = state.sort === own ? "ascending" : state.sort === `-${own}` ? "descending" : "none";
    }
    if (input !== document.activeElement) input.value = state.find;
    section.ariaBusy = "false";
    showAges();
    announce(heading?.textContent ?? "");
    // What had the focus was made anew.
    if (where)
      all<HTMLAnchorElement>("a", where)
        .find(({ textContent }) => textContent === label)
        ?.focus();
  }

  async function copyCsv(): Promise<void> {
    const loaded = await items();
    const text = loaded.csv(state);
    const said = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not copied",
    );
    csv.textContent = said;
    announce(said);
    setTimeout(() => csv.replaceChildren("Copy as CSV"), 2000);
  }

  /** Opens or closes a row of the page. */
  async function toggle(row: HTMLElement, isKept = false): Promise<void> {
    const opener = row.querySelector("th a");
    const isOpen = row.nextElementSibling?.className === "opened";
    if (isOpen && isKept) return;
    if (isOpen) {
      opener?.setAttribute("aria-expanded", "false");
      return row.nextElementSibling?.remove();
    }
    const loaded = await items();
    const found = await loaded.find(row.id.replace(/^row-/, ""), state);
    if (found === undefined) return announce(`${row.id.replace(/^row-/, "")} is no longer in the data.`);
    if (row.nextElementSibling?.className === "opened") return;
    opener?.setAttribute("aria-expanded", "true");
    const opened = loaded.openedRow(found.item, heads.length);
    all("pre", opened).forEach(addCopyButton);
    row.after(opened);
    showAges();
  }

  /** Shows the row of the address, wherever it is. */
  async function seek(): Promise<void> {
    const key = location.hash.slice(1).replace(/^row-/, "");
    if (key === "" || (document.getElementById(key) !== null && !location.hash.startsWith("#row-"))) return;
    const rowOf = () => document.getElementById(rowAnchor(key));
    if (rowOf() === null) {
      const loaded = await items();
      const all: TableState = { chosen: new Map(), sort: "", find: "", page: 1, cursor: "" };
      const found = await loaded.find(key, state);
      if (found === undefined) return announce(`There is no row ${key}.`);
      const index = found.index === -1 ? (await loaded.find(key, all))?.index : found.index;
      state = { ...(found.index === -1 ? all : state), page: Math.floor((index ?? 0) / data.rows) + 1 };
      if (loaded.isWhole) await show();
      else body.innerHTML = loaded.rows([found.item]);
    }
    const row = rowOf();
    if (row === null) return;
    await toggle(row, true);
    for (const each of all(".sought", body)) each.classList.remove("sought");
    row.classList.add("sought");
    row.scrollIntoView({ block: "start" });
  }

  for (const head of heads) addSorting(head);

  function addSorting(head: HTMLElement): void {
    const field = head.querySelector("a");
    const path = field?.textContent ?? "";
    head.dataset["path"] = path;
    if (field === null || data.dump === undefined) return;
    const sort = makeButton(path, () => {
      const next = state.sort === path ? `-${path}` : state.sort === `-${path}` ? "" : path;
      go({ ...state, sort: next, page: 1 });
    });
    sort.className = "sort";
    field.replaceChildren("?");
    field.ariaLabel = `What ${path} is`;
    head.prepend(sort, " ");
  }

  body.onclick = (event) => {
    const opener = event.target instanceof Element ? event.target.closest<HTMLElement>("th a") : null;
    const row = opener?.closest("tr");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    write(`#${row.id}`);
    attempt(() => toggle(row));
  };

  let writing: ReturnType<typeof setTimeout> | undefined;

  function write(row = ""): void {
    clearTimeout(writing);
    history.replaceState(null, "", addressOf(data, state) + row);
  }

  input.onfocus = () => attempt(async () => void (await items()));
  input.oninput = () => {
    state = { ...state, find: input.value.trim(), page: 1 };
    // Browsers limit how often the address changes.
    clearTimeout(writing);
    writing = setTimeout(write, 250);
    attempt(show);
  };
  window.addEventListener("popstate", () => {
    state = stateAt(data, new URL(location.href));
    input.value = state.find;
    if (isShown || location.search !== "") attempt(show);
  });
  window.addEventListener("hashchange", () => attempt(seek));

  input.value = state.find;
  (section.previousElementSibling === facets ? facets : section).before(tools);
  if (!facets.isConnected) section.before(facets);
  if (!pages.isConnected) same?.before(pages);
  for (const opener of all("tbody th a", section)) opener.ariaExpanded = "false";
  attempt(async () => {
    if (location.search !== "") await show();
    await seek();
  });
}

for (const section of all("[data-table]")) {
  const body = section.querySelector("tbody");
  if (body !== null) enliven(section, body);
}
