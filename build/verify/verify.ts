// Compares a published API with a build: sends requests of every kind, and expects the answers that the build's table and
// files mean, less the declared gaps of the host.
import * as z from "zod";
import type { HttpAnswer } from "../address/ask.ts";
import { atOnce, openClient } from "../address/client.ts";
import type { HostAdapter, Request } from "../hosts/host.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { cursorsFile } from "../routing/paths.ts";
import { resolve, settle } from "../routing/resolve.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import type { Build } from "./build.ts";
import { type Expected, expectedAnswer } from "./expected.ts";
import { type Finding, faultsOf, findingsOf, type Observation, otherData } from "./findings.ts";
import { get, type Listed, requestsTo, sampleOf } from "./requests.ts";

export interface Verified {
  /** The address without a password. */
  readonly url: string;
  /** The number of requests whose answers were compared, without those about ETags. */
  readonly asked: number;
  /** The number of files, and of those whose bytes were compared. */
  readonly files: number;
  readonly compared: number;
  /** The number of requests with an answer that differs. */
  readonly different: number;
  readonly findings: readonly Finding[];
  /** The answers that were revalidated with their ETag, and those among them that were compressed. */
  readonly etags: { readonly asked: number; readonly compressed: number };
  /** Whether the API at the address is another build. */
  readonly isAnotherBuild: boolean;
}

export interface Options {
  readonly host?: HostAdapter | undefined;
  /** Whether to send every request instead of a sample. */
  readonly all?: boolean;
  /** The time limit without data, in milliseconds. */
  readonly patience?: number;
}

/** Sends a request. An answer is read up to the length of a body and some more, enough for the error page of any server. */
type Send = (request: Request, body?: Buffer) => Promise<HttpAnswer | string>;

/** Throws MachineError if there is no API of this program at the address, or another one. */
export async function verify(url: URL, build: Build, options: Options = {}): Promise<Verified> {
  const { patience = 15_000 } = options;
  const limits = { purpose: "verify", most: Infinity, time: 7_200_000, patience, waits: [500] };
  const client = openClient(url, build.table.base, limits);
  const send: Send = async (request, body) => {
    const answer = await client.send(request, 1e6 + (body?.length ?? 0));
    if (typeof answer === "string" || answer.headers["location"] === undefined) return answer;
    // A server may put its origin before a Location (RFC 9110, section 10.2.2).
    const location = answer.headers["location"].replace(client.root, "");
    return { ...answer, headers: { ...answer.headers, location } };
  };
  try {
    await recognise(send, client.root + build.table.base, build);
    return await compareAll(send, client.root, build, options);
  } finally {
    client.close();
  }
}

async function compareAll(send: Send, url: string, build: Build, { host, all = false }: Options): Promise<Verified> {
  const { table, read, exists } = build;
  const list = requestsTo(build);
  const observations: Observation[] = [];
  const kinds = new Set<string>();
  const etags = { asked: 0, compressed: 0 };
  let [asked, compared, different, isAnotherBuild] = [0, 0, 0, false];

  const bodyWithoutQuery = (request: Request) => () => {
    const { status, file } = settle(resolve(table, { ...request, query: "" }), exists);
    return request.query === "" || status !== 200 || file === undefined ? undefined : read(file);
  };

  async function compare({ kind, request: listed, file }: Listed): Promise<void> {
    const declared = expectedAnswer(build, host?.gaps ?? [], listed);
    if (declared === undefined && file === undefined) return;
    // A host without rules has every answer at the path of its file, with headers of its own.
    const request = declared === undefined ? get(`/${file}`) : listed;
    const expected = declared ?? { status: 200, headers: {}, body: read(file ?? "") };
    const answer = await send(request, expected.body);
    const faults = [...faultsOf(request, expected, answer, bodyWithoutQuery(request))];
    asked++;
    if (file !== undefined && expected.status === 200) compared++;
    isAnotherBuild ||= faults.some(({ fault, age }) => fault === otherData && !age) && isForPrograms(build, file);
    if (faults.length === 0 && typeof answer !== "string" && isRevalidated(request, expected)) {
      if (all || !kinds.has(kind)) {
        kinds.add(kind);
        etags.asked++;
        if (answer.headers["content-encoding"] !== undefined) etags.compressed++;
        faults.push(...(await tagFaults(request, expected, answer, (each) => send(each, expected.body))));
      }
    }
    if (faults.length > 0) different++;
    observations.push(...faults);
  }

  const left = (all ? list : sampleOf(list)).values();
  const work = async () => {
    for (const each of left) await compare(each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const files = list.filter(({ file }) => file !== undefined).length;
  const findings = findingsOf(url, observations);
  return { url, asked, files, compared, different, findings, etags, isAnotherBuild };
}

/** Whether a file is a document for programs. Hosts may change the ones for people. */
const isForPrograms = ({ table }: Build, file: string | undefined): boolean =>
  table.documents.some((each) => each.file === file && each.contentType.includes("json"));

const isRevalidated = ({ method }: Request, { status, headers }: Expected): boolean =>
  method === "GET" && status === 200 && headers["cache-control"] !== "no-store";

/**
 * Checks that clients can revalidate with the ETag of an answer, compressed or not (RFC 9110, sections 8.8.3 and
 * 13.1.2). `first` is the answer as expected.
 */
async function tagFaults(request: Request, expected: Expected, first: HttpAnswer, send: Send) {
  const found: Observation[] = [];
  async function ask(headers: Readonly<Record<string, string>>, wanted: Expected) {
    const asked = { ...request, headers };
    const answer = await send(asked);
    found.push(...faultsOf(asked, wanted, answer));
    return answer;
  }
  const origin = "access-control-allow-origin";
  const allowed = expected.headers[origin];
  const unchanged = { status: 304, headers: allowed === undefined ? {} : { [origin]: allowed }, body: undefined };
  const isCompressed = first.headers["content-encoding"] !== undefined;
  for (const encoding of isCompressed ? ["gzip, br", "identity"] : ["gzip, br"]) {
    const accepted = isCompressed ? { "accept-encoding": encoding } : {};
    const answer = encoding === "identity" ? await ask(accepted, expected) : first;
    if (typeof answer === "string") continue;
    const { etag } = answer.headers;
    if (etag === undefined) found.push({ request, fault: "There is no ETag" });
    else await ask({ ...accepted, "if-none-match": etag }, unchanged);
  }
  await ask({ "if-none-match": '"none-of-these"' }, expected);
  return found;
}

/** The overview at BASE, or the state of earlier builds. */
const ownDocument = z.object({
  generator: z.string(),
  title: z.string().default(""),
  operations: z
    .array(z.object({ name: z.string() }))
    .optional()
    .catch(undefined),
});

/** Throws MachineError if there is no API of this program: other servers get no requests with methods such as DELETE. */
async function recognise(send: Send, api: string, { folder, table: { base, operations } }: Build): Promise<void> {
  const names = operations.map(({ name }) => name);
  const answers: (HttpAnswer | string)[] = [];
  for (const path of [base, `${base}.json`, `/${cursorsFile(base)}`]) {
    const answer = await send(get(path));
    answers.push(answer);
    if (typeof answer === "string" || answer.status !== 200) continue;
    const own = ownDocument.safeParse(parseJson(answer.body.toString())).data;
    if (own === undefined) continue;
    if (own.operations === undefined || own.operations.some(({ name }) => names.includes(name))) return;
    const other = `${shown(own.title)}, with ${shown(listed(own.operations.map(({ name }) => name)), 200)}`;
    throw new MachineError(
      `Another API is published at ${api}: ${other}.`,
      `The API in ${folder} has ${listed(names)}.`,
    );
  }
  const [first = ""] = answers;
  if (typeof first === "string") throw new MachineError(`There is no API of this program at ${api}: ${first}.`);
  const to = first.headers["location"];
  throw new MachineError(
    `There is no API of this program at ${api}.`,
    to === undefined ? "Check the URL." : `It redirects to ${shown(to, 200)}: verify that address instead?`,
  );
}
