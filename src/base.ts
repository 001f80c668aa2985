/** The prefix of every path of the API (seed, "Versioning"). */
export const base = "/api/v1";

/** The request path of the description for programs. */
export const openapiPath = `${base}/openapi.json`;

/** The request path of the reference for people. */
export const referencePath = `${base}/docs/`;
