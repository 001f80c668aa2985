// The names that a declaration gives, and the paths of its pages.
import { quote } from "../text/quote.ts";
import type { Report } from "./options.ts";
import type { Spot } from "./places.ts";

/** Names become paths, files and variables in the configuration of hosts, none of which has to quote or rename them. */
const nameForm = /^(?=.{1,32}$)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/** Names of parameters with another meaning in a path. */
const parameters = ["limit", "cursor", "item"];

/** Names of collections and documents with another meaning: also in the content, in a deployment or in JavaScript. */
const operations = [
  ...parameters,
  ...["docs", "schemas", "dumps", "filters", "errors", "openapi", "cursors", "changes", "api", "deployments"],
  ...["operations", "constructor", "then", "prototype"],
];

const reserved: Readonly<Record<"collection" | "document" | "parameter" | "vocabulary", readonly string[]>> = {
  collection: operations,
  document: operations,
  parameter: parameters,
  /** It has the codes of ISO 3166-1; see the form `country`. */
  vocabulary: ["country"],
};

export function checkName(report: Report, kind: keyof typeof reserved, name: string, at: readonly Spot[]): void {
  if (!isName(name)) {
    const hint =
      "A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.";
    report("invalid-name", at, `${quote(name)} is no name of a ${kind}.`, hint);
  } else if (reserved[kind].includes(name))
    report("reserved-name", at, `The name ${quote(name)} has another meaning.`, `Give the ${kind} another name.`);
}

export const isName = (name: string): boolean => nameForm.test(name);

/** Whether names are the same, or differ only in hyphens and underscores. */
export const areAlike = (one: string, other: string): boolean =>
  one.replaceAll("-", "_") === other.replaceAll("-", "_");

const pagePath = /^(?=.{1,100}$)docs(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

export function checkPath(report: Report, path: string, at: readonly Spot[]): void {
  if (!pagePath.test(path)) {
    const hint =
      "A path is docs/ and one or more parts of lowercase letters, digits and single hyphens, such as docs/map, and has at most 100 characters.";
    report("invalid-name", at, `${quote(path)} is no path of a page.`, hint);
  } else if (/\/index$/.test(path)) {
    // The file index.html is the page of its folder.
    report("reserved-name", at, `The path ${quote(path)} has another meaning.`, "Give the page another path.");
  }
}
