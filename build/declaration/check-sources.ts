// Checks the sources of a collection: files, a function, or another collection. Reports collections that derive from
// themselves.
import { impliedField } from "../../src/complete-resource.ts";
import { references } from "../../src/marks.ts";
import { quote } from "../quote.ts";
import { notInPath } from "./alternatives.ts";
import { type CollectionEntry, checkField } from "./check-collection.ts";
import { lower } from "./options.ts";
import type { DeclarationSpot, Report } from "./places.ts";
import { isSchema } from "./schema.ts";

export function checkSources(report: Report, entry: CollectionEntry): void {
  const { which, at, options } = entry;
  const { files, load, from, transform } = options;
  const sources = [...(files ? ["files"] : []), ...(load ? ["load"] : []), ...(from ? ["from"] : [])];
  const [first = "", second] = sources;
  if (second !== undefined) {
    const message = `${which} has both ${sources.join(" and ")}, but its items come from one of them.`;
    report.add("wrong-option", at([first], "name"), message, "Remove one.");
    return;
  }
  if (from !== undefined && transform !== undefined) {
    const message = `${which} has both transform and from, but the function of from returns its items.`;
    report.add("wrong-option", at(["transform"], "name"), message, "Make the items as they are in that function.");
  }
  const globs = typeof files === "string" ? [files] : (files ?? []);
  for (const [index, glob] of globs.entries()) {
    const where = at(typeof files === "string" ? ["files"] : ["files", String(index)]);
    const problem = problemOf(glob);
    if (problem !== undefined) {
      const message = `The files of ${lower(which)} are ${quote(glob)}, ${problem[0]}.`;
      report.add("wrong-option", where, message, problem[1]);
    } else if (transform === undefined) checkPathFields(report, entry, glob, where);
  }
}

const whole = 'A glob is a path below content/, such as "products/*.md" or "docs/{lang}/{slug}.md".';

/** Completes "The files are …, …". */
function problemOf(glob: string): readonly [problem: string, hint: string] | undefined {
  if (glob.startsWith("content/")) return ["but globs are below content/", `Write ${quote(glob.slice(8))}.`];
  if (glob.includes("\\")) return ["which has a backslash", "Write slashes."];
  const parts = glob.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    return ["which is no path below content/", whole];
  if (parts[0] === "deployments") return ["but deployments/ holds the deployments", "Name another folder."];
  const open = glob.replace(/\{[^{}]*\}/g, "");
  return /[{}]/.test(open) ? ["in which a brace has no partner", whole] : undefined;
}

function checkPathFields(
  report: Report,
  entry: CollectionEntry,
  glob: string,
  where: readonly DeclarationSpot[],
): void {
  const use = { role: "files", problemOf: notInPath, hint: "A path gives texts and numbers." };
  for (const [, field = ""] of glob.matchAll(/\{([^{},/.]+)\}/g)) checkField(report, entry, field, where, use);
}

/** Checks that collections are made from collections of the API, and not from themselves. */
export function checkOrigins(
  report: Report,
  entries: readonly CollectionEntry[],
  declared: Readonly<Record<string, unknown>>,
): void {
  const collections = entries.filter(({ kind }) => kind === "collection");
  const entryOf = (name: string | undefined) => collections.find((each) => each.name === name);
  const sourceOf = ({ options: { from } }: CollectionEntry) =>
    from && Object.keys(declared).find((name) => declared[name] === from.collection);
  /** The collections that are read before an entry: its source, and the collections that the paths of its files name. */
  const needs = (entry: CollectionEntry): readonly CollectionEntry[] => {
    const source = entryOf(sourceOf(entry));
    const field = source?.schema && impliedField(source.name, source.options.files, source.schema);
    const target = field === undefined ? undefined : entryOf(targetOf(source?.schema?.shape[field]));
    return [source, target].filter((each) => each !== undefined);
  };
  const spots = ({ options: { from }, at }: CollectionEntry) => [{ site: from?.site, path: [] }, ...at([])];
  const made = collections.filter(({ options }) => options.from !== undefined);
  for (const entry of made.filter((each) => sourceOf(each) === undefined)) {
    const message = `The items of ${lower(entry.which)} are made from a collection that the API does not have.`;
    report.add("no-such-collection", spots(entry), message, "Add it to collections, or name another.");
  }
  for (const [entry, names] of circlesIn(made, needs)) {
    const message = `The items of ${lower(entry.which)} are made from themselves: ${names}.`;
    report.add("circular-sources", spots(entry), message, "Read the items of one of them from files.");
  }
}

/** Checks that no key is a reference to a key that derives from it. */
export function checkKeys(report: Report, entries: readonly CollectionEntry[]): void {
  const collections = entries.filter(({ kind }) => kind === "collection");
  const needs = ({ schema, options: { key } }: CollectionEntry): readonly CollectionEntry[] => {
    const target = targetOf(schema?.shape[String(key)]);
    return collections.filter(({ name }) => name === target);
  };
  for (const [{ which, at, options }, names] of circlesIn(collections, needs)) {
    const message = `The key of ${lower(which)} is a reference that leads back to it: ${names}.`;
    report.add("circular-keys", at(["schema", String(options.key)]), message, "Give one of them a key of its form.");
  }
}

const targetOf = (field: unknown): string | undefined => (isSchema(field) ? references.of(field)?.to : undefined);

/** The first entry of each circle, and the names along the circle. */
function circlesIn(entries: readonly CollectionEntry[], needs: (entry: CollectionEntry) => readonly CollectionEntry[]) {
  const reported = new Set<CollectionEntry>();
  return entries.flatMap((entry) => {
    const circle = reported.has(entry) ? undefined : circleOf(entry, needs);
    if (circle === undefined) return [];
    for (const each of circle) reported.add(each);
    return [[entry, [...circle, entry].map(({ name }) => name).join(" → ")] as const];
  });
}

/** The shortest way that leads from an entry back to it. */
function circleOf(
  start: CollectionEntry,
  needs: (entry: CollectionEntry) => readonly CollectionEntry[],
): readonly CollectionEntry[] | undefined {
  const seen = new Set<CollectionEntry>();
  const ways: (readonly CollectionEntry[])[] = [[start]];
  for (const way of ways) {
    for (const each of needs(way.at(-1) ?? start)) {
      if (each === start) return way;
      if (!seen.has(each)) ways.push([...way, each]);
      seen.add(each);
    }
  }
  return undefined;
}
