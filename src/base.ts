/** The prefix of every path of the API (seed, "Versioning"). */
export const base = "/api/v1";
