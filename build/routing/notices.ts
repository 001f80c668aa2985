// The headers by which answers tell that what they belong to will go: Deprecation (RFC 9745), Sunset (RFC 8594), and a
// Link to the place in the reference that says why.
import type { Deprecation } from "../../src/declare/deprecation.ts";
import { filtersOf, type Operation } from "../../src/model/operation.ts";
import { operationAnchor, parameterAnchor, referencePath } from "./paths.ts";

/** The headers of the pages that a request with the filter `param` gets; without `param`, of all pages and items. */
interface Notice {
  readonly param?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What goes first is first. What follows the notice of the operation is never the first of an answer. */
export function noticesOf(base: string, operation: Operation, common: Notice["headers"]): Notice[] {
  const anchor = operationAnchor(operation);
  const all = [
    { deprecated: operation.deprecated, to: anchor },
    ...filtersOf(operation).map((each) => ({ ...each, to: parameterAnchor(anchor, each.param) })),
  ];
  const notices = all
    .flatMap(({ deprecated, ...each }) => (deprecated === undefined ? [] : [{ ...each, deprecated }]))
    .toSorted((one, other) => compare(end(one.deprecated), end(other.deprecated)))
    .map(({ deprecated, to, ...of }): Notice => {
      const headers = headersOf(deprecated, `${referencePath(base)}#${to}`, common);
      return "param" in of ? { param: of.param, headers } : { headers };
    });
  const last = notices.findIndex(({ param }) => param === undefined);
  return last === -1 ? notices : notices.slice(0, last + 1);
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** When it goes, as a text that sorts. No sunset is after all others. */
const end = ({ sunset = "9999-12-31", since }: Deprecation): string => `${sunset} ${since}`;

/** The `Link` of `common` is replaced by one that names the notice, too. */
function headersOf({ since, sunset }: Deprecation, to: string, common: Notice["headers"]): Notice["headers"] {
  const link = `<${to}>; rel="deprecation"; type="text/html"`;
  return {
    Link: common["Link"] === undefined ? link : `${common["Link"]}, ${link}`,
    Deprecation: `@${startOf(since).getTime() / 1_000}`,
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
  };
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
