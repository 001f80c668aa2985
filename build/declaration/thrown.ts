// The errors that functions of a declaration throw, as faults at their places.
import * as z from "zod";
import { DeclarationError, type Diagnostic } from "../diagnostics.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import type { Program } from "./complete.ts";
import { dayOf } from "./deprecations.ts";
import type { DeclaredPart, Places } from "./places.ts";
import { secondsNow } from "./seconds-now.ts";

/** The place is the call that the stack trace names, else `spot`. `subject` starts the sentence, if there is one. */
export function thrown(
  error: unknown,
  places: Places,
  subject?: string,
  spot: DeclaredPart = { of: undefined },
): Diagnostic {
  const site = error instanceof Error ? { stack: error.stack } : undefined;
  const place = places.find({ of: { site } }) ?? places.find(spot) ?? places.whole;
  if (error instanceof z.core.$ZodError) {
    const paths = error.issues.map((issue) => z.core.toDotPath(issue.path) || "the value itself");
    const message = `A value does not match its schema here: ${shown(listed(paths), 300)}.`;
    return { ...place, code: "throws", message };
  }
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const text = `${shown(line, 300).replace(/\.$/, "")}.`;
  return { ...place, code: "throws", message: subject === undefined ? text : `${subject}: ${text}` };
}

/** Reports what functions of the declaration throw later as faults at the places of their options. */
export const programWith = (places: Places): Program => ({
  today: () => dayOf(secondsNow()),
  placeOf: (of, option) => places.find({ of, path: [option], part: "name" }),
  guard: (call, of, path, subject) => {
    const fail = (error: unknown): never => {
      throw new DeclarationError(thrown(error, places, subject, { of, path, part: "name" }));
    };
    return (...given) => {
      try {
        const result = call(...given);
        // `load` is async. The rejection is of the same type.
        return result instanceof Promise ? (result.catch(fail) as typeof result) : result;
      } catch (error) {
        return fail(error);
      }
    };
  },
});
