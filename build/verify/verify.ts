// Compares a published API with a build: sends requests of every kind, and expects the answers that the build's table and
// files mean, less the declared gaps of the host.
import * as z from "zod";
import type { HttpAnswer } from "../address/ask.ts";
import { atOnce, openClient } from "../address/client.ts";
import type { HostAdapter, Request } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { cursorsFile } from "../routing/paths.ts";
import { parseRoutingTable, type RoutingTable, tableFile } from "../routing/table.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import type { Build } from "./build.ts";
import { expectedAnswer } from "./expected.ts";
import { causesOf, type Finding, findingsOf, type Observation, otherData } from "./findings.ts";
import { get, type Listed, requestsTo, sampleOf } from "./requests.ts";
import { isRevalidated, tagFaults } from "./tags.ts";

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
  /** Whether another build was published during the verification. */
  readonly isOvertaken: boolean;
  /** The hosts that the answers may come from and whose declared gaps explain all differences. */
  readonly explainedBy: readonly string[];
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
  const limits = { purpose: "verify", inAll: Infinity, time: 7_200_000, patience, waits: [500] };
  const client = openClient(url, build.table.base, limits);
  const send: Send = async (request, body) => {
    const answer = await client.send(request, 1e6 + (body?.length ?? 0));
    return typeof answer === "string" ? answer : withLocalPath(answer, client.root);
  };
  try {
    return await verifyWith(send, client.root, build, options);
  } finally {
    client.close();
  }
}

/**
 * A server may put its origin before a Location (RFC 9110, section 10.2.2), behind a proxy with another scheme, and the
 * path above the API.
 */
function withLocalPath(answer: HttpAnswer, root: string): HttpAnswer {
  const { location, ...headers } = answer.headers;
  if (location === undefined) return answer;
  const { host, origin } = new URL(root);
  const isOwn = URL.canParse(location) && new URL(location).host === host;
  const path = isOwn ? location.replace(/^\w+:\/\/[^/]*/, "") : location;
  const above = root.slice(origin.length);
  return {
    ...answer,
    headers: { ...headers, location: path.startsWith(`${above}/`) ? path.slice(above.length) : path },
  };
}

async function verifyWith(send: Send, url: string, build: Build, { host, all = false }: Options): Promise<Verified> {
  const { table, read } = build;
  const published = async (file: string): Promise<string> => {
    const answer = await send(get(`/${file}`), read(file));
    return typeof answer === "string" || answer.status !== 200 ? "" : answer.body.toString();
  };
  await recognise(send, url + table.base, build);
  const state = await published(cursorsFile(table.base));
  const list = requestsTo(build);
  const observations: Observation[] = [];
  const etags = { asked: 0, compressed: 0 };
  const kinds = new Set<string>();
  let [asked, compared, different, isAnotherBuild] = [0, 0, 0, false];
  let explaining = host === undefined ? [...hosts.values()] : [];

  async function compare({ kind, request: listed, file }: Listed): Promise<void> {
    const declared = expectedAnswer(build, host?.gaps ?? [], listed);
    if (declared === undefined && file === undefined) return;
    // A host without rules has every answer at the path of its file, with headers of its own.
    const request = declared === undefined ? get(`/${file}`) : listed;
    const expected = declared ?? { status: 200, headers: {}, body: read(file ?? "") };
    const answer = await send(request, expected.body);
    const found = [...causesOf(request, expected, answer)];
    asked++;
    if (file !== undefined && expected.status === 200) compared++;
    if (found.length > 0) {
      explaining = explaining.filter((each) => explains(each, build, request, answer));
      isAnotherBuild ||= isOfAnotherBuild(table, file, found);
    } else if (typeof answer !== "string" && isRevalidated(request, expected) && (all || !kinds.has(kind))) {
      kinds.add(kind);
      etags.asked++;
      if (answer.headers["content-encoding"] !== undefined) etags.compressed++;
      found.push(...(await tagFaults(request, expected, answer, (each) => send(each, expected.body))));
      if (found.length > 0) explaining = [];
    }
    if (found.length > 0) different++;
    observations.push(...found);
  }

  // Hosts need not serve the table. It shows another build whose pages the sample does not tell from this one's.
  const otherTable = await published(tableFile);
  if (parseRoutingTable(otherTable) !== undefined && otherTable !== read(tableFile)?.toString()) {
    [isAnotherBuild, different, explaining] = [true, 1, []];
    observations.push({ request: get(`/${tableFile}`), cause: otherData });
  }
  const left = (all ? list : sampleOf(build, list)).values();
  const work = async () => {
    for (const each of left) await compare(each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    url,
    asked,
    files: list.filter(({ file }) => file !== undefined).length,
    compared,
    different,
    findings: findingsOf(url, observations),
    etags,
    isAnotherBuild,
    isOvertaken: (await published(cursorsFile(table.base))) !== state,
    explainedBy: different === 0 ? [] : explaining.map(({ name }) => name),
  };
}

/** Whether a document for programs holds other data, which no cache has kept. Hosts may change the ones for people. */
const isOfAnotherBuild = ({ documents }: RoutingTable, file: string | undefined, found: readonly Observation[]) =>
  documents.some((each) => each.file === file && each.contentType.includes("json")) &&
  found.some(({ cause, age }) => cause === otherData && age === 0);

/** Whether an answer may come from a host, whose gaps explain it. */
function explains({ signature, gaps }: HostAdapter, build: Build, request: Request, answer: HttpAnswer | string) {
  if (signature === undefined || typeof answer === "string") return false;
  const [header, value] = signature;
  const expected = expectedAnswer(build, gaps, request);
  const isExpected = expected === undefined || causesOf(request, expected, answer).length === 0;
  return value.test(answer.headers[header] ?? "") && isExpected;
}

const overviewForm = z.object({ title: z.string(), operations: z.array(z.object({ name: z.string() })) });

/**
 * Throws MachineError if there is no API of this program: other servers get no requests with methods such as DELETE.
 * Without the overview, which may be what is missing, the state and the first operation tell.
 */
async function recognise(send: Send, api: string, { folder, table, read }: Build): Promise<void> {
  const names = table.operations.map(({ name }) => name);
  const paths = ["", "/cursors", ...names.slice(0, 1).map((name) => `/${name}`)].map((each) => table.base + each);
  const answers: (HttpAnswer | string)[] = [];
  for (const path of paths.flatMap((each) => [each, `${each}.json`])) {
    const answer = await send(get(path), read(`${path.slice(1).replace(/\.json$/, "")}.json`));
    answers.push(answer);
    const body = typeof answer === "string" || answer.status !== 200 ? null : parseJson(answer.body.toString());
    if (body === null || typeof body !== "object" || !("generator" in body || "object" in body)) continue;
    const { title, operations } = overviewForm.safeParse(body).data ?? {};
    if (operations === undefined || operations.some(({ name }) => names.includes(name))) return;
    const other = `${shown(title ?? "")}, with ${shown(listed(operations.map(({ name }) => name)), 200)}`;
    throw new MachineError(
      `Another API is published at ${api}: ${other}.`,
      `The API in ${folder} has ${listed(names)}.`,
    );
  }
  const [first] = answers;
  const isAnswer = typeof first === "object";
  const to = isAnswer ? first.headers["location"] : undefined;
  throw new MachineError(
    `There is no API of this program at ${api}${isAnswer ? "" : `: ${first}`}.`,
    to === undefined ? "Check the URL." : `It redirects to ${shown(to, 200)}: verify that address instead?`,
  );
}
