// The errors of an operation, by status. Each code has an example with the body of the answer.
import { bodiesOf, type ErrorBody, methodNotAllowed, notFound } from "../../src/errors.ts";
import type { Operation } from "../../src/operation.ts";
import { allowed, allowHeader, errorHeaders } from "./openapi-headers.ts";
import { errorSchema } from "./schemas.ts";
import { type DocumentSource, errorsOf } from "./source.ts";

export function errorResponses(source: DocumentSource, operation: Operation) {
  const errors = errorsOf(source, operation).flatMap(bodiesOf);
  return {
    ...(errors.length === 0 ? {} : { "400": errorResponse("A parameter has a value that is not accepted.", errors) }),
    "404": { $ref: "#/components/responses/NotFound" },
    "405": { $ref: "#/components/responses/MethodNotAllowed" },
  };
}

/** Components, by name. */
export function sharedResponses({ api, operations }: DocumentSource) {
  const missing = notFound(
    api,
    operations.map(({ name }) => name),
  );
  const wrongMethod = errorResponse(`The method is none of ${allowed}.`, [methodNotAllowed]);
  return {
    NotFound: errorResponse("There is nothing at this path, in these letters.", [missing]),
    MethodNotAllowed: { ...wrongMethod, headers: { ...allowHeader, ...wrongMethod.headers } },
  };
}

const errorResponse = (description: string, errors: readonly ErrorBody[]) => ({
  description,
  headers: errorHeaders,
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
