// Where the documents are that describe the API, as in a request.
import { base } from "./base.ts";

/** To programs. */
export const openapiPath = `${base}/openapi.json`;

/** To people. */
export const referencePath = `${base}/docs/`;
