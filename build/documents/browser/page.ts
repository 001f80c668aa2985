// The script of all pages. It adds the elements that need a script; every page is complete without them.
import { addFilters, foldAfterJumps } from "./contents.ts";
import { addCopyButtons } from "./copy.ts";
import { all } from "./elements.ts";
import { keepFresh } from "./freshness.ts";
import { rememberLanguage } from "./languages.ts";
import { answerInPlace } from "./requests.ts";

document.documentElement.classList.add("scripted");

// Samples have a variable in place of the address of the host.
if (location.protocol.startsWith("http")) {
  for (const each of all("code var")) each.textContent = location.origin;
  for (const each of all(".hostless")) each.remove();
}

addCopyButtons();
rememberLanguage();
answerInPlace();
addFilters();
foldAfterJumps();
keepFresh();
