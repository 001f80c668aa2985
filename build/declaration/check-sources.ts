// Checks the sources of a collection: files, a function, or another collection.
import { impliedField } from "../../src/complete-resource.ts";
import { references } from "../../src/marks.ts";
import { quote } from "../quote.ts";
import { type Entry, finderOf } from "./check-collection.ts";
import { lower } from "./options.ts";
import type { Spot } from "./places.ts";
import type { Report } from "./report.ts";
import { alternativesOf, isSchema } from "./schema.ts";

export function checkSources(report: Report, entry: Entry): void {
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

function checkPathFields(report: Report, entry: Entry, glob: string, where: readonly Spot[]): void {
  const find = finderOf(report, entry);
  for (const [, field = ""] of glob.matchAll(/\{([^{},/.]+)\}/g)) {
    const found = find(field, where, "files");
    const other = (found === undefined ? [] : alternativesOf(found)).find(
      (each) => each.kind === "boolean" || (each.kind === "other" && each.noun !== "a number"),
    );
    if (other === undefined) continue;
    const noun = other.kind === "other" ? other.noun : "true or false";
    const message = `The field ${field} of ${lower(entry.which)} cannot be used in files, because it is ${noun}.`;
    report.add("unsuitable-field", where, message, "A path gives texts and numbers.");
  }
}

/** The collections that the items are made from must be in the API, and not be made from the collection itself. */
export function checkOrigins(
  report: Report,
  entries: readonly Entry[],
  declared: Readonly<Record<string, unknown>>,
): void {
  const nameOf = ({ options: { from } }: Entry): string | undefined =>
    from && Object.keys(declared).find((name) => declared[name] === from.collection);
  const entryOf = (name: string | undefined) =>
    entries.find((each) => each.kind === "collection" && each.name === name);
  /** The collections that are read before it: its source, and those that the paths of its files name. */
  const needs = (entry: Entry): readonly Entry[] => {
    const source = entryOf(nameOf(entry));
    const { schema, options, name } = source ?? {};
    const field = schema && impliedField(name ?? "", options?.files, schema);
    const reference: unknown = field === undefined ? undefined : schema?.shape[field];
    const target = isSchema(reference) ? entryOf(references.of(reference)?.to) : undefined;
    return [source, target].filter((each) => each !== undefined);
  };
  const reported = new Set<Entry>();
  for (const entry of entries) {
    const { which, options, at } = entry;
    const { from } = options;
    if (entry.kind === "document" || from === undefined) continue;
    const where = [{ site: from.site, path: [] }, ...at([])];
    if (nameOf(entry) === undefined) {
      const message = `The items of ${lower(which)} are made from a collection that the API does not have.`;
      report.add("no-such-collection", where, message, "Add it to collections, or name another.");
      continue;
    }
    const circle = reported.has(entry) ? undefined : circleOf(entry, needs);
    if (circle === undefined) continue;
    for (const each of circle) reported.add(each);
    const names = [...circle, entry].map(({ name }) => name).join(" → ");
    const message = `The items of ${lower(which)} are made from themselves: ${names}.`;
    report.add("circular-sources", where, message, "Read the items of one of them from files.");
  }
}

/** The shortest way that leads from an entry back to it. */
function circleOf(start: Entry, needs: (entry: Entry) => readonly Entry[]): readonly Entry[] | undefined {
  const seen = new Set<Entry>();
  for (let ways: readonly (readonly Entry[])[] = [[start]]; ways.length > 0; ) {
    const next: (readonly Entry[])[] = [];
    for (const way of ways) {
      for (const each of needs(way.at(-1) ?? start)) {
        if (each === start) return way;
        if (!seen.has(each)) next.push([...way, each]);
        seen.add(each);
      }
    }
    ways = next;
  }
  return undefined;
}
