// Random requests: mutations and combinations of the requests of the conformance list. Only targets that are valid in
// an HTTP request line: no spaces, no control characters and no fragment.
import fc from "fast-check";
import { rounds } from "../seed.ts";
import { conformer, type Subject } from "./conform.ts";
import { choicesOfAny, type Dataset } from "./dataset.ts";
import { type ConformanceRequest, conformanceRequests } from "./requests.ts";

/** The number of requests to each subject. */
const count = 125 * rounds;

/**
 * Throws with the smallest request that gets a wrong answer. A slow host gets a fraction of the requests.
 */
export async function fuzz(subject: Subject, fraction = 1): Promise<void> {
  const together = fc.array(requestsLike(subject.dataset), { minLength: 1, maxLength: 2 * atOnce - 1, size: "max" });
  const examine = conformer(subject);
  const property = fc.asyncProperty(together, async (requests) => {
    const { failures } = await examine(requests);
    if (failures.length > 0) throw new Error(failures.join("\n"));
  });
  await fc.assert(property, { numRuns: Math.ceil((count * fraction) / atOnce) });
}

/** The average number of concurrent requests. */
const atOnce = 8;

const wrongPercent = /%(?![\dA-F]{2})/i;

function requestsLike(dataset: Dataset): fc.Arbitrary<ConformanceRequest> {
  const filters = dataset.operations.flatMap(choicesOfAny).map(({ param }) => param);
  const conformance = fc.constantFrom(...conformanceRequests(dataset));
  const pieces = fc.oneof(
    fc.constantFrom("limit", "cursor", ...filters, "=", "&", "?", "/", ".", "..", "%", "5", "100", "0", "!", ";"),
    fc.constantFrom(...filters.map((param) => `${param}=`), "limit=5", "&limit=7", "&cursor="),
    fc.constantFrom("%2e", "%2F", "%35", "%6c", "+", "json", ".json", "$1", "*"),
    fc.stringMatching(/^[!-"$-~]{1,3}$/),
  );
  const mutation = fc.record({ at: fc.nat(200), cut: fc.nat({ max: 3 }), put: fc.oneof(fc.constant(""), pieces) });
  const mutate = (text: string, { at, cut, put }: { at: number; cut: number; put: string }): string => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  };
  const mutations = fc.array(mutation, { maxLength: 3 });
  const mutated = fc.tuple(conformance, mutations, mutations).map(([request, inPath, inQuery]) => {
    const path = `/${inPath
      .slice(0, 1)
      .reduce(mutate, request.path)
      .replace(/^\/|\?.*$/g, "")}`;
    // Go's servers answer HEAD for a path with a wrong percent sign with a body, which is no HTTP.
    const method = request.method === "HEAD" && wrongPercent.test(path) ? "GET" : request.method;
    return { method, path, query: inQuery.reduce(mutate, request.query) };
  });
  const queries = fc.array(
    conformance.map(({ query }) => query),
    { minLength: 2, maxLength: 4 },
  );
  const combined = fc.tuple(conformance, queries).map(([{ path }, parts]) => ({
    method: "GET",
    path,
    query: parts.join("&"),
  }));
  return fc.oneof(mutated, combined);
}
