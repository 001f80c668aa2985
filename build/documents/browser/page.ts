// The script of all pages: forms, search, buttons to copy, ages of times. Every page is complete without it.
import { startChanges } from "../changes/browser/changes.ts";
import { followContents } from "../frame/browser/contents.ts";
import { addCopyButtons, all, copyButton, minute, showAges } from "../frame/browser/elements.ts";
import { startLanguages } from "../frame/browser/languages.ts";
import { showAsked } from "../frame/browser/not-found.ts";
import { startThemes } from "../frame/browser/theme.ts";
import { startConsoles } from "../reference/browser/console.ts";
import { startSearch } from "../search/browser/search.ts";

// Samples have a variable in place of the address of the host.
if (location.protocol.startsWith("http")) {
  for (const code of all("code:has(var)")) {
    for (const variable of all("var", code)) variable.textContent = location.origin;
    // Browsers count it as a layout shift if a longer name moves the rest of its line, but not if the line is replaced.
    code.replaceChildren(...[...code.childNodes].map((node) => node.cloneNode(true)));
  }
}

addCopyButtons();
startThemes();
leadOn();
window.addEventListener("hashchange", leadOn);
startLanguages();
followContents();
for (const code of all(".copy")) code.after(" ", ...copyButton(() => code.textContent));
startConsoles();
startChanges();
startSearch();
showAsked();
keepAges();

for (const folded of all<HTMLDetailsElement>(".folded")) {
  folded.onclick = ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null) folded.open = false;
  };
}

/** Redirects an anchor of a list that has moved to a page of its own, or of a part of the list. */
function leadOn(): void {
  const [start = ""] = location.hash.slice(1).split(/\.|--/);
  const page = document.getElementById(start)?.dataset["page"];
  if (page !== undefined) location.replace(`${page}${location.search}${location.hash}`);
}

/** Ages stay right while a page is open, and when it is seen again. */
function keepAges(): void {
  showAges();
  setInterval(showAges, minute);
  document.onvisibilitychange = showAges;
}
