// Checks that clients can revalidate with the ETag of an answer, compressed or not (RFC 9110, sections 8.8.3 and 13.1.2).
import type { HttpAnswer } from "../address/ask.ts";
import type { Request } from "../hosts/host.ts";
import type { Expected } from "./expected.ts";
import { causesOf, encodedAs, type Observation } from "./findings.ts";

export const isRevalidated = ({ method }: Request, { status, headers }: Expected): boolean =>
  method === "GET" && status === 200 && headers["cache-control"] !== "no-store";

/** `first` is the answer as expected. */
export async function tagFaults(
  request: Request,
  expected: Expected,
  first: HttpAnswer,
  send: (request: Request) => Promise<HttpAnswer | string>,
): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  async function ask(headers: Readonly<Record<string, string>>, wanted: Expected) {
    const asked = { ...request, headers };
    const answer = await send(asked);
    found.push(...causesOf(asked, wanted, answer));
    return answer;
  }
  const origin = "access-control-allow-origin";
  const allowed = expected.headers[origin];
  const unchanged = { status: 304, headers: allowed === undefined ? {} : { [origin]: allowed }, body: undefined };
  const isCompressed = first.headers["content-encoding"] !== undefined;
  for (const encoding of isCompressed ? ["gzip, br", "identity"] : [undefined]) {
    const accepted = encoding === undefined ? {} : { "accept-encoding": encoding };
    const answer = encoding === "identity" ? await ask(accepted, expected) : first;
    if (typeof answer === "string") continue;
    const { etag } = answer.headers;
    if (etag === undefined) found.push({ request, cause: `lack an ETag${encodedAs(encoding)}` });
    else await ask({ ...accepted, "if-none-match": etag }, unchanged);
  }
  await ask({ "if-none-match": '"none-of-these"' }, expected);
  return found;
}
