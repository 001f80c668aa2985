// The headers of a deprecated operation's answers: Deprecation (RFC 9745), Sunset (RFC 8594), and a Link to the reference,
// which has the reason. The notice of an API is that of all its operations, with a Link to the API that succeeds it (RFC
// 5829). Deprecated filters and fields have marks in the documents, and no headers.
import type { Api } from "../../src/model/api.ts";
import type { Operation } from "../../src/model/operation.ts";
import { operationAnchor, referencePage, referencePath } from "./paths.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * The headers of the pages and items of a deprecated operation, one of `operations`; undefined if it is not deprecated. Their
 * `Link` has the links of `common`, the headers of all answers, because it replaces them.
 */
export function noticeOf(
  api: Pick<Api, "base" | "deprecated">,
  operation: Operation,
  operations: readonly Operation[],
  common: Headers,
): Headers | undefined {
  const deprecated = operation.deprecated ?? api.deprecated;
  if (deprecated === undefined) return undefined;
  const { since, sunset } = deprecated;
  const reason =
    operation.deprecated === undefined
      ? referencePath(api.base)
      : `${api.base}/${referencePage(operation, operations)}#${operationAnchor(operation)}`;
  const links = [`<${reason}>; rel="deprecation"; type="text/html"`];
  if (api.deprecated?.use !== undefined) links.push(`<${api.deprecated.use}>; rel="successor-version"`);
  return {
    Link: [common["Link"], ...links].filter((link) => link !== undefined).join(", "),
    Deprecation: `@${startOf(since).getTime() / 1_000}`,
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
  };
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
