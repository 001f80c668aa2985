// The responses of the OpenAPI document: their headers, and the errors of an operation by status. Each code has an
// example with the body of the answer.
import { bodiesOf, type ErrorBody, methodNotAllowed, methods } from "../../src/errors.ts";
import type { Operation } from "../../src/operation.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";
import { errorSchema } from "./schemas.ts";
import { type DocumentSource, errorsOf, missingError } from "./source.ts";

/** The allowed methods, as in the header `Allow`. OPTIONS is for preflights, which have no file. */
const allowed = [...methods, "OPTIONS"].join(", ");

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** Components, by name. */
export const commonHeaders = (base: string) => ({
  ETag: text(
    "Identifies this state of the response. Send it as If-None-Match to learn whether it has changed.",
    '"5f2c1a"',
  ),
  Link: text(
    "Where the API is described, for programs and for people.",
    `<${openapiPath(base)}>; rel="service-desc", <${referencePath(base)}>; rel="service-doc"`,
  ),
  AccessControlAllowOrigin: text("Scripts of any origin may read the response.", "*"),
  AccessControlExposeHeaders: text("The headers that scripts of other origins may read.", "ETag, Link"),
  XContentTypeOptions: text("The Content-Type is not to be guessed.", "nosniff"),
  Allow: text("The methods that there are.", allowed),
});

const ref = (name: keyof ReturnType<typeof commonHeaders>) => ({ $ref: `#/components/headers/${name}` });

const headersOf = (cacheControl: string) => ({
  "Cache-Control": text("How long the response may be cached.", cacheControl),
  "Access-Control-Allow-Origin": ref("AccessControlAllowOrigin"),
  "Access-Control-Expose-Headers": ref("AccessControlExposeHeaders"),
  "X-Content-Type-Options": ref("XContentTypeOptions"),
  Link: ref("Link"),
});

/** A success, and the answers that every path may have. */
export const responsesOf = (
  cacheControl: string,
  description: string,
  content: { readonly schema: object; readonly examples: object },
) => ({
  "200": {
    description,
    headers: { ETag: ref("ETag"), ...headersOf(cacheControl) },
    content: { "application/json": content },
  },
  "304": { $ref: "#/components/responses/NotModified" },
  "404": { $ref: "#/components/responses/NotFound" },
  "405": { $ref: "#/components/responses/MethodNotAllowed" },
});

/** The components of conditional requests. */
export const notModified = {
  parameters: {
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      description:
        "The ETag of an earlier response. The response is 304, without a body, if nothing has changed. Browsers do this by themselves.",
      schema: { type: "string" },
    },
  },
  responses: {
    NotModified: {
      description: "Nothing has changed since the response with that ETag.",
      headers: { ETag: ref("ETag"), "Access-Control-Allow-Origin": ref("AccessControlAllowOrigin") },
    },
  },
};

/** The answer to an invalid parameter, if an operation has parameters. */
export function invalidParameter(source: DocumentSource, operation: Operation) {
  const errors = errorsOf(source, operation).flatMap(bodiesOf);
  return errors.length === 0 ? {} : { "400": errorResponse("A parameter has a value that is not accepted.", errors) };
}

/** Components, by name. */
export function sharedResponses(source: DocumentSource) {
  const wrongMethod = errorResponse(`The method is none of ${allowed}.`, [methodNotAllowed]);
  return {
    NotFound: errorResponse("There is nothing at this path, in these letters.", [missingError(source)]),
    MethodNotAllowed: { ...wrongMethod, headers: { Allow: ref("Allow"), ...wrongMethod.headers } },
  };
}

const errorResponse = (description: string, errors: readonly ErrorBody[]) => ({
  description,
  headers: headersOf("no-store"),
  content: {
    "application/json": {
      schema: { $ref: `#/components/schemas/${errorSchema}` },
      examples: examplesOf(errors),
    },
  },
});

/** By code; a second error of a code, for a combination of filters, by its parameter. */
const examplesOf = (errors: readonly ErrorBody[]) =>
  Object.fromEntries(
    errors.map((error, index) => {
      const isSecond = errors.findIndex(({ code }) => code === error.code) < index;
      return [isSecond ? `together_${error.param}` : error.code, { summary: error.message, value: error }];
    }),
  );
