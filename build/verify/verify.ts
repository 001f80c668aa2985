// Compares a published API with a build: sends requests of every kind, and expects the answers that the build's table and
// files mean, less the declared gaps of the host.
import * as z from "zod";
import { MachineError } from "../files/machine-error.ts";
import type { HostAdapter, Request } from "../hosts/host.ts";
import { allAtOnce } from "../published/at-once.ts";
import type { BuildFolder } from "../published/build.ts";
import { Client } from "../published/client.ts";
import type { HttpAnswer } from "../published/request.ts";
import type { RoutingTable } from "../routing/table.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { groupBy } from "../values/group-by.ts";
import { parseJson } from "../values/json.ts";
import { type Expected, expectedAnswer } from "./expected.ts";
import { type Finding, findingsOf, type Observation, observationsOf, otherData } from "./findings.ts";
import { get, type Listed, requestsTo, sampleOf } from "./requests.ts";

export interface Verified {
  /** The address without a password. */
  readonly url: string;
  /** The number of requests whose answers were compared, without those about ETags and credentials. */
  readonly asked: number;
  /** The number of files, and of those whose bytes were compared. */
  readonly files: number;
  readonly compared: number;
  /** The number of requests with an answer that differs. */
  readonly different: number;
  readonly findings: readonly Finding[];
  /** The number of answers that were revalidated with their ETag. */
  readonly revalidated: number;
  /** Whether the API at the address is another build. */
  readonly isAnotherBuild: boolean;
}

export interface VerifyOptions {
  readonly host?: HostAdapter | undefined;
  /** Whether to send every request instead of a sample. */
  readonly all?: boolean;
  /** The time limit without data, in milliseconds. */
  readonly patience?: number;
}

/**
 * Sends a request. An answer is read up to the length of a body and some more, enough for the error page of any server.
 * `isOfReader`: whether the request has the credentials of the address.
 */
type Send = (request: Request, body?: Buffer, isOfReader?: boolean) => Promise<HttpAnswer | string>;

/** `table` is that of one of the build's APIs. Throws MachineError if there is no API of stillapi at the address, or another one. */
export async function verify(
  url: URL,
  build: BuildFolder,
  options: VerifyOptions = {},
  table = build.tables()[0],
): Promise<Verified> {
  const { patience = 15_000 } = options;
  const limits = { purpose: "verify", maxBytes: Infinity, time: 7_200_000, patience, waits: [500] };
  const client = new Client(url, table.base, limits);
  const send: Send = async (request, body, isOfReader = !isPreflight(request, table)) => {
    const answer = await client.send(request, 1e6 + (body?.length ?? 0), isOfReader);
    if (typeof answer === "string" || answer.headers["location"] === undefined) return answer;
    // A server may put its origin before a Location (RFC 9110, section 10.2.2).
    const location = answer.headers["location"].replace(client.root, "");
    return { ...answer, headers: { ...answer.headers, location } };
  };
  try {
    const first = await send(get(table.base));
    client.refuse(first);
    await recognise(first, send, client.root + table.base, build.folder, table);
    return await compareAll(send, client.root, table, build, options);
  } finally {
    client.close();
  }
}

async function compareAll(
  send: Send,
  url: string,
  table: RoutingTable,
  build: BuildFolder,
  { host, all = false }: VerifyOptions,
): Promise<Verified> {
  const { mount = "" } = table;
  const list = requestsTo(table, build.files(table));
  let asked = 0;
  let compared = 0;
  let different = 0;
  let revalidated = 0;
  let isAnotherBuild = false;

  /** Sends one request after the other, and revalidates the first right answer with its ETag. */
  async function compareKind(requests: readonly Listed[]): Promise<readonly Observation[]> {
    const observations: Observation[] = [];
    let hasRevalidated = false;
    for (const { request: listed, file } of requests) {
      const inOrigin = { ...listed, path: mount + listed.path };
      const declared = await expectedAnswer(table, build, host?.gaps ?? [], inOrigin, build.tables()[0]);
      if (declared === undefined && file === undefined) continue;
      // A host without rules has every answer at the path of its file, and sends its default headers.
      const request = declared === undefined ? get(`/${file}`) : listed;
      const expected = declared ?? { status: 200, headers: {}, body: await build.read(file ?? "") };
      const answer = await send(request, expected.body);
      const faults = [...observationsOf(request, expected, answer)];
      asked++;
      if (file !== undefined && expected.status === 200) compared++;
      isAnotherBuild ||= faults.some(({ fault }) => fault === otherData) && isForPrograms(table, file);
      const isRight = faults.length === 0 && typeof answer !== "string";
      if (isRight && !hasRevalidated && isRevalidated(request, expected)) {
        hasRevalidated = true;
        revalidated++;
        faults.push(...(await tagFaults(request, expected, answer, send)));
        if (isForReaders(table)) faults.push(...(await openFaults(request, expected, send)));
      }
      if (faults.length > 0) different++;
      observations.push(...faults);
    }
    return observations;
  }

  // If all requests are sent, each counts as a separate kind, so that each answer is revalidated.
  const kinds = all ? list.map((listed) => [listed]) : groupBy(sampleOf(list), ({ kind }) => kind).values();
  const observations = await allAtOnce<readonly Listed[], readonly Observation[]>(kinds, compareKind);
  const files = list.filter(({ file }) => file !== undefined).length;
  const findings = findingsOf(url, observations.flat());
  return { url, asked, files, compared, different, findings, revalidated, isAnotherBuild };
}

/** Whether not everybody may read: all answers vary by the header that identifies readers. */
const isForReaders = ({ headers }: RoutingTable): boolean => headers["Vary"] !== undefined;

/** Whether browsers send a request without credentials, before that of a script of another origin. */
const isPreflight = ({ method }: Request, table: RoutingTable): boolean =>
  method === "OPTIONS" && isForReaders(table) && table.headers["Access-Control-Allow-Origin"] !== undefined;

/** Checks that an answer is for readers only. */
async function openFaults(request: Request, { body }: Expected, send: Send): Promise<readonly Observation[]> {
  const answer = await send(request, body, false);
  const isOpen = typeof answer !== "string" && answer.status === 200 && body?.equals(answer.body) === true;
  return isOpen ? [{ request, fault: "Everybody gets the answer, although api.yaml has access" }] : [];
}

/** Whether a file is a document for programs. Hosts may change the ones for people. */
const isForPrograms = (table: RoutingTable, file: string | undefined): boolean =>
  table.documents.some((document) => document.file === file && document.contentType.includes("json"));

const isRevalidated = ({ method }: Request, { status, headers }: Expected): boolean =>
  method === "GET" && status === 200 && headers["cache-control"] !== "no-store";

/**
 * Checks that clients can revalidate with the ETag of an answer, compressed or not (RFC 9110, sections 8.8.3 and
 * 13.1.2). `first` is the answer as expected.
 */
async function tagFaults(request: Request, expected: Expected, first: HttpAnswer, send: Send) {
  const found: Observation[] = [];
  async function compare(headers: Readonly<Record<string, string>>, correct: Expected) {
    const answer = await send({ ...request, headers }, expected.body);
    found.push(...observationsOf({ ...request, headers }, correct, answer));
    return answer;
  }
  const origin = "access-control-allow-origin";
  const allowed = expected.headers[origin];
  const unchanged = { status: 304, headers: allowed === undefined ? {} : { [origin]: allowed }, body: undefined };
  const answers = [first];
  if (first.headers["content-encoding"] !== undefined) {
    const plain = await compare({ "accept-encoding": "identity" }, expected);
    if (typeof plain !== "string") answers.push(plain);
  }
  for (const { headers } of answers) {
    const encoding = headers["content-encoding"] === undefined ? "identity" : "gzip, br";
    const { etag } = headers;
    if (etag === undefined) found.push({ request, fault: "There is no ETag" });
    else await compare({ "accept-encoding": encoding, "if-none-match": etag }, unchanged);
  }
  await compare({ "if-none-match": '"none-of-these"' }, expected);
  return found;
}

/** The document at BASE. */
const overview = z.object({
  generator: z.string(),
  title: z.string().default(""),
  operations: z.array(z.object({ name: z.string() })),
});

/**
 * `first` is the answer at BASE. Throws MachineError if there is no API of stillapi: other servers get no requests with
 * methods such as DELETE.
 */
async function recognise(
  first: HttpAnswer | string,
  send: Send,
  api: string,
  folder: string,
  { base, operations }: RoutingTable,
): Promise<void> {
  const names = operations.map(({ name }) => name);
  // A host without rules has the document at the path of its file.
  for (const answer of [first, await send(get(`${base}.json`))]) {
    if (typeof answer === "string" || answer.status !== 200) continue;
    const published = overview.safeParse(parseJson(answer.body.toString())).data;
    if (published === undefined) continue;
    if (published.operations.some(({ name }) => names.includes(name))) return;
    const others = shown(listed(published.operations.map(({ name }) => name)), 200);
    const message = `Another API is published at ${api}: ${shown(published.title)}, with ${others}.`;
    throw new MachineError(message, `The API in ${folder} has ${listed(names)}.`);
  }
  if (typeof first === "string") throw new MachineError(`There is no API of stillapi at ${api}: ${first}.`);
  const to = first.headers["location"];
  if (to !== undefined) {
    const hint = `It redirects to ${shown(to, 200)}: verify that address instead?`;
    throw new MachineError(`There is no API of stillapi at ${api}.`, hint);
  }
  const reason = first.status === 200 ? "its answer describes none" : `the status is ${first.status}`;
  throw new MachineError(`There is no API of stillapi at ${api}: ${reason}.`, "Check the URL.");
}
