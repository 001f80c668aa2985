// The seed of the random cases of tests, of fast-check's too. Every run of a commit tries the same cases, unless
// STILLAPI_SEED selects others.
import fc from "fast-check";

export const seed = Number(process.env["STILLAPI_SEED"] ?? 1);

fc.configureGlobal({ seed });
