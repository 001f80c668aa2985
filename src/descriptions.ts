// The request paths of the documents that describe the API.
import { base } from "./base.ts";

/** For programs. */
export const openapiPath = `${base}/openapi.json`;

/** For people. */
export const referencePath = `${base}/docs/`;
