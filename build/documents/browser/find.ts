// The search: a dialog with one field, whose index is loaded when it is first opened. Links lead by pointer and by keyboard.
import { all, announce, make, makeButton } from "./elements.ts";

/** As build/documents/find.ts writes it. */
interface Index {
  readonly groups: readonly {
    readonly kind: string;
    readonly at?: string;
    readonly to?: string;
    readonly entries: readonly (readonly [text: string, note?: string, end?: string])[];
  }[];
}

interface Place {
  readonly text: string;
  readonly note: string;
  readonly kind: string;
  readonly href: string;
  /** What is searched: the text, and all words. */
  readonly plain: string;
  readonly words: string;
}

const mostShown = 10;

/** Without case and accents. */
const plainOf = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const placesIn = ({ groups }: Index): readonly Place[] =>
  groups.flatMap(({ kind, at = "", to = "", entries }) =>
    entries.map(([text, note = "", end = text]) => {
      const [plain, words] = [text, `${text} ${note} ${kind}`].map(plainOf) as [string, string];
      return { text, note, kind, href: at + end + to, plain, words };
    }),
  );

/** The lower, the better. */
function rank({ plain, note }: Place, sought: string): number {
  if (plain === sought) return 0;
  if (plain.startsWith(sought) || plainOf(note) === sought) return 1;
  const at = plain.indexOf(sought);
  return at < 0 ? 4 : /\w/.test(plain[at - 1] ?? "") ? 3 : 2;
}

/** The best places, those of a kind together. */
function placesFor(places: readonly Place[], sought: string): readonly Place[] {
  const parts = sought.split(/\s+/);
  const found = places.filter(({ words }) => parts.every((part) => words.includes(part)));
  const best = found
    .map((place) => [rank(place, sought), place] as const)
    .sort(([one], [other]) => one - other)
    .slice(0, mostShown)
    .map(([, place]) => place);
  const kinds = best.map(({ kind }) => kind);
  return best.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

export function startFind(): void {
  const input = make("input", { type: "text", placeholder: "Find operations, fields, errors, values…" });
  input.ariaLabel = "Find";
  const list = make("ul");
  const note = make("p", { className: "type" });
  const dialog = make("dialog", { className: "find" }, input, list, note);
  dialog.ariaLabel = "Find";
  document.body.append(dialog);
  let places: readonly Place[] = [];

  async function load(): Promise<void> {
    if (places.length > 0) return;
    try {
      places = placesIn(await (await fetch(new URL("find.json", import.meta.url))).json());
      show();
    } catch {
      note.textContent = "The index cannot be loaded.";
    }
  }

  function show(): void {
    const sought = plainOf(input.value.trim());
    const found = sought === "" ? [] : placesFor(places, sought);
    list.replaceChildren(...found.map(linkTo));
    note.textContent =
      sought === "" || found.length > 0 || places.length === 0 ? "" : `Nothing found for “${input.value.trim()}”`;
    announce(note.textContent || (sought === "" ? "" : `${found.length} found`));
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
  dialog.onkeydown = (event) => {
    const links = all("a", list);
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: links[at + 1], ArrowUp: links[at - 1] ?? input }[event.key];
    if (next !== undefined) next.focus();
    else if (event.key === "Enter" && at < 0) links[0]?.click();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyped = target instanceof Element && target.closest("input, select, textarea") !== null;
    const isSlash = key === "/" && !isTyped && !ctrlKey && !metaKey && !altKey;
    if (!isSlash && !(key.toLowerCase() === "k" && (ctrlKey || metaKey))) return;
    event.preventDefault();
    open();
  });
  for (const each of all(".finder")) {
    const button = makeButton("Find ", open, "plain");
    button.append(make("kbd", {}, "Ctrl K"));
    each.append(button);
  }
}

const linkTo = ({ text, note, kind, href }: Place): Node =>
  make("li", {}, make("a", { href }, make("b", {}, text), ` ${note} `, make("span", { className: "type" }, kind)));
