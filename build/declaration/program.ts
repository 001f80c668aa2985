// Calls functions of a declaration.
import type { Failure } from "../../src/model/failure.ts";
import type { Place } from "../../src/model/place.ts";

/** The surroundings of a declaration: its folder, the day, and the places of its options. */
export interface Program {
  /** An absolute path. */
  readonly folder: string;
  /** The day of a build, for items that depend on it. */
  readonly today: () => string;
  /** The failure of the function of an option, at the option or at the call that failed. `subject` starts the sentence. */
  readonly failureOf: (error: unknown, declared: object, option: readonly string[], subject?: string) => Failure;
  readonly placeOf: (declared: object, ...path: readonly string[]) => Place | undefined;
}

export const noProgram: Program = {
  folder: "/",
  today() {
    throw new Error("The day of the build is not known.");
  },
  failureOf(error) {
    throw error;
  },
  placeOf: () => undefined,
};

/** A function that returns a failure instead of throwing. */
export const guarded =
  <Arguments extends readonly unknown[], Result>(
    call: (...values: Arguments) => Result,
    failureOf: (error: unknown) => Failure,
  ) =>
  (...values: Arguments): Result | Failure => {
    try {
      return call(...values);
    } catch (error) {
      return failureOf(error);
    }
  };

/** Throws TypeError if a function that is not async returned a promise. */
export function withoutPromise(result: unknown, message: string): unknown {
  if (!(result instanceof Promise)) return result;
  // The promise itself is the fault. Node must not report its rejection as well.
  result.catch(() => undefined);
  throw new TypeError(message);
}
