// The script of all pages. It adds what needs a script; every page is complete without it.
import { startConsoles } from "./console.ts";
import { addCopyButtons } from "./copy.ts";
import { all } from "./elements.ts";
import { startFind } from "./find.ts";
import { keepFresh } from "./freshness.ts";
import { rememberLanguage } from "./languages.ts";
import { showRows } from "./rows.ts";

// Samples have a variable in place of the address of the host.
if (location.protocol.startsWith("http")) {
  for (const each of all("code var")) each.textContent = location.origin;
  for (const each of all(".hostless")) each.remove();
}

addCopyButtons();
rememberLanguage();
startConsoles();
startFind();
showRows();
keepFresh();

for (const folded of all<HTMLDetailsElement>(".folded")) {
  folded.onclick = ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null) folded.open = false;
  };
}
