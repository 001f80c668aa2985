// The script of all pages. It adds what needs a script; every page is complete without it.
import { startConsoles } from "./console.ts";
import { addCopyButton, all, announce, copyButton, make, makeButton, minute, showAges } from "./elements.ts";
import { startFind } from "./find.ts";

// Samples have a variable in place of the address of the host.
if (location.protocol.startsWith("http")) {
  for (const each of all("code var")) each.textContent = location.origin;
  for (const each of all(".hostless")) each.remove();
}

all("pre").forEach(addCopyButton);
for (const each of all(".copy")) each.after(" ", ...copyButton(() => each.textContent));
rememberLanguage(all<HTMLInputElement>(".tabs input"));
startConsoles();
startFind();
showRows();
keepFresh();

for (const folded of all<HTMLDetailsElement>(".folded")) {
  folded.onclick = ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null) folded.open = false;
  };
}

/** The language of samples: one for all requests of the page, remembered for the next visit. */
function rememberLanguage(inputs: readonly HTMLInputElement[]): void {
  const languageOf = (input: HTMLInputElement) => input.labels?.[0]?.textContent ?? "";
  const choose = (language: string) => {
    for (const input of inputs) if (languageOf(input) === language) input.checked = true;
  };
  // Browsers may refuse storage.
  const stored = <Value>(access: () => Value): Value | undefined => {
    try {
      return access();
    } catch {
      return undefined;
    }
  };
  choose(stored(() => localStorage.getItem("stillapi.language")) ?? "");
  for (const input of inputs) {
    input.onchange = () => {
      choose(languageOf(input));
      stored(() => localStorage.setItem("stillapi.language", languageOf(input)));
    };
  }
}

/**
 * Links with `data-rows`, such as those of a map: a card shows the name of the one that is pointed at or focused, and the
 * elements with these ids are marked.
 */
function showRows(): void {
  const card = make("p", { className: "card", ariaHidden: "true" });
  // Names are read before the titles go, which browsers would show beside the card.
  const named = all<SVGElement>("[data-rows]").map((link) => {
    const title = document.getElementById(link.getAttribute("aria-labelledby") ?? "");
    return [link, title?.textContent ?? ""] as const;
  });
  for (const each of all("[data-rows] > title")) each.remove();
  for (const [link, name] of named) {
    link.removeAttribute("aria-labelledby");
    link.setAttribute("aria-label", name);
    const rows = (link.dataset["rows"] ?? "").split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const show = () => {
      for (const row of rows)
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
    for (const kind of ["pointerenter", "focus"]) link.addEventListener(kind, show);
    for (const kind of ["pointerleave", "blur"]) link.addEventListener(kind, hide);
  }
}

/** Shows ages, and whether the answer from which the page was made is still the same, every minute. */
function keepFresh(): void {
  const tasks = [showAges, ...all("[data-watch]").map(watch)];
  const run = () => {
    for (const task of tasks) task();
  };
  run();
  setInterval(run, minute);
  document.onvisibilitychange = run;
}

function watch(line: HTMLElement): () => Promise<void> {
  const { watch: url = "", shown } = line.dataset;
  let last = "";
  return async () => {
    if (document.hidden) return;
    const time = `${new Date().toISOString().slice(11, 16)} UTC`;
    const answer: unknown = await fetch(url, { cache: "no-store" })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    const isSame = JSON.stringify(answer) === shown;
    const news = answer === undefined ? "The data could not be checked" : "The data on this page is out of date.";
    const reload = () => makeButton("Reload", () => location.reload(), "small");
    if (isSame) line.replaceChildren(make("a", { href: url }, url), ` is unchanged, as of ${time}.`);
    else if (answer === undefined) line.replaceChildren(`${news} at ${time}. It may be out of date.`);
    else line.replaceChildren(`${news} `, reload());
    if (news !== last && !isSame) announce(news);
    last = isSame ? "" : news;
  };
}
