// Compares a published API with a build: sends requests of every kind, and expects the answers that the build's table and
// files mean, less the declared gaps of the host.
import * as z from "zod";
import type { HttpAnswer } from "../address/ask.ts";
import { atOnce, type Client, openClient } from "../address/client.ts";
import type { HostAdapter, Request } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { apiFolder, changesFile, cursorsFile, isCursorsFile } from "../routing/paths.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import type { Build } from "./build.ts";
import { type Expected, expectedAnswer } from "./expected.ts";
import { causesOf, type Finding, findingsOf, type Observation, otherData } from "./findings.ts";
import { type Listed, requestsTo, sampleOf } from "./requests.ts";
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

/** Throws MachineError if there is no API of this program at the address, or another one. */
export async function verify(url: URL, build: Build, options: Options = {}): Promise<Verified> {
  const { patience = 15_000 } = options;
  const limits = { purpose: "verify", inAll: Infinity, time: 7_200_000, patience, waits: [500] };
  const client = openClient(url, build.table.base, limits);
  try {
    return await verifyWith(client, build, options);
  } finally {
    client.close();
  }
}

async function verifyWith(client: Client, build: Build, { host, all = false }: Options): Promise<Verified> {
  const { table, read } = build;
  const send = (request: Request, body: Buffer = Buffer.of()) => client.send(request, margin + body.length);
  const published = async (file: string) => {
    const answer = await send(get(`/${file}`), read(file));
    return typeof answer === "string" || answer.status !== 200 ? "" : answer.body.toString();
  };
  await recognise(client, build);
  const before = await published(cursorsFile(table.base));
  const list = requestsTo(build);
  const asked = all ? list : sampleOf(build, list);
  const observations: Observation[] = [];
  const explained = new Map<string, number>();
  const etags = { asked: 0, compressed: 0 };
  const kinds = new Set<string>();
  let [answers, compared, different, isAnotherBuild] = [0, 0, 0, false];

  async function compare({ kind, request: listed, file }: Listed): Promise<void> {
    const declared = expectedAnswer(build, host?.gaps ?? [], listed);
    if (declared === undefined && file === undefined) return;
    // A host without rules has every answer at the path of its file, with headers of its own.
    const request = declared === undefined ? get(`/${file}`) : listed;
    const expected = declared ?? { status: 200, headers: {}, body: read(file ?? "") };
    const answer = await send(request, expected.body);
    answers++;
    if (file !== undefined && expected.status === 200) compared++;
    const found = causesOf(request, expected, answer, (path) => expectedAnswer(build, [], get(path))?.body);
    if (found.length > 0) {
      different++;
      observations.push(...found);
      isAnotherBuild ||= file !== undefined && isOfAnotherBuild(table.base, file, expected, answer);
      for (const each of host === undefined ? explaining(build, request, answer) : []) {
        explained.set(each, (explained.get(each) ?? 0) + 1);
      }
    } else if (typeof answer !== "string" && isRevalidated(request, expected) && (all || !kinds.has(kind))) {
      kinds.add(kind);
      etags.asked++;
      if (answer.headers["content-encoding"] !== undefined) etags.compressed++;
      const wrong = await tagFaults(request, expected, answer, (each) => send(each, expected.body));
      if (wrong.length > 0) different++;
      observations.push(...wrong);
    }
  }

  // Hosts need not serve the table. It shows another build whose pages the sample does not tell from this one's.
  const otherTable = await published(tableFile);
  if (parseRoutingTable(otherTable) !== undefined && otherTable !== read(tableFile)?.toString()) {
    isAnotherBuild = true;
    different++;
    observations.push({ request: get(`/${tableFile}`), cause: otherData });
  }
  const left = asked.values();
  const work = async () => {
    for (const each of left) await compare(each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    url: client.root,
    asked: answers,
    files: list.filter(({ file }) => file !== undefined).length,
    compared,
    different,
    findings: findingsOf(client.root, observations),
    etags,
    isAnotherBuild,
    isOvertaken: (await published(cursorsFile(table.base))) !== before,
    explainedBy: different === 0 ? [] : [...explained].filter(([, count]) => count === different).map(([name]) => name),
  };
}

/** A longer answer than expected is read up to so many bytes more, enough for the error page of any server. */
const margin = 1e6;

const get = (path: string): Request => ({ method: "GET", path, query: "" });

const overviewForm = z.object({
  generator: z.string(),
  title: z.string(),
  operations: z.array(z.object({ name: z.string() })),
});
const answerForm = z.union([z.object({ generator: z.string() }), z.object({ object: z.string() })]);

/**
 * Throws MachineError if there is no API of this program: other servers get no requests with methods such as DELETE.
 * Without the overview, which may be what is missing, the state and the first operation tell.
 */
async function recognise(client: Client, { folder, table, read }: Build): Promise<void> {
  const { base, operations } = table;
  const api = `${client.root}${base}`;
  const paths = [base, `${base}/cursors`, ...operations.map(({ path }) => path)];
  const answers: (HttpAnswer | string)[] = [];
  for (const path of paths.flatMap((each) => [each, `${each}.json`])) {
    const answer = await client.send(get(path), margin + (read(`${path.slice(1)}.json`)?.length ?? 0));
    answers.push(answer);
    const body = typeof answer === "string" || answer.status !== 200 ? undefined : parseJson(answer.body.toString());
    const overview = overviewForm.safeParse(body).data;
    if (overview === undefined && !answerForm.safeParse(body).success) continue;
    const names = overview?.operations.map(({ name }) => name) ?? [];
    if (overview === undefined || operations.some(({ name }) => names.includes(name))) return;
    throw new MachineError(
      `Another API is published at ${api}: ${shown(overview.title)}, with ${shown(listed(names), 200)}.`,
      `The API in ${folder} has ${listed(operations.map(({ name }) => name))}.`,
    );
  }
  const [first = "it does not answer"] = answers;
  if (typeof first === "string")
    throw new MachineError(`There is no API of this program at ${api}: ${first}.`, "Check the URL.");
  const to = first.headers["location"];
  throw new MachineError(
    `There is no API of this program at ${api}.`,
    to === undefined ? "Check the URL." : `It redirects to ${shown(to, 200)}: verify that address instead?`,
  );
}

/** Whether a document that changes with the data is sound and differs, and not because a cache has kept it. */
function isOfAnotherBuild(base: string, file: string, { body }: Expected, answer: HttpAnswer | string): boolean {
  const isData =
    [`${apiFolder(base)}.json`, changesFile(base)].includes(file) ||
    isCursorsFile(base, file) ||
    file.startsWith(`${apiFolder(base)}/dumps/`);
  if (!isData || typeof answer === "string" || answer.status !== 200 || answer.headers["age"] !== undefined)
    return false;
  const [line = ""] = answer.body.toString().split("\n", 1);
  return body !== undefined && !body.equals(answer.body) && typeof parseJson(line) === "object";
}

/** The hosts that an answer may come from and whose gaps explain it. */
const explaining = (build: Build, request: Request, answer: HttpAnswer | string): readonly string[] =>
  typeof answer === "string"
    ? []
    : [...hosts.values()]
        .filter(({ signature: [header, value] = ["", /^$/], gaps }) => {
          if (!value.test(answer.headers[header] ?? " ")) return false;
          const expected = expectedAnswer(build, gaps, request);
          return expected === undefined || causesOf(request, expected, answer).length === 0;
        })
        .map(({ name }) => name);
