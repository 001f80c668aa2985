// Links with `data-rows`, such as those of a map: a card shows the name of the one that is pointed at or focused, and the
// elements with these ids are marked.
import { all, make } from "./elements.ts";

const card = make("p", { className: "card", ariaHidden: "true" });

export function showRows(): void {
  const links = all<SVGElement>("[data-rows]");
  // Names are read before the titles go, which browsers would show beside the card.
  const named = links.map((link) => [link, nameOf(link)] as const);
  for (const each of all("[data-rows] > title")) each.remove();
  for (const [link, name] of named) {
    link.removeAttribute("aria-labelledby");
    link.setAttribute("aria-label", name);
    const marks = rowsOf(link);
    const show = () => {
      for (const row of marks)
        (row.closest("details:not([open])")?.querySelector("summary") ?? row).classList.add("marked");
      card.replaceChildren(name);
      document.body.append(card);
      const { left, bottom, width } = link.getBoundingClientRect();
      const most = document.documentElement.clientWidth - card.offsetWidth - 8;
      card.style.left = `${Math.max(8, Math.min(most, left + width / 2 - card.offsetWidth / 2)) + scrollX}px`;
      card.style.top = `${bottom + 8 + scrollY}px`;
    };
    const hide = () => {
      card.remove();
      for (const each of all(".marked")) each.classList.remove("marked");
    };
    link.addEventListener("pointerenter", show);
    link.addEventListener("focus", show);
    link.addEventListener("pointerleave", hide);
    link.addEventListener("blur", hide);
  }
}

const nameOf = (link: Element): string =>
  document.getElementById(link.getAttribute("aria-labelledby") ?? "")?.textContent ?? "";

const rowsOf = ({ dataset }: SVGElement): readonly Element[] =>
  (dataset["rows"] ?? "").split(" ").flatMap((id) => document.getElementById(id) ?? []);
