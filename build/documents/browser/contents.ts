// Filters the contents, and the fields and errors that they do not list.
import { all, announce, make } from "./elements.ts";

function addFilter(nav: HTMLElement): void {
  const links = all(".fields [id], .stack [id]").map((each) => {
    const section = each.closest("section")?.querySelector("h2, h3")?.textContent ?? "";
    const name = each.querySelector("code")?.textContent ?? "";
    return make("a", { href: `#${each.id}` }, name, " ", make("span", { className: "type" }, section));
  });
  const places: readonly HTMLElement[] = [...all("li a", nav), ...links];
  const found = make("ul", { className: "found" });
  const input = make("input", { type: "search", className: "filter", placeholder: "Filter (/)" });
  input.ariaLabel = "Filter operations, fields and errors";
  const update = () => {
    const text = input.value.trim().toLowerCase();
    const matches = text === "" ? [] : places.filter((each) => each.textContent?.toLowerCase().includes(text));
    nav.classList.toggle("filtered", text !== "");
    found.replaceChildren(...matches.slice(0, 50).map((each) => make("li", {}, each.cloneNode(true))));
    announce(text === "" ? "" : `${matches.length} found`);
  };
  input.oninput = update;
  input.onkeydown = ({ key }) => {
    if (key === "Enter") found.querySelector("a")?.click();
    if (key !== "Escape") return;
    input.value = "";
    update();
    input.blur();
  };
  nav.querySelector(".list-title")?.before(input, found);
}

export function addFilters(): void {
  all(".side, .folded nav").forEach(addFilter);
  document.onkeydown = (event) => {
    const isTyped =
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.target instanceof Element && event.target.closest("input, select, textarea") !== null);
    if (event.key !== "/" || isTyped) return;
    for (const input of all(".filter")) {
      event.preventDefault();
      input.closest("details")?.setAttribute("open", "");
      // Of the two, only the one that is shown takes the focus.
      input.focus();
    }
  };
}

export function foldAfterJumps(): void {
  for (const folded of all<HTMLDetailsElement>(".folded")) {
    folded.onclick = ({ target }) => {
      if (target instanceof Element && target.closest("a") !== null) folded.open = false;
    };
  }
}
