// The headers of answers, and the components of conditional requests.
import { methods } from "../../src/errors.ts";
import { openapiPath, referencePath } from "../routing/paths.ts";

/** The allowed methods, as in the header `Allow`. OPTIONS is for preflights, which have no file. */
export const allowed = [...methods, "OPTIONS"].join(", ");

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

const always = {
  "Access-Control-Allow-Origin": ref("AccessControlAllowOrigin"),
  "Access-Control-Expose-Headers": ref("AccessControlExposeHeaders"),
  "X-Content-Type-Options": ref("XContentTypeOptions"),
  Link: ref("Link"),
};

const cacheHeader = (cacheControl: string) => ({
  "Cache-Control": text("How long the response may be cached.", cacheControl),
});

/** The headers of a success. */
export const headersOf = (cacheControl: string) => ({ ETag: ref("ETag"), ...cacheHeader(cacheControl), ...always });

/** The headers of an error. */
export const errorHeaders = { ...cacheHeader("no-store"), ...always };

export const allowHeader = { Allow: ref("Allow") };

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
