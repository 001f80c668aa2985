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
      reported: [/^\d+ answers lack the header X-Content-Type-Options\.$/],
    },
    {
      title: "no CORS on errors",
      mistake: without("access-control-allow-origin", true),
      reported: [/^\d+ answers lack the header Access-Control-Allow-Origin, all of them errors\.$/],
    },
    {
      title: "errors that may be cached",
      mistake: withHeaders({ "cache-control": "public, max-age=60" }, (_, { status }) => status >= 400),
      reported: [/^\d+ answers have Cache-Control: public, max-age=60, not no-store, all of them errors\.$/],
    },
    {
      title: "errors out of a cache",
      mistake: withHeaders({ age: "7" }, (_, { status }) => status >= 400),
      reported: [/^\d+ answers are from a cache, which must not keep them, all of them errors\.$/],
    },
    {
      title: "the wrong type",
      mistake: withHeaders({ "content-type": "application/octet-stream" }, (request) => request.path === dump),
      reported: [/^\d answers? ha(?:ve|s) Content-Type: application\/octet-stream, not application\/x-ndjson/],
    },
    {
      title: "another status",
      mistake: (_, answer) => (answer.status === 404 ? { ...answer, status: 200 } : answer),
      reported: [/^\d+ answers have the status 200 not_found, not 404 not_found, all of them errors\.$/],
    },
    {
      title: "a missing document",
      mistake: (request, answer) =>
        request.path === dump && request.method === "GET" ? { ...answer, status: 404 } : answer,
      reported: [/^\d answers? (?:is|are) missing: the status is 404, not 200/],
    },
    {
      title: "a stale page",
      mistake: (request, answer) =>
        request.path === path && request.query === "" && request.method === "GET"
          ? { ...answer, headers: withoutLength(answer), body: answer.body.replace('"data":[', '"data":[{},') }
          : answer,
      reported: [/^1 answer holds other data: stale, or of another build\.$/],
    },
    {
      title: "stale pages out of a cache",
      mistake: (request, answer) =>
        isPage(request, answer)
          ? { ...answer, headers: { ...withoutLength(answer), age: "58" }, body: `${answer.body} ` }
          : answer,
      reported: [
        /^\d+ answers hold other data: .*, all of them at .*\. They come from a cache, up to 58 s old, which may /,
      ],
    },
    {
      title: "another ETag on each answer",
      mistake: (_, answer) =>
        answer.status === 200 ? { ...answer, headers: { ...answer.headers, etag: `"${++count}"` } } : answer,
      reported: [/^\d+ answers have another ETag each time, although the body is the same\.$/],
    },
    { title: "no ETag", mistake: without("etag"), reported: [/^\d+ answers lack an ETag\.$/] },
    {
      title: "no 304",
      mistake: (_, answer) => (answer.status === 304 ? { ...answer, status: 200 } : answer),
      reported: [/^\d+ answers are not 304 to the ETag they gave: the status is 200\.$/],
    },
    {
      title: "no 304 to the ETag of a compressed answer",
      mistake: ({ headers, method }, answer) =>
        headers?.["accept-encoding"]?.includes("gzip") && answer.status === 200 && method === "GET"
          ? compressed(answer, '"gzip"', gzipSync(answer.body))
          : answer,
      reported: [/^\d+ answers are not 304 to the ETag they gave, compressed: the status is 200\.$/],
    },
    {
      title: "a body that is compressed twice",
      mistake: (request, answer) =>
        isPage(request, answer) ? compressed(answer, '"gzip"', gzipSync(gzipSync(answer.body))) : answer,
      reported: [
        /^\d+ answers have a body that is not text: it is compressed twice, or without a Content-Encoding, all of/,
      ],
    },
    ...["gzip", "br"].map((encoding) => ({
      title: `a body that is not compressed with ${encoding}, although it says so`,
      mistake: withHeaders({ "content-encoding": encoding }, isPage),
      reported: [/^\d+ answers are missing: the body is not compressed as its Content-Encoding says, all of them at /],
    })),
    {
      title: "an encoding that was not asked for",
      mistake: withHeaders({ "content-encoding": "zstd" }, isPage),
      reported: [/^\d+ answers are missing: the body has a Content-Encoding that was not requested, all of them at /],
    },
    {
      title: "405 to HEAD",
      mistake: (request, answer) => (request.method === "HEAD" ? { ...answer, status: 405 } : answer),
      reported: [/^\d+ answers have the status 405 to HEAD, not 200\.$/],
    },
    {
      title: "a body in answer to HEAD",
      mistake: (request, answer) =>
        request.method === "HEAD"
          ? Buffer.from(
              `HTTP/1.1 ${answer.status} OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n{"object":"list"}`,
            )
          : answer,
      reported: [/^\d+ answers are missing: the answer has a body, all of them to HEAD\.$/],
    },
    {
      title: "a redirect to a slash",
      mistake: (request, answer) =>
        request.path === path && request.method === "GET"
          ? { status: 301, headers: { location: `http://elsewhere${path}/?${request.query}` }, body: "" }
          : answer,
      reported: [/^\d+ answers are redirected \(301\) to the same path with a slash at its end, all of them at /],
    },
    {
      title: "OPTIONS refused",
      mistake: (request, answer) => (request.method === "OPTIONS" ? { ...answer, status: 405 } : answer),
      reported: [/^\d+ answers have the status 405 to OPTIONS, not 204\.$/],
    },
    {
      title: "connections that are closed",
      mistake: (request, answer) => (request.path === path && request.query !== "" ? null : answer),
      reported: [/^\d+ answers are missing: the connection was closed, all of them at /],
    },
  ];
}

function withoutLength({ headers }: Parameters<Mistake>[1]): Readonly<Record<string, string>> {
  const { "content-length": _, ...others } = headers;
  return others;
}
