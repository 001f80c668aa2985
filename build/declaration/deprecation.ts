// Checks the notices of what will go: their days, and the names of what to use instead.
import * as z from "zod";
import type { Deprecation } from "../../src/deprecation.ts";
import { deprecations } from "../../src/marks.ts";
import { quote } from "../text/quote.ts";
import { nearest } from "../text/slips.ts";
import { listed } from "../text/words.ts";
import type { Entry } from "./collection.ts";
import { type At, checkOptions, deprecationOptions, given, isObject, lower, type Report } from "./options.ts";

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
    const { which, at, options, schema } = entry;
    const filters = Object.entries(options.filters ?? {}).map(([param, by]): Peer => {
      const notice = typeof by === "object" ? by.deprecated : undefined;
      const of = `the filter ${quote(param)} of ${lower(which)}`;
      return { name: param, of, notice, at: within(at, "filters", param, "deprecated") };
    });
    checkPeers(report, filters, "filter of the collection");
    if (schema !== undefined && isMarked(schema)) {
      const message = `The schema of ${lower(which)} is deprecated, and not one of its fields.`;
      report("wrong-option", at(["schema"]), message, `Give the ${entry.kind} the option deprecated.`);
    }
    checkPeers(report, fieldsOf(report, entry), "field of the items");
  }
}

const within =
  (at: At, ...steps: readonly string[]): At =>
  (path, part) =>
    at([...steps, ...path], part);

/** Whether zod's own mark or a notice says that a schema is deprecated. */
const isMarked = (schema: z.core.$ZodType): boolean =>
  deprecations.of(schema) !== undefined || z.globalRegistry.get(schema)?.deprecated === true;

function fieldsOf(report: Report, { which, at, parts }: Entry): readonly Peer[] {
  return parts.flatMap(([path, schema, name]) => {
    const notice: unknown = deprecations.of(schema);
    const of = `the field ${name} of ${lower(which)}`;
    const where = within(at, "schema", ...path);
    const isField = !/[\]*]$/.test(name);
    if (isMarked(schema) && notice === undefined) {
      const hint = 'Use deprecated(…, { since: "2026-12-01" }) of "stillapi/forms".';
      report("wrong-option", where([]), `The meta of ${of} has deprecated, which does not say since when.`, hint);
    } else if (notice !== undefined && !isField) {
      const message = `The elements of ${of.replace(/(?:\[\d*\]|\.\*)+ of/, " of")} are deprecated, and no field.`;
      report("wrong-option", where([]), message, "Mark the whole field.");
    }
    return isField ? [{ name, of, notice, at: where }] : [];
  });
}

/** `kind` names what is used in place of another one. */
function checkPeers(report: Report, peers: readonly Peer[], kind: string): void {
  for (const { name, of, notice, at } of peers) {
    if (notice === undefined) continue;
    const which = `The deprecation of ${of}`;
    if (!isObject(notice)) {
      report("wrong-option", at([]), `${which} must be an object, but is ${given(notice)}.`, example);
      continue;
    }
    const {
      since = "",
      sunset,
      use,
    } = checkOptions(report, deprecationOptions, notice, which, at) as Partial<Deprecation>;
    if (sunset !== undefined && sunset < since) {
      const message = `The sunset of ${of} is ${sunset}, before it is deprecated on ${since}.`;
      report("wrong-option", at(["sunset"]), message, "A sunset is on that day or later.");
    }
    const others = peers.filter((each) => each.name !== name);
    const named = others.filter((each) => each.name === use);
    if (use !== undefined && named.length === 0) {
      const names = [...new Set(others.map((each) => each.name))];
      const hint = nearest(use, names) ?? (names.length === 0 ? "Leave use out." : `There are ${listed(names)}.`);
      report("wrong-option", at(["use"]), `${which} has ${quote(use)} in use, which is no other ${kind}.`, hint);
    } else if (use !== undefined && named.some((each) => each.notice !== undefined)) {
      const message = `${which} has ${quote(use)} in use, which is deprecated too.`;
      report("wrong-option", at(["use"]), message, "Name what stays, or leave use out.");
    }
  }
}

const example = 'Write { since: "2026-12-01" }.';
