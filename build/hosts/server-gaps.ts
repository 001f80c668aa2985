// Gaps that web servers share.
import type { Gap, Request } from "./host.ts";

/** The longest request line that nginx and Apache read by default, in bytes. */
export const longestLine = 8_192;

export const isLong = ({ method, path, query }: Request): boolean =>
  `${method} ${path}?${query} HTTP/1.1`.length > longestLine;

/** RFC 9110, section 10.1.1, leaves the answer to the server. */
export const unknownExpectation = (server: string): Gap => ({
  requests: "the header `Expect` with anything but `100-continue`",
  happens: "417 with the server's error page, or without one",
  reason: `${server} refuses it before it looks at any rule`,
  covers: ({ headers }) => headers?.["expect"] !== undefined && headers["expect"] !== "100-continue",
});
