// Checks that clients can revalidate with the ETag of an answer, compressed or not (RFC 9110, sections 8.8.3 and
// 13.1.2).
import type { TextAnswer } from "../../address/ask.ts";
import type { Client } from "../../address/client.ts";
import type { Request } from "../../hosts/host.ts";
import type { CauseText, Observation } from "./findings.ts";

export interface Tags {
  /** The number of revalidated answers. */
  readonly asked: number;
  /** The number of revalidated answers that were compressed. */
  readonly compressed: number;
  readonly observations: readonly Observation[];
}

export async function askForTags(client: Client, requests: readonly Request[]): Promise<Tags> {
  const probes = await Promise.all(requests.map((request) => probe(client, request)));
  return {
    asked: requests.length,
    compressed: probes.filter(({ isCompressed }) => isCompressed).length,
    observations: probes.flatMap(({ observations }) => observations),
  };
}

async function probe(client: Client, request: Request) {
  const observations: Observation[] = [];
  const observe = (cause: CauseText, headers?: Request["headers"]) =>
    observations.push({ request: headers === undefined ? request : { ...request, headers }, cause });
  const sendWith = (headers: NonNullable<Request["headers"]>) => client.send({ ...request, headers });
  const first = await client.send(request);
  const isCompressed = typeof first !== "string" && first.headers["content-encoding"] !== undefined;
  const probed = { isCompressed, observations };
  if (typeof first === "string" || first.status !== 200) return probed;
  const { etag } = first.headers;
  if (etag === undefined) {
    observe("lack an ETag");
    return probed;
  }
  const again = await client.send(request);
  if (isSame(first, again) && again.headers["etag"] !== etag) {
    observe("have another ETag each time, although the body is the same");
    return probed;
  }
  if (!isCompressed) await expectUnchanged(etag, {}, "");
  else {
    await expectUnchanged(etag, { "accept-encoding": "gzip, br" }, ", compressed");
    const identity = { "accept-encoding": "identity" };
    const plain = await sendWith(identity);
    if (typeof plain !== "string" && plain.status === 200) {
      if (plain.body !== first.body) observe("hold other data if they are compressed", identity);
      if (plain.headers["etag"] === undefined) observe("lack an ETag if they are not compressed", identity);
      else await expectUnchanged(plain.headers["etag"], identity, ", not compressed");
    }
  }
  const unknown = { "if-none-match": '"none-of-these"' };
  const changed = await sendWith(unknown);
  if (typeof changed !== "string" && changed.status === 304) observe("are 304 to an ETag that they never had", unknown);
  return probed;

  async function expectUnchanged(tag: string, more: Readonly<Record<string, string>>, how: string): Promise<void> {
    const headers = { "if-none-match": tag, ...more };
    const answer = await sendWith(headers);
    if (typeof answer === "string") observe(`are missing: ${answer}`, headers);
    else if (answer.status !== 304)
      observe(`are not 304 to the ETag they gave${how}: the status is ${answer.status}`, headers);
    else if (answer.headers["access-control-allow-origin"] !== "*") {
      observe("with status 304 lack the header Access-Control-Allow-Origin", headers);
    }
  }
}

const isSame = (one: TextAnswer, other: TextAnswer | string): other is TextAnswer =>
  typeof other !== "string" && other.status === one.status && other.body === one.body;
