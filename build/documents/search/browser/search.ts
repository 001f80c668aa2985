// The search: a dialog with one field. The index is loaded when the dialog is first opened. Results are links; arrow keys move
// between them.
import { fieldOf } from "../../../../src/model/fields.ts";
import { all, announce, make, makeButton } from "../../frame/browser/elements.ts";
import { plainOf, rank } from "../../frame/browser/matches.ts";
import { remember, remembered } from "../../frame/browser/remembered.ts";

/** As build/documents/search/search.ts writes it. */
interface Index {
  readonly groups: readonly {
    readonly title: string;
    readonly kind?: string;
    readonly at?: string;
    readonly to?: string;
    readonly entries: readonly (readonly [text: string, note?: string, end?: string])[];
  }[];
}

interface FoundPlace {
  readonly text: string;
  readonly note: string;
  /** The group. */
  readonly title: string;
  /** More about it than the group says. */
  readonly kind: string;
  readonly href: string;
}

const maxShown = 10;

const placesIn = ({ groups }: Index): readonly FoundPlace[] =>
  groups.flatMap(({ title, kind = "", at = "", to = "", entries }) =>
    entries.map(([text, note = "", end = text]) => ({ text, note, title, kind, href: at + end + to })),
  );

/** The best matches, by groups. If there is none, those in which one letter of a word is wrong. */
function placesFor(places: readonly FoundPlace[], sought: string): readonly FoundPlace[] {
  const parts = sought.split(/\s+/);
  const matching = (isMatch: (words: string, part: string) => boolean) =>
    places.filter((place) => {
      const text = textOf(place);
      return parts.every((part) => isMatch(text, part));
    });
  const exact = matching((words, part) => words.includes(part));
  const found = exact.length > 0 ? exact : matching(hasNearly);
  const best = found
    .map((place) => [rankOf(place, sought), place] as const)
    .sort(([one], [other]) => one - other)
    .slice(0, maxShown)
    .map(([, place]) => place);
  const titles = best.map(({ title }) => title);
  return best.sort((one, other) => titles.indexOf(one.title) - titles.indexOf(other.title));
}

const textOf = ({ text, note, title, kind }: FoundPlace): string => plainOf(`${text} ${note} ${title} ${kind}`);

/** An operation that a search names precedes what belongs to it. */
function rankOf({ text, note, title }: FoundPlace, sought: string): number {
  const ofText = rank(plainOf(text), sought);
  const best = plainOf(note) === sought ? Math.min(1, ofText) : ofText;
  return title === operations && best < 3 ? best - 3 : best;
}

/** A shorter word is another one if a letter of it differs. */
const minForgiven = 4;

/** Whether a text has each word of a part of the search, one letter of which may be wrong. */
const hasNearly = (text: string, part: string): boolean =>
  wordsIn(part).every(
    (sought) =>
      text.includes(sought) ||
      (sought.length >= minForgiven && wordsIn(text).some((word) => startsNearly(word, sought))),
  );

const wordsIn = (text: string): readonly string[] => text.split(/[^\p{L}\p{N}]+/u);

/** Whether a word starts with a text in which one letter is wrong, too much, missing, or exchanged with the next one. */
function startsNearly(word: string, text: string): boolean {
  let same = 0;
  while (same < text.length && word[same] === text[same]) same++;
  const ofWord = word.slice(same);
  const ofText = text.slice(same);
  const exchanged = ofText.slice(1, 2) + ofText.slice(0, 1) + ofText.slice(2);
  return (
    ofWord.slice(1).startsWith(ofText.slice(1)) ||
    ofWord.startsWith(ofText.slice(1)) ||
    ofWord.slice(1).startsWith(ofText) ||
    ofWord.startsWith(exchanged)
  );
}

/** The groups of the operations, and of what was opened last. */
const operations = "Operations";
const openedLast = "Opened last";

const storedAs = "opened";

/** The most places that are remembered. */
const maxOpened = 5;

/** The places that were opened last, the newest first. */
function openedPlaces(): readonly FoundPlace[] {
  const stored: unknown = JSON.parse(remembered(storedAs) ?? "[]");
  if (!Array.isArray(stored)) return [];
  return stored.map((place) => ({
    text: String(fieldOf(place, "text")),
    note: String(fieldOf(place, "note")),
    title: openedLast,
    kind: String(fieldOf(place, "kind")),
    href: String(fieldOf(place, "href")),
  }));
}

function rememberOpened(place: FoundPlace): void {
  const others = openedPlaces().filter(({ href }) => href !== place.href);
  remember(storedAs, JSON.stringify([place, ...others].slice(0, maxOpened)));
}

/** Before anything is typed: what was opened last, and the lists. */
function firstPlaces(places: readonly FoundPlace[]): readonly FoundPlace[] {
  const opened = openedPlaces();
  const lists = places.filter(({ title, href }) => title === operations && href.includes("#list-"));
  const others = lists.filter(({ href }) => opened.every((place) => place.href !== href));
  return [...opened, ...others].slice(0, maxShown);
}

/** The note of a table that searches its rows, as build/documents/search/search.ts writes it. */
const searchedTable = "Table with search";

/** The tables that can search their rows for a text. */
const tablesFor = (places: readonly FoundPlace[], sought: string): readonly FoundPlace[] =>
  places
    .filter(({ note }) => note === searchedTable)
    .map((place) => ({
      ...place,
      title: "Search the rows of",
      note: "",
      href: `${place.href}?q=${encodeURIComponent(sought)}`,
    }));

async function loadPlaces(): Promise<readonly FoundPlace[]> {
  return placesIn(await (await fetch(new URL("find.json", import.meta.url))).json());
}

export function startSearch(): void {
  const input = make("input", { type: "text", placeholder: "Find operations, fields, errors, values…" });
  input.ariaLabel = "Find";
  const list = make("div");
  const note = make("p");
  const close = makeButton("Close", () => dialog.close(), "plain");
  const keys = make("p", { className: "keys" }, "↑ ↓ to choose, Enter to open, Esc to close");
  const dialog = make("dialog", { className: "find" }, make("div", {}, input, close), note, list, keys);
  dialog.ariaLabel = "Find";
  document.body.append(dialog);
  let places: readonly FoundPlace[] = [];

  async function load(): Promise<void> {
    if (places.length > 0) return show();
    try {
      places = await loadPlaces();
      show();
    } catch {
      note.textContent = "The index cannot be loaded.";
    }
  }

  function show(): void {
    const typed = input.value.trim();
    const found = typed === "" ? firstPlaces(places) : placesFor(places, plainOf(typed));
    const isNothing = typed !== "" && found.length === 0 && places.length > 0;
    const tables = isNothing ? tablesFor(places, typed) : [];
    list.replaceChildren(...listsOf([...found, ...tables]));
    const where = tables.length === 0 ? "" : " here. This does not search the rows of tables.";
    note.textContent = isNothing ? `Nothing found for “${typed}”${where}` : "";
    announce(note.textContent || (typed === "" ? "" : `${found.length} found`));
  }

  function open(): void {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    load();
  }

  input.oninput = show;
  dialog.onclick = ({ target }) => {
    // Only the backdrop is the dialog itself.
    if (target === dialog || (target instanceof Element && target.closest("a"))) dialog.close();
  };
  dialog.onkeydown = (event) => choose(event, input, all("a", list));
  document.addEventListener("keydown", (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    open();
  });
  for (const place of all(".finder")) {
    const button = makeButton("Find ", open, "plain");
    button.append(make("kbd", {}, /Mac|iP/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K"));
    place.append(button);
  }
}

/** Moves the focus between the input and the links, or opens the first link. */
function choose(event: KeyboardEvent, input: HTMLInputElement, links: readonly HTMLAnchorElement[]): void {
  const at = links.findIndex((link) => link.contains(document.activeElement));
  const next = { ArrowDown: links[at + 1], ArrowUp: links[at - 1] ?? input }[event.key];
  if (next !== undefined) next.focus();
  else if (event.key === "Enter" && at < 0) links[0]?.click();
  else return;
  event.preventDefault();
}

/** Ctrl or ⌘ with K, or a slash that is not typed into a field. */
function isShortcut({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key.toLowerCase() === "k";
  const isTyped = target instanceof Element && target.closest("input, select, textarea") !== null;
  return key === "/" && !isTyped && !altKey;
}

/** A list for each group, with a heading. */
const listsOf = (places: readonly FoundPlace[]): readonly Node[] =>
  [...new Set(places.map(({ title }) => title))].map((title) => {
    const links = places.filter((place) => place.title === title).map(linkTo);
    const list = make("ul", { ariaLabel: title }, ...links);
    return make("div", {}, make("p", { className: "list-title" }, title), list);
  });

function linkTo(place: FoundPlace): Node {
  const { text, note, kind, href } = place;
  const onclick = () => rememberOpened(place);
  // What a place is stands at the right. The note of a place of another kind says it.
  const [beside, right] = kind === "" ? ["", note] : [note, kind];
  const parts = [make("b", {}, text), ` ${beside && `${beside} `}`, make("span", { className: "type" }, right)];
  return make("li", {}, make("a", { href, onclick }, ...parts));
}
