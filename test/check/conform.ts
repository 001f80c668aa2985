// Compares a host with the contract and with its declared gaps: each request must be answered as the contract says, or
// exactly as the gaps say, and each gap must still exist.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Gap, Request } from "../../build/hosts/host.ts";
import { openBuild } from "../../build/published/build.ts";
import { type Answer, outputAt, resolve, settle } from "../../build/routing/resolve.ts";
import type { RoutingTable } from "../../build/routing/table.ts";
import { passage } from "../../build/verify/expected.ts";
import type { TextAnswer } from "../ask.ts";
import type { Built } from "./built.ts";
import type { Dataset } from "./dataset.ts";
import { contractOf, type Expected } from "./expected.ts";
import { changingGaps } from "./gaps.ts";
import { mismatches } from "./judge.ts";

export interface Subject {
  readonly dataset: Dataset;
  /** The built publish root. */
  readonly dist: string;
  readonly gaps: readonly Gap[];
  /** The base of the API, if the build has several. */
  readonly base?: string;
  readonly send: (request: Request) => TextAnswer | Promise<TextAnswer>;
  /** Names, in lowercase, of headers that are not judged. */
  readonly unjudged?: readonly string[];
}

export interface Verdict {
  /** A line for each request that was answered neither as the contract nor as the gaps say. */
  readonly failures: readonly string[];
  /** The number of answers that each gap changed. */
  readonly occurrences: ReadonlyMap<Gap, number>;
}

export const conform = (subject: Subject, requests: readonly Request[]): Promise<Verdict> =>
  conformer(subject)(requests);

/** Sends a list of requests, with the subject's `send` by default. */
export type Examine = (requests: readonly Request[], send?: Subject["send"]) => Promise<Verdict>;

/**
 * Examines several lists of requests to one subject. The subject's files must not change, because listings are cached.
 */
export function conformer(subject: Subject): Examine {
  const oracle = oracleOf(subject);
  return async (requests, send = subject.send) => {
    const failures: string[] = [];
    const occurrences = new Map(subject.gaps.map((gap) => [gap, 0]));
    const answers = await answersOf(send, requests);
    for (const [index, request] of requests.entries()) {
      const { expected, changing, loose } = oracle(request);
      for (const gap of changing) occurrences.set(gap, (occurrences.get(gap) ?? 0) + 1);
      const wanted = judged(expected, subject.unjudged);
      const complaints = mismatches(request.method, wanted, answers[index] ?? none);
      const line = lineOf(request);
      if (loose && complaints.length === 0) failures.push(`${line}: not a gap, it is answered as the contract says`);
      if (!loose && complaints.length > 0) failures.push(`${line}: ${complaints.join("; ")}`);
    }
    return { failures, occurrences };
  };
}

const none: TextAnswer = { status: 0, headers: {}, body: "" };

/** Sends several requests at a time, because a server answers several at a time. */
async function answersOf(send: Subject["send"], requests: readonly Request[]): Promise<readonly TextAnswer[]> {
  const answers: TextAnswer[] = [];
  const atOnce = 8;
  for (let start = 0; start < requests.length; start += atOnce) {
    answers.push(...(await Promise.all(requests.slice(start, start + atOnce).map(send))));
  }
  return answers;
}

function lineOf({ method, path, query, headers = {} }: Request): string {
  const target = `${path}?${query}`;
  const shown = target.length > 500 ? `${target.slice(0, 100)}… (${target.length} characters)` : target;
  return [`${method} ${shown}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(", ");
}

interface Declared {
  readonly expected: Expected;
  /** The gaps that change the answer. */
  readonly changing: readonly Gap[];
  /** Whether the last gap only states that the answer differs from the answer of the contract. */
  readonly loose: boolean;
}

/** The contract's answer, or the one that the gaps state. It has the headers of an error. */
function oracleOf({ dataset, dist, gaps, base }: Subject): (request: Request) => Declared {
  const tables = openBuild(dist).tables();
  const [first] = tables;
  const table = tables.find((one) => one.base === base) ?? first;
  const contract = contractOf(dataset);
  const exists = isFileOf(dist);
  return (request) => {
    const { understood, last, given } = passage(gaps, table, exists, request, first);
    const isMet = last !== undefined || understood !== request;
    const changing = isMet ? changingGaps(gaps, table, exists, request, first) : [];
    if (given === undefined) return { expected: contract(understood), changing, loose: last !== undefined };
    const { status, file, headers } = given;
    const body = readFileSync(path.join(dist, file), "utf8");
    return { expected: { status, body, headers: lowercase(headers) }, changing, loose: false };
  };
}

const lowercase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const judged = (expected: Expected, unjudged: readonly string[] = []): Expected => ({
  ...expected,
  headers: Object.fromEntries(Object.entries(expected.headers).filter(([name]) => !unjudged.includes(name))),
});

/** A build that is asked in this process, through its routing table. */
export function builtSubject({ plan, dataset }: Built, dist: string): Subject {
  const isFile = isFileOf(dist);
  const send: Subject["send"] = (request) => responseOf(dist, request, settle(resolve(plan.table, request), isFile));
  return { dataset, dist, gaps: [], send };
}

export const responseOf = (dist: string, { method }: Request, answer: Answer): TextAnswer => ({
  status: answer.status,
  headers: lowercase(answer.headers),
  body: bodyIn(dist, answer, method),
});

/** The body of an answer from the files of a publish root. */
export const bodyIn = (dist: string, { file }: Pick<Answer, "file">, method = "GET"): string =>
  file === undefined || method === "HEAD" ? "" : readFileSync(path.join(dist, file), "utf8");

/** Whether a path is that of a document, or has the form of an output's for each item. */
export const isListed = (table: RoutingTable, asked: string): boolean =>
  table.documents.some((document) => document.path === asked) || outputAt(table, asked) !== undefined;

/** Tells which paths are files of a publish root, which must not change. Most requests lead to a few files. */
export function isFileOf(dist: string): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (file) => {
    const full = path.join(dist, file);
    // A path that the system does not accept does not exist.
    const isFile = known.get(file) ?? (existsSync(full) && statSync(full).isFile());
    known.set(file, isFile);
    return isFile;
  };
}
