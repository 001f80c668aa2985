// The errors that functions of a declaration throw, as faults at their places.
import * as z from "zod";
import type { Api } from "../../src/api.ts";
import type { ApiDeclaration } from "../../src/declare.ts";
import { DeclarationError, type Diagnostic } from "../diagnostics.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { type Places, type Spot, spotOf } from "./places.ts";

/**
 * The place is the call in the declaration that the stack trace names, else `spot`, else the start of the file.
 * `subject` starts the sentence, if there is one.
 */
export function thrown(error: unknown, places: Places, subject?: string, spot?: Spot): Diagnostic {
  const site = error instanceof Error ? { stack: error.stack } : undefined;
  const place = places.find({ sites: [site], path: [] }) ?? (spot && places.find(spot)) ?? places.start;
  if (error instanceof z.core.$ZodError) {
    const paths = error.issues.map((issue) => z.core.toDotPath(issue.path) || "the value itself");
    const message = `A value does not match its schema here: ${shown(listed(paths), 300)}.`;
    return { ...place, code: "throws", message };
  }
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const text = `${shown(line, 300).replace(/\.$/, "")}.`;
  return { ...place, code: "throws", message: subject === undefined ? text : `${subject}: ${text}` };
}

/** Reports errors that functions of the declaration throw later as faults at their places. */
export function withPlaces(api: Api, { site, collections }: ApiDeclaration, places: Places): Api {
  const fail = (error: unknown, spot: Spot, subject?: string): never => {
    throw new DeclarationError(thrown(error, places, subject, spot));
  };
  const guarded =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Result, spot: Spot, subject?: string) =>
    (...given: Given): Result => {
      try {
        return call(...given);
      } catch (error) {
        return fail(error, spot, subject);
      }
    };
  const lists = api.lists.map((list) => {
    const { name, load, transform, from } = list;
    const declared = collections[name];
    const at = (...option: readonly string[]) => spotOf(declared, option, "name");
    const subject = `The items of ${name} cannot be loaded`;
    const filters = list.filters.map((each) => ({
      ...each,
      ...(each.of && { of: guarded(each.of, at("filters", each.param)) }),
    }));
    return {
      ...list,
      filters,
      placeOf: (option: string) => places.find(at(option)),
      ...(load && { load: () => load().catch((error: unknown) => fail(error, at("load"), subject)) }),
      ...(transform && { transform: guarded(transform, at("transform")) }),
      ...(from && { from: { ...from, each: guarded(from.each, spotOf(declared?.declaration.from, [])) } }),
    };
  });
  const pages = api.pages.map((page) => {
    const spot = spotOf({ site }, ["pages", page.path, "render"], "name");
    return { ...page, render: guarded(page.render, spot, `The page ${page.path} cannot be rendered`) };
  });
  return { ...api, lists, operations: [...lists, ...api.documents], pages };
}
