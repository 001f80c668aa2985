// The search: a dialog with one field. The index is loaded when the dialog is first opened. Results are links; arrow keys move
// between them.
import { all, announce, make, makeButton, plainOf, rank } from "./elements.ts";

/** As build/documents/search.ts writes it. */
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
}

const maxShown = 10;

const placesIn = ({ groups }: Index): readonly Place[] =>
  groups.flatMap(({ kind, at = "", to = "", entries }) =>
    entries.map(([text, note = "", end = text]) => ({ text, note, kind, href: at + end + to })),
  );

/** The best matches, grouped by kind. */
function placesFor(places: readonly Place[], sought: string): readonly Place[] {
  const parts = sought.split(/\s+/);
  const best = places
    .filter(({ text, note, kind }) => {
      const words = plainOf(`${text} ${note} ${kind}`);
      return parts.every((part) => words.includes(part));
    })
    .map((place) => {
      const ofText = rank(plainOf(place.text), sought);
      return [plainOf(place.note) === sought ? Math.min(1, ofText) : ofText, place] as const;
    })
    .sort(([one], [other]) => one - other)
    .slice(0, maxShown)
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
    const typed = input.value.trim();
    const found = typed === "" ? [] : placesFor(places, plainOf(typed));
    list.replaceChildren(...found.map(linkTo));
    const isNothing = typed !== "" && found.length === 0 && places.length > 0;
    note.textContent = isNothing ? `Nothing found for “${typed}”` : "";
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
  dialog.onkeydown = (event) => {
    const links = all("a", list);
    const at = links.findIndex((link) => link.contains(document.activeElement));
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
  for (const place of all(".finder")) {
    const button = makeButton("Find ", open, "plain");
    button.append(make("kbd", {}, /Mac|iP/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K"));
    place.append(button);
  }
}

const linkTo = ({ text, note, kind, href }: Place): Node =>
  make("li", {}, make("a", { href }, make("b", {}, text), ` ${note} `, make("span", { className: "type" }, kind)));
