// Requests for running servers, but not for emulators of a host's rules: methods and paths that servers handle before
// any rule, headers that change how servers answer, and targets of many kilobytes. The headers do not change the
// contract's answer.

import { choicesOfAny, type Dataset } from "./dataset.ts";
import type { ConformanceRequest } from "./requests.ts";

export const serverRequests = (dataset: Dataset): readonly ConformanceRequest[] => [
  ...shortRequests(dataset),
  ...longRequests(dataset, 20_000),
];

/** Requests with targets that are short enough for every server. */
export const shortRequests = (dataset: Dataset): readonly ConformanceRequest[] => [
  ...methodRequests(dataset),
  ...headerRequests(dataset),
  // Longer than a file name may be, and than a target usually is.
  ...longRequests(dataset, 300),
  ...longRequests(dataset, 6_000),
];

function methodRequests(dataset: Dataset): readonly ConformanceRequest[] {
  const { base } = dataset.api;
  const answered = [
    ...dataset.operations.map(({ name }) => `${base}/${name}`),
    ...dataset.published.map(({ path }) => path),
  ];
  const none = ["/", "/..", "/%2e%2e/x", `${base}/%zz`, base, `${base}/`, `${base}/nope`, `${base}/../../..`];
  const inside = ["not_found.json", "nope", "nothing", "", `${pagedName(dataset)}/invalid_limit.json`].map(
    (file) => `${base}/errors/${file}`,
  );
  return ["POST", "DELETE", "TRACE", "PROPFIND", "OPTIONS"].flatMap((method) =>
    [...answered, ...none, ...inside].map((path) => ({ method, path, query: "" })),
  );
}

const past = new Date("2000-01-01").toUTCString();

const fields: readonly Readonly<Record<string, string>>[] = [
  { "if-match": '"x"' },
  { "if-match": 'W/"x", "y"' },
  { "if-unmodified-since": past },
  { "if-match": '"x"', "if-none-match": '"y"', "if-modified-since": past },
  { "if-range": '"x"', range: "bytes=0-9" },
  { range: "bytes=0-9" },
  { range: "bytes=0-9,20-29" },
  { range: "bytes=99999999-" },
  { range: "nonsense" },
  { expect: "100-continue" },
  { expect: "nonsense" },
  { accept: "text/html", "accept-language": "fr", "accept-charset": "iso-8859-1" },
  { "x-http-method-override": "DELETE", "x-original-url": "/", "x-rewrite-url": "/" },
];

/** The headers of a browser's preflight (Fetch standard, "CORS-preflight fetch"). */
const preflight = {
  origin: "https://app.example.com",
  "access-control-request-method": "GET",
  "access-control-request-headers": "if-none-match",
};

/** Requests for a page, for a document, for errors and with other methods. */
const headerRequests = (dataset: Dataset): readonly ConformanceRequest[] => {
  const { base } = dataset.api;
  const path = `${base}/${pagedName(dataset)}`;
  const targets = [
    { method: "GET", path, query: "limit=5" },
    { method: "GET", path, query: "utm=1&limit=5" },
    { method: "HEAD", path, query: "" },
    { method: "GET", path, query: "limit=0" },
    { method: "GET", path: `${base}/nope`, query: "" },
    { method: "DELETE", path, query: "" },
    { method: "OPTIONS", path, query: "limit=0" },
    ...dataset.published.slice(0, 1).map((document) => ({ method: "GET", path: document.path, query: "utm=1" })),
  ];
  return [...fields, preflight].flatMap((headers) => targets.map((target) => ({ ...target, headers })));
};

/** Some get a page, by rules that most requests do not need, and some get errors. */
const longRequests = (dataset: Dataset, length: number): readonly ConformanceRequest[] => {
  const { base } = dataset.api;
  const path = `${base}/${pagedName(dataset)}`;
  const filler = "x".repeat(length);
  return [
    { method: "GET", path, query: filler },
    { method: "GET", path, query: `limit=5&utm=${filler}` },
    { method: "GET", path, query: `${"a=&".repeat(length / 4)}limit=5` },
    { method: "GET", path, query: `limit=${"5".repeat(length)}` },
    { method: "GET", path, query: `cursor=${filler}` },
    ...dataset.operations.flatMap((operation) =>
      choicesOfAny(operation).map(({ param }) => ({
        method: "GET",
        path: `${base}/${operation.name}`,
        query: `${param}=${filler}`,
      })),
    ),
    { method: "GET", path: `${base}/${filler}`, query: "" },
    { method: "POST", path, query: filler },
    { method: "OPTIONS", path, query: filler },
    ...dataset.published.slice(0, 1).map((document) => ({ method: "GET", path: document.path, query: filler })),
  ];
};

function pagedName({ operations }: Dataset): string {
  const paged = operations.find((operation) => operation.kind === "list" && operation.paged);
  if (paged === undefined) throw new Error("The deployment has no paged operation.");
  return paged.name;
}
