// The seed of the random cases of tests, of fast-check's too. Every run of a commit tries the same cases, unless
// STILLAPI_SEED selects others.
import fc from "fast-check";

export const seed = Number(process.env["STILLAPI_SEED"] ?? 1);

/** How many times as many cases as `npm test` random tests try, and how many times as many builds are killed. */
export const rounds = Number(process.env["STILLAPI_ROUNDS"] ?? 1);

fc.configureGlobal({ seed });
