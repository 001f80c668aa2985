// The headers of a deprecated operation's answers: Deprecation (RFC 9745), Sunset (RFC 8594), and a Link to the reference,
// which has the reason. Deprecated filters and fields have marks in the documents, and no headers.
import type { Operation } from "../../src/model/operation.ts";
import { operationAnchor, referencePath } from "./paths.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * The headers of the pages and items of a deprecated operation; undefined if it is not deprecated. Their `Link` has the
 * links of `common`, the headers of all answers, because it replaces them.
 */
export function noticeOf(base: string, operation: Operation, common: Headers): Headers | undefined {
  const { deprecated } = operation;
  if (deprecated === undefined) return undefined;
  const { since, sunset } = deprecated;
  const link = `<${referencePath(base)}#${operationAnchor(operation)}>; rel="deprecation"; type="text/html"`;
  return {
    Link: common["Link"] === undefined ? link : `${common["Link"]}, ${link}`,
    Deprecation: `@${startOf(since).getTime() / 1_000}`,
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
  };
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
