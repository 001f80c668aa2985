// Sends the requests of the conformance list to a published API and reports the answers that differ.
import type { Api } from "../../../src/api.ts";
import type { TextAnswer } from "../../address/ask.ts";
import type { Client } from "../../address/client.ts";
import type { HostAdapter, Request } from "../../hosts/host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { errorFolder, missingPage } from "../../routing/paths.ts";
import { makeTable, type RoutingTable } from "../../routing/table.ts";
import type { Dataset } from "../dataset.ts";
import { type Declarations, declaredAnswer } from "../declared.ts";
import { contractOf } from "../expected.ts";
import { conformanceRequests, everyItem, unique } from "../requests.ts";
import { addressOf, tableDocuments } from "./addresses.ts";
import { type BuildFolder, type Comparison, compareFiles } from "./files.ts";
import { causesOf, type Finding, findingsOf, type Observation } from "./findings.ts";
import { type Learned, learn, recognise } from "./learn.ts";
import { cursorsText, isInside, withPublishedCursors } from "./published.ts";
import { requestKind, sampleOf } from "./sample.ts";
import { askForTags, type Tags } from "./tags.ts";

export interface VerifyOptions {
  /** The API that should be published. */
  readonly api: Api;
  /** The expected data. Undefined: the data that the API itself lists. */
  readonly dataset: Dataset | undefined;
  readonly host: HostAdapter | undefined;
  /** The build that should be published. */
  readonly build: BuildFolder | undefined;
  /** Whether to send the whole list instead of a sample. */
  readonly all: boolean;
}

export interface Verified {
  /** The number of requests that were sent from the list, and the length of the list. */
  readonly asked: number;
  readonly listed: number;
  /** The number of requests with an answer that differs. */
  readonly different: number;
  readonly findings: readonly Finding[];
  readonly tags: Tags;
  readonly comparison: (Comparison & { readonly isAnotherBuild: boolean }) | undefined;
  /** The hosts that the answers may come from and whose declared gaps explain all differences. */
  readonly explainedBy: readonly string[];
  /** Whether another build was published during the verification. */
  readonly isOvertaken: boolean;
  readonly requests: number;
}

/** The size of a sample. */
const mostAsked = 300;

/** The number of a build's files that are compared. */
const mostFiles = 60;

/** The number of answers that are revalidated. */
const mostTags = 8;

interface Asked {
  readonly request: Request;
  readonly answer: TextAnswer | string;
}

export async function verify(
  client: Client,
  { api, dataset: given, host, build, all }: VerifyOptions,
): Promise<Verified> {
  const before = await cursorsText(client, api.base);
  const { dataset, observations: known } = await datasetFor(client, api, given, before);
  const judgement = judgementOf(dataset, host);
  const requests = [...conformanceRequests(dataset), ...(all ? everyItem(dataset) : [])];
  const list = unique(requests).filter((request) => isAsked(judgement, request));
  const { contract, table } = judgement;
  const sample = all ? list : sampleOf(list, (request) => requestKind(request, contract(request), table), mostAsked);
  const answers = await client.sendAll(sample);
  const asked = sample.map((request, index) => ({ request, answer: answers[index] ?? "no answer" }));
  const differing = asked.flatMap((each) => observationsOf(judgement, each));
  const tags = await askForTags(client, revalidated(judgement, sample));
  const published = async () => (given === undefined ? dataset : (await learn(client, api)).dataset);
  const comparison =
    build && (await compare(client, build, judgement, async () => judgementOf(await published(), host)));
  const observations = [...known, ...differing, ...tags.observations];
  return {
    asked: sample.length,
    listed: list.length,
    different: new Set(observations.map(({ request }) => JSON.stringify(request))).size,
    findings: findingsOf(client.root, observations),
    tags,
    comparison,
    explainedBy: differing.length === 0 || host !== undefined ? [] : explaining(dataset, asked),
    isOvertaken: (await cursorsText(client, api.base)) !== before,
    requests: client.count(),
  };
}

async function datasetFor(
  client: Client,
  api: Api,
  given: Dataset | undefined,
  cursors: string | undefined,
): Promise<Learned> {
  if (given === undefined) return learn(client, api);
  await recognise(client, api);
  return { dataset: withPublishedCursors(given, cursors), observations: [] };
}

function judgementOf(dataset: Dataset, host: HostAdapter | undefined): Declarations {
  const contract = contractOf(dataset);
  const { api, operations, pageSizes, published } = dataset;
  const names = operations.map(({ name }) => name);
  const documents = tableDocuments(api.base, published);
  const table = makeTable(api, names, (name) => pageSizes.get(name) ?? [], documents);
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

/** The error in a file of the publish root. */
function errorIn(table: RoutingTable, host: HostAdapter | undefined, file: string) {
  if (file === missingPage || file === table.notFound.file) return { code: table.notFound.body.code };
  const own = host?.files(table).find(({ entry }) => entry.file === file);
  if (own === undefined) throw new Error(`No adapter writes ${file}, which is not below ${errorFolder(table.base)}.`);
  const { code } = JSON.parse(Buffer.concat(own.parts()).toString());
  return { code: String(code) };
}

/**
 * Whether the request has one right answer. A cursor of an earlier build may still have a page, and paths outside of
 * the API may belong to another site unless the API has the root.
 */
function isAsked(judgement: Declarations, request: Request): boolean {
  const hasRoot = judgement.table.documents.some(({ path }) => path === "/");
  if (!hasRoot && !isInside(judgement.table.base, request.path)) return false;
  return declaredAnswer(judgement, request).expected.mayBeRetired !== true;
}

/** If a gap states no answer, there is nothing to compare. */
function observationsOf(judgement: Declarations, { request, answer }: Asked): readonly Observation[] {
  const { expected, loose } = declaredAnswer(judgement, request);
  return loose ? [] : causesOf(request, expected, answer, judgement.contract);
}

/** Requests of several kinds with answers that caches keep and revalidate. */
function revalidated(judgement: Declarations, sample: readonly Request[]): readonly Request[] {
  const kept = sample.filter((request) => {
    const { expected, through } = declaredAnswer(judgement, request);
    const isKept = expected.status === 200 && expected.headers["cache-control"] !== "no-store";
    return request.method === "GET" && request.headers === undefined && through.length === 0 && isKept;
  });
  return sampleOf(kept, ({ path }) => path.replace(/[^/]+$/, ""), mostTags);
}

/** Another build is published if its answers differ from the files and agree with each other. */
async function compare(
  client: Client,
  build: BuildFolder,
  judgement: Declarations,
  byItself: () => Promise<Declarations>,
): Promise<Verified["comparison"]> {
  const atItsFile = (request: Request) => declaredAnswer(judgement, request).through.length > 0;
  const comparison = await compareFiles(client, build, mostFiles, atItsFile);
  const { different } = comparison;
  if (different.length === 0) return { ...comparison, isAnotherBuild: false };
  const published = await byItself();
  return { ...comparison, isAnotherBuild: different.every((each) => observationsOf(published, each).length === 0) };
}

/** The hosts that the answers may come from and whose gaps explain all answers. */
function explaining(dataset: Dataset, asked: readonly Asked[]): readonly string[] {
  const isSigned = ({ answer }: Asked, [header, value]: NonNullable<HostAdapter["signature"]>): boolean =>
    typeof answer !== "string" && value.test(answer.headers[header] ?? "");
  return [...hosts.values()]
    .filter((host) => {
      const { signature } = host;
      if (signature === undefined || !asked.some((each) => isSigned(each, signature))) return false;
      const judgement = judgementOf(dataset, host);
      return asked.every((each) => observationsOf(judgement, each).length === 0);
    })
    .map(({ name }) => name);
}
