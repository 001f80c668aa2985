// Deliberate mistakes of a server, each with the sentences that report it.
import { gzipSync } from "node:zlib";
import type { ListOperation } from "../../src/operation.ts";
import type { Mistake, Sent } from "./published.ts";

interface Case {
  readonly title: string;
  readonly mistake: Mistake;
  readonly reported: readonly RegExp[];
}

const without =
  (header: string, ofErrors = false): Mistake =>
  (_, answer) => {
    const { [header]: _left, ...headers } = answer.headers;
    return ofErrors && answer.status < 400 ? answer : { ...answer, headers };
  };

const withHeaders =
  (more: Readonly<Record<string, string>>, where: (...of: Parameters<Mistake>) => boolean): Mistake =>
  (request, answer) =>
    where(request, answer) ? { ...answer, headers: { ...answer.headers, ...more } } : answer;

const compressed = (answer: Parameters<Mistake>[1], tag: string, body: Buffer): Sent => ({
  status: answer.status,
  headers: { ...answer.headers, etag: tag, "content-encoding": "gzip", "content-length": String(body.length) },
  body,
});

/** `operation` is paged and has a filter. */
export function mistakes({ name }: Pick<ListOperation, "name">): readonly Case[] {
  const path = `/api/v1/${name}`;
  const dump = `/api/v1/dumps/${name}.ndjson`;
  const isPage: (...of: Parameters<Mistake>) => boolean = ({ method, path: asked }, { status }) =>
    asked === path && status === 200 && method === "GET";
  let count = 0;
  return [
    {
      title: "a header left out",
      mistake: without("x-content-type-options"),
      reported: [/^The header X-Content-Type-Options is missing: \d+ answers\.$/],
    },
    {
      title: "no CORS on errors",
      mistake: without("access-control-allow-origin", true),
      reported: [/^The header Access-Control-Allow-Origin is missing: \d+ answers, all of them errors\.$/],
    },
    {
      title: "errors that may be cached",
      mistake: withHeaders({ "cache-control": "public, max-age=60" }, (_, { status }) => status >= 400),
      reported: [/^Cache-Control is public, max-age=60, not no-store: \d+ answers, all of them errors\.$/],
    },
    {
      title: "the wrong type",
      mistake: withHeaders({ "content-type": "application/octet-stream" }, (request) => request.path === dump),
      reported: [/^Content-Type is application\/octet-stream, not application\/x-ndjson: \d answers?/],
    },
    {
      title: "another status",
      mistake: (_, answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer),
      reported: [/^The status is 200 not_found, not 404: \d+ answers, all of them errors\.$/],
    },
    {
      title: "a missing document",
      mistake: (request, answer) =>
        request.path === dump && request.method === "GET" ? { ...answer, status: 404 } : answer,
      reported: [/^The status is 404, not 200: \d answers?/],
    },
    {
      title: "a stale page",
      mistake: (request, answer) =>
        request.path === path && request.query === "" && request.method === "GET"
          ? { ...answer, headers: withoutLength(answer), body: answer.body.replace('"data":[', '"data":[{},') }
          : answer,
      reported: [/^The data is stale, or of another build: 1 answer\.$/],
    },
    {
      title: "stale pages out of a cache",
      mistake: (request, answer) =>
        isPage(request, answer)
          ? { ...answer, headers: { ...withoutLength(answer), age: "58" }, body: `${answer.body} ` }
          : answer,
      reported: [
        /^The data is stale.*: \d+ answers, all of them at .*\. A cache answered, up to 58 s old: verify again when /,
      ],
    },
    {
      title: "another ETag on each answer",
      mistake: (_, answer) =>
        answer.status === 200 ? { ...answer, headers: { ...answer.headers, etag: `"${++count}"` } } : answer,
      reported: [/^The status to a known ETag is 200, not 304: \d+ answers\.$/],
    },
    { title: "no ETag", mistake: without("etag"), reported: [/^There is no ETag: \d+ answers\.$/] },
    {
      title: "no 304",
      mistake: (_, answer) => (answer.status === 304 ? { ...answer, status: 200 } : answer),
      reported: [/^The status to a known ETag is 200, not 304: \d+ answers\.$/],
    },
    {
      title: "no 304 to the ETag of a compressed answer",
      mistake: ({ headers, method }, answer) =>
        headers?.["accept-encoding"]?.includes("gzip") && answer.status === 200 && method === "GET"
          ? compressed(answer, '"gzip"', gzipSync(answer.body))
          : answer,
      reported: [/^The status to a known ETag is 200, not 304: \d+ answers\.$/],
    },
    {
      title: "a body that is compressed twice",
      mistake: (request, answer) =>
        isPage(request, answer) ? compressed(answer, '"gzip"', gzipSync(gzipSync(answer.body))) : answer,
      reported: [/^The body is not JSON, or is compressed twice: \d+ answers, all of them at /],
    },
    ...["gzip", "br"].map((encoding) => ({
      title: `a body that is not compressed with ${encoding}, although it says so`,
      mistake: withHeaders({ "content-encoding": encoding }, isPage),
      reported: [
        /^There is no answer: the body is not compressed as its Content-Encoding says: \d+ answers, all of them at /,
      ],
    })),
    {
      title: "405 to HEAD",
      mistake: (request, answer) => (request.method === "HEAD" ? { ...answer, status: 405 } : answer),
      reported: [/^The status to HEAD is 405, not 200: \d+ answers\.$/],
    },
    {
      title: "a body in answer to HEAD",
      mistake: (request, answer) =>
        request.method === "HEAD"
          ? Buffer.from(
              `HTTP/1.1 ${answer.status} OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n{"object":"list"}`,
            )
          : answer,
      reported: [/^There is no answer: the answer is not valid HTTP: \d+ answers\.$/],
    },
    {
      title: "a redirect to a slash",
      mistake: (request, answer) =>
        request.path === path && request.method === "GET"
          ? { status: 301, headers: { location: `http://elsewhere${path}/?${request.query}` }, body: "" }
          : answer,
      reported: [/^The status is 301, a redirect to http:\/\/elsewhere.*, not 200: \d+ answers?/],
    },
    {
      title: "OPTIONS refused",
      mistake: (request, answer) => (request.method === "OPTIONS" ? { ...answer, status: 405 } : answer),
      reported: [/^The status to OPTIONS is 405, not 204: \d+ answers\.$/],
    },
    {
      title: "connections that are closed",
      mistake: (request, answer) => (request.path === path && request.query !== "" ? null : answer),
      reported: [/^There is no answer: the connection was closed: \d+ answers, all of them at /],
    },
  ];
}

function withoutLength({ headers }: Parameters<Mistake>[1]): Readonly<Record<string, string>> {
  const { "content-length": _, ...others } = headers;
  return others;
}
