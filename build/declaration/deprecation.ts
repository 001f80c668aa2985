// Checks the notices of what will go: their days, and the names of what to use instead.
import * as z from "zod";
import { deprecations } from "../../src/marks.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import type { Entry } from "./collection.ts";
import { type At, checkOptions, deprecationOptions, lower, type Report } from "./options.ts";

/** Something that may be deprecated, beside others that can be used in its place. */
interface Peer {
  readonly name: string;
  /** `the collection "nodes"` */
  readonly of: string;
  readonly notice: unknown;
  readonly at: At;
}

export function checkDeprecations(report: Report, entries: readonly Entry[]): void {
  const operations = entries.map(({ name, which, options, at }): Peer => {
    return { name, of: lower(which), notice: options.deprecated, at: within(at, "deprecated") };
  });
  checkPeers(report, operations, "collection or document");
  for (const entry of entries) {
    const { which, at, options } = entry;
    const filters = Object.entries(options.filters ?? {}).map(([param, by]): Peer => {
      const notice = typeof by === "object" ? by.deprecated : undefined;
      const of = `the filter ${quote(param)} of ${lower(which)}`;
      return { name: param, of, notice, at: within(at, "filters", param, "deprecated") };
    });
    checkPeers(report, filters, "filter of the collection");
    checkPeers(report, fieldsOf(report, entry), "field of the items");
  }
}

const within =
  (at: At, ...steps: readonly string[]): At =>
  (path, part) =>
    at([...steps, ...path], part);

/** Reports deprecated schemas that are no fields, or have no notice. */
function fieldsOf(report: Report, { which, at, schema, parts }: Entry): readonly Peer[] {
  if (schema === undefined) return [];
  return [[[], schema, ""] as const, ...parts].flatMap(([path, each, name]) => {
    const notice: unknown = deprecations.of(each);
    const of = `${name === "" ? "schema" : `field ${name}`} of ${lower(which)}`;
    const isField = name !== "" && !/[\]*]$/.test(name);
    const isMarked = notice !== undefined || z.globalRegistry.get(each)?.deprecated === true;
    if (isMarked && (!isField || notice === undefined)) {
      const message = `The ${of} is deprecated, which only a field can be, and with a notice.`;
      report("wrong-option", at(["schema", ...path]), message, hint);
    }
    return isField ? [{ name, of: `the ${of}`, notice, at: within(at, "schema", ...path) }] : [];
  });
}

const hint =
  'Use deprecated(slug, { since: "2026-12-01" }) of "stillapi/forms", or the option deprecated of the collection.';

/** `kind` names what is used in place of another one. */
function checkPeers(report: Report, peers: readonly Peer[], kind: string): void {
  const going = new Set(peers.flatMap((each) => (each.notice === undefined ? [] : [each.name])));
  const staying = [...new Set(peers.map((each) => each.name))].filter((each) => !going.has(each));
  for (const { of, notice, at } of peers) {
    if (notice === undefined) continue;
    const which = `The deprecation of ${of}`;
    const { use } = checkOptions(report, deprecationOptions, notice, which, at);
    if (typeof use !== "string" || staying.includes(use)) continue;
    const others = staying.length === 0 ? "Leave use out." : `There are: ${listed(staying)}.`;
    const message = `${which} has ${quote(use)} in use, which is no other ${kind} that stays.`;
    report("wrong-option", at(["use"]), message, nearest(use, staying) ?? others);
  }
}
