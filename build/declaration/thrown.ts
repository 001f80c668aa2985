// The errors that functions of a declaration throw, as failures at their places.
import * as z from "zod";
import { Failure } from "../../src/model/failure.ts";
import { shown, shownError } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { dayOf } from "./deprecations.ts";
import type { DeclaredPart, Places } from "./places.ts";
import type { Program } from "./program.ts";
import { secondsNow } from "./seconds-now.ts";

/** The place is the call that the stack trace names, else `spot`. `subject` starts the sentence, if there is one. */
export function thrown(
  error: unknown,
  places: Places,
  subject?: string,
  spot: DeclaredPart = { of: undefined },
): Failure {
  const site = error instanceof Error ? { stack: error.stack } : undefined;
  const place = places.find({ of: { site } }) ?? places.find(spot) ?? places.whole;
  if (error instanceof z.core.$ZodError) {
    const paths = error.issues.map((issue) => z.core.toDotPath(issue.path) || "the value itself");
    return new Failure(place, `A value does not match its schema here: ${shown(listed(paths), 300)}.`);
  }
  const text = shownError(error);
  return new Failure(place, subject === undefined ? text : `${subject}: ${text}`);
}

/** An error that a function of the declaration throws later is placed at the option of the function. */
export const programWith = (places: Places): Program => ({
  folder: places.folder,
  today: () => dayOf(secondsNow()),
  placeOf: (of, ...path) => places.find({ of, path, part: "name" }),
  failureOf: (error, of, path, subject) => thrown(error, places, subject, { of, path, part: "name" }),
});
