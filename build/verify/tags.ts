// Checks that clients can revalidate with the ETag of an answer, compressed or not (RFC 9110, sections 8.8.3 and 13.1.2).
import type { HttpAnswer } from "../address/ask.ts";
import type { Request } from "../hosts/host.ts";
import type { Expected } from "./expected.ts";
import type { Observation } from "./findings.ts";

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
  const askWith = async (
    headers: Readonly<Record<string, string>>,
    judge: (answer: HttpAnswer) => string | undefined,
  ) => {
    const asked = { ...request, headers };
    const answer = await send(asked);
    const cause = typeof answer === "string" ? `are missing: ${answer}` : judge(answer);
    if (cause !== undefined) found.push({ request: asked, cause });
    return answer;
  };
  const revalidate = async (etag: string | undefined, how: string, more: Readonly<Record<string, string>>) => {
    if (etag === undefined) return void found.push({ request, cause: `lack an ETag${how}` });
    await askWith({ ...more, "if-none-match": etag }, ({ status, headers }) => {
      if (status === 200 && headers["etag"] !== undefined && headers["etag"] !== etag)
        return "have another ETag each time, although the body is the same";
      if (status !== 304) return `are not 304 to the ETag they gave${how}: the status is ${status}`;
      const origin = "access-control-allow-origin";
      return headers[origin] === expected.headers[origin]
        ? undefined
        : "with status 304 lack the header Access-Control-Allow-Origin";
    });
  };
  const isCompressed = first.headers["content-encoding"] !== undefined;
  await revalidate(
    first.headers["etag"],
    isCompressed ? ", compressed" : "",
    isCompressed ? { "accept-encoding": "gzip, br" } : {},
  );
  if (isCompressed) {
    const plainly = { "accept-encoding": "identity" };
    const plain = await askWith(plainly, ({ status, body }) =>
      status !== 200 || expected.body?.equals(body) !== false
        ? undefined
        : "hold other data if they are not compressed",
    );
    if (typeof plain !== "string") await revalidate(plain.headers["etag"], ", not compressed", plainly);
  }
  await askWith({ "if-none-match": '"none-of-these"' }, ({ status }) =>
    status === 304 ? "are 304 to an ETag that they never had" : undefined,
  );
  return found;
}
