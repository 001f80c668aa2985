// The names of collections, documents and parameters become paths, files, folders and variables in hosts' configurations:
// no host has to quote, shorten or rename them.
import { quote } from "../quote.ts";
import type { Report, Spot } from "./places.ts";

/** Names with another meaning in a path. */
const parameters: ReadonlySet<string> = new Set(["limit", "cursor", "item"]);

/** Also names with another meaning in the content, in a deployment's file or in JavaScript. */
const entries: ReadonlySet<string> = new Set([
  ...parameters,
  ...["docs", "schemas", "dumps", "errors", "openapi", "cursors", "api", "deployments"],
  ...["operations", "constructor", "then", "prototype"],
]);

const form = /^(?=.{1,32}$)[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

export const formHint =
  "A name starts with a letter, and is 1 to 32 lowercase letters, digits, and single hyphens or underscores between them.";

export function checkName(
  report: Report,
  kind: "collection" | "document" | "parameter" | "vocabulary",
  name: string,
  at: readonly Spot[],
): void {
  if (!form.test(name)) {
    const meant = name
      .trim()
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
      .toLowerCase()
      .replace(/_+/g, "_")
      .replace(/[^a-z0-9_]+/g, "-")
      .replace(/^[^a-z]+|[-_]+$/g, "");
    const hint = form.test(meant) ? `${formHint} ${quote(meant)} is one.` : formHint;
    report.add("invalid-name", at, `${quote(name)} is no name of a ${kind}.`, hint);
  } else if (kind !== "vocabulary" && (kind === "parameter" ? parameters : entries).has(name)) {
    report.add("reserved-name", at, `The name ${quote(name)} has another meaning.`, `Give the ${kind} another name.`);
  }
}

export const isName = (name: string): boolean => form.test(name);

/** The first of several names that differ from one only in hyphens and underscores. */
export const alikeName = (name: string, others: readonly string[]): string | undefined =>
  others.find((other) => other.replaceAll("-", "_") === name.replaceAll("-", "_"));
