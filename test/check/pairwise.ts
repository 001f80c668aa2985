// Shortens a list of requests to those in which two properties meet for the first time. Most rules of a server depend on
// one property of a request, such as the form of a value, and the others on two, such as an operation and a value.

import { rounds } from "../seed.ts";
import { acceptedValues, choicesOfAny, type Dataset } from "./dataset.ts";
import { contractOf, type Expected } from "./expected.ts";
import type { ConformanceRequest } from "./requests.ts";

/** All properties of the list remain, and so do all pairs of them that meet in a request of the list. */
export function pairwise(dataset: Dataset, requests: readonly ConformanceRequest[]): readonly ConformanceRequest[] {
  const contract = contractOf(dataset);
  const known = knownPairs(dataset);
  const numbers = new Map<string, number>();
  /** By the number of a property, the numbers of those that it has met. */
  const met: Set<number>[] = [];
  const numberOf = (property: string): number => {
    const number = numbers.get(property) ?? met.push(new Set()) - 1;
    numbers.set(property, number);
    return number;
  };
  return requests.filter((request) => {
    const properties = [...propertiesOf(request, known), answerOf(contract(request))].map(numberOf);
    let isNew = false;
    for (const [index, one] of properties.entries()) {
      const others = met[one] ?? new Set();
      for (const other of properties.slice(index)) {
        isNew ||= !others.has(other);
        others.add(other);
      }
    }
    return isNew;
  });
}

/** Outside CI, one of so many requests goes to hosts that are slow or have the rules of another. */
export const oneIn = <Request>(count: number, requests: readonly Request[]): readonly Request[] =>
  rounds === 1 ? requests.filter((_, index) => index % count === 0) : requests;

/** Known values of a filter, and cursors, differ in their answers only. */
function propertiesOf({ method, path, query, headers = {} }: ConformanceRequest, known: ReadonlySet<string>) {
  const pairs = query.split("&").map((pair) => {
    const name = nameOf(pair);
    if (known.has(pair)) return `${name}=KNOWN`;
    return pair.replace(/=k[0-9a-z]{24}$/, "=CURSOR").replace(/=K[0-9A-Z]{24}$/, "=UPPERCASE");
  });
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [method, path, `?${pairs.map(nameOf).join("&")}`, ...pairs, ...fields];
}

const nameOf = (pair: string): string => pair.replace(/=.*/s, "");

/** Pairs of a filter and a known value, as in a query. */
function knownPairs(dataset: Dataset): ReadonlySet<string> {
  const lists = dataset.operations.filter((operation) => operation.kind === "list");
  const pairs = lists.flatMap((operation) =>
    choicesOfAny(operation).flatMap((filter) =>
      acceptedValues(dataset, operation, filter).map((value) => `${filter.param}=${value}`),
    ),
  );
  return new Set(pairs);
}

function answerOf({ status, body }: Expected): string {
  if (typeof body === "object") return `${status} ${body.code}`;
  return body?.includes('"data":[]') ? `${status} without items` : `${status}`;
}
