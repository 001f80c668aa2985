// The page about changes: a menu limits it to one list, which its address keeps.
import { all, make } from "../../frame/browser/elements.ts";

export function startChanges(): void {
  const [place] = all(".choice");
  if (place === undefined) return;
  const parts = all("[data-list]");
  const nameOf = ({ dataset }: HTMLElement): string => dataset["list"] ?? "";
  const names = [...new Set(parts.map(nameOf))].sort();
  const select = make("select", { onchange: change }, new Option("Everything", ""));
  select.append(...names.map((name) => new Option(name)));
  select.value = new URLSearchParams(location.search).get("list") ?? "";
  if (select.value !== "") show();
  else select.selectedIndex = 0;
  place.append(make("label", {}, "Show ", select));

  function show(): void {
    const { value } = select;
    for (const part of parts) part.hidden = value !== "" && nameOf(part) !== value;
    for (const build of all(".build")) build.hidden = all("section, .announced", build).every(({ hidden }) => hidden);
  }

  function change(): void {
    show();
    const address = new URL(location.href);
    address.hash = "";
    if (select.value === "") address.searchParams.delete("list");
    else address.searchParams.set("list", select.value);
    history.replaceState(null, "", address);
  }
}
