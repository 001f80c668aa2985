// Asks a published API the conformance list and tells what is otherwise, in the order in which it happens.
import type { Response } from "../conformance/ask.ts";
import type { Dataset } from "../conformance/dataset.ts";
import { type Declarations, declaredAnswer } from "../conformance/declared.ts";
import { contractOf } from "../conformance/expected.ts";
import { conformanceRequests } from "../conformance/requests.ts";
import type { HostAdapter, Request } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { errorFolder, missingPage } from "../routing/paths.ts";
import { makeTable, type RoutingTable } from "../routing/table.ts";
import { addressOf, tableDocuments } from "./addresses.ts";
import { causesOf, type Observation } from "./causes.ts";
import type { Client } from "./client.ts";
import { type BuildFolder, type Comparison, compareFiles } from "./files.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { hostsBehind } from "./hint.ts";
import { type Learned, learn, recognise } from "./learn.ts";
import { cursorsText, withPublishedCursors } from "./left.ts";
import { isInside } from "./published.ts";
import { kindOf, sampleOf } from "./sample.ts";
import { askForTags, type Tags } from "./tags.ts";

export interface VerifyOptions {
  /** What the API has to hold. Undefined: what it says it holds. */
  readonly dataset: Dataset | undefined;
  readonly host: HostAdapter | undefined;
  /** The build that is to be published. */
  readonly build: BuildFolder | undefined;
  /** Whether the whole list is asked, not a sample. */
  readonly all: boolean;
}

export interface Verified {
  /** How many requests of the list were asked, and how long it is. */
  readonly asked: number;
  readonly listed: number;
  readonly findings: readonly Finding[];
  readonly tags: Tags;
  readonly comparison: (Comparison & { readonly isAnotherBuild: boolean }) | undefined;
  /** Hosts whose declared gaps are all that is otherwise, and that the answers may come from. */
  readonly explainedBy: readonly string[];
  /** Whether the API was published again while it was asked. */
  readonly isOvertaken: boolean;
  readonly requests: number;
}

/** How many requests of the list are asked of an API. */
const mostAsked = 300;

/** How many of a build's files are compared. */
const mostFiles = 60;

/** How many answers are asked for again. */
const mostTags = 8;

interface Asked {
  readonly request: Request;
  readonly answer: Response | string;
}

export async function verify(client: Client, { dataset: given, host, build, all }: VerifyOptions): Promise<Verified> {
  const before = await cursorsText(client);
  const { dataset, observations: known } = await datasetFor(client, given, before);
  const judgement = judgementOf(dataset, host);
  const list = conformanceRequests(dataset).filter((request) => isAsked(judgement, request));
  const { contract, table } = judgement;
  const sample = all ? list : sampleOf(list, (request) => kindOf(request, contract(request), table), mostAsked);
  const answers = await client.sendAll(sample);
  const asked = sample.map((request, index) => ({ request, answer: answers[index] ?? "no answer" }));
  const otherwise = asked.flatMap((each) => observationsOf(judgement, each));
  const tags = await askForTags(client, revalidated(judgement, sample));
  const published = async () => (given === undefined ? dataset : (await learn(client)).dataset);
  const comparison =
    build && (await compare(client, build, judgement, async () => judgementOf(await published(), host)));
  return {
    asked: sample.length,
    listed: list.length,
    findings: findingsOf(client.root, [...known, ...otherwise, ...tags.observations]),
    tags,
    comparison,
    explainedBy: otherwise.length === 0 || host !== undefined ? [] : explaining(dataset, asked),
    isOvertaken: (await cursorsText(client)) !== before,
    requests: client.count(),
  };
}

async function datasetFor(client: Client, given: Dataset | undefined, cursors: string | undefined): Promise<Learned> {
  if (given === undefined) return learn(client);
  await recognise(client);
  return { dataset: withPublishedCursors(given, cursors), observations: [] };
}

type Judgement = Declarations;

function judgementOf(dataset: Dataset, host: HostAdapter | undefined): Judgement {
  const contract = contractOf(dataset);
  const names = dataset.operations.map(({ name }) => name);
  const table = makeTable(names, (name) => dataset.pageSizes.get(name) ?? [], tableDocuments(dataset.published));
  return {
    contract,
    table,
    gaps: host?.gaps ?? [],
    exists(file) {
      const address = addressOf(table, file);
      return address !== undefined && contract({ method: "GET", ...address }).status === 200;
    },
    textOf: (file) => errorIn(table, host, file),
  };
}

/** The code and parameter of an error in a file of the publish root. */
function errorIn(table: RoutingTable, host: HostAdapter | undefined, file: string) {
  if (file === missingPage || file === table.notFound.file) return { code: table.notFound.body.code };
  const own = host?.files(table).find(({ entry }) => entry.file === file);
  if (own === undefined) throw new Error(`No adapter writes ${file}, which is not below ${errorFolder}.`);
  const { code } = JSON.parse(Buffer.concat(own.parts()).toString());
  return { code: String(code) };
}

/**
 * Whether there is one right answer. A cursor of an earlier build may still have a page, and what is outside of the API
 * is the site's own affair where the API has not its root.
 */
function isAsked(judgement: Judgement, request: Request): boolean {
  const hasRoot = judgement.table.documents.some(({ path }) => path === "/");
  if (!hasRoot && !isInside(request.path)) return false;
  return declaredAnswer(judgement, request).expected.mayBeRetired !== true;
}

/** A gap that only says that the answer is not the contract's leaves nothing to judge. */
function observationsOf(judgement: Judgement, { request, answer }: Asked): readonly Observation[] {
  const { expected, loose } = declaredAnswer(judgement, request);
  return loose ? [] : causesOf(request, expected, answer, judgement.contract);
}

/** Requests of several kinds that caches keep, and so ask for again. */
function revalidated(judgement: Judgement, sample: readonly Request[]): readonly Request[] {
  const kept = sample.filter((request) => {
    const { expected, through } = declaredAnswer(judgement, request);
    const isKept = expected.status === 200 && expected.headers["cache-control"] !== "no-store";
    return request.method === "GET" && request.headers === undefined && through.length === 0 && isKept;
  });
  return sampleOf(kept, ({ path }) => path.replace(/[^/]+$/, ""), mostTags);
}

/** What is published is another build where its answers differ from the files and agree with each other. */
async function compare(
  client: Client,
  build: BuildFolder,
  judgement: Judgement,
  byItself: () => Promise<Judgement>,
): Promise<Verified["comparison"]> {
  const comparison = await compareFiles(client, build, mostFiles, (request) => {
    return declaredAnswer(judgement, request).through.length > 0;
  });
  const { different } = comparison;
  if (different.length === 0) return { ...comparison, isAnotherBuild: false };
  const published = await byItself();
  return { ...comparison, isAnotherBuild: different.every((each) => observationsOf(published, each).length === 0) };
}

/** The hosts that the answers may come from and whose gaps explain all of them. */
function explaining(dataset: Dataset, asked: readonly Asked[]): readonly string[] {
  return hostsBehind(asked.map(({ answer }) => answer)).filter((name) => {
    const judgement = judgementOf(dataset, hosts.get(name));
    return asked.every((each) => observationsOf(judgement, each).length === 0);
  });
}
