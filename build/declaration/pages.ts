// Checks the pages that a declaration has: their paths, and their options.
import { quote } from "../quote.ts";
import { checkOptions, pageForms } from "./options.ts";
import type { Spot } from "./places.ts";
import type { Report } from "./report.ts";
import { given } from "./schema.ts";

const part = "[a-z0-9]+(?:-[a-z0-9]+)*";
const form = new RegExp(`^docs(?:/${part})+$`);

/** The longest path. */
const mostCharacters = 100;

/** `at` are the places of an option, or of a page within it. */
export function checkPages(
  report: Report,
  pages: unknown,
  at: (path: readonly string[], part?: Spot["part"]) => readonly Spot[],
): void {
  if (pages === undefined || pages === false) return;
  if (typeof pages !== "object" || pages === null || Array.isArray(pages)) {
    const message = `The option pages must be false, or an object with a page for each path, but is ${given(pages)}.`;
    report.add("wrong-option", at([]), message, 'Write pages: { "docs/map": { title, render } }.');
    return;
  }
  for (const [path, page] of Object.entries(pages)) {
    checkPath(report, path, at([path], "name"));
    const which = `The page ${quote(path)}`;
    if (typeof page === "object" && page !== null && !Array.isArray(page)) {
      checkOptions(report, pageForms, page, which, (inner, each) => at([path, ...inner], each));
    } else {
      report.add(
        "wrong-option",
        at([path]),
        `${which} must be an object, but is ${given(page)}.`,
        "Write { title, render }.",
      );
    }
  }
}

function checkPath(report: Report, path: string, where: readonly Spot[]): void {
  if (!form.test(path) || path.length > mostCharacters) {
    const hint = `A path is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most ${mostCharacters} characters.`;
    report.add("invalid-name", where, `${quote(path)} is no path of a page.`, hint);
  } else if (/\/index$/.test(path)) {
    // The file index.html is the page of its folder.
    report.add("reserved-name", where, `The path ${quote(path)} has another meaning.`, "Give the page another path.");
  }
}
