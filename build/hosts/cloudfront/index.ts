// CloudFront in front of a private S3 bucket: a function at the edge maps paths and queries to files and answers the
// errors that it can detect; a template creates all resources; `publish` sends the files with their headers.
//
// Relied on:
// - request.rawQueryString() is the query as sent, request.uri the path; a function may answer in the origin's place.
//   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/general-helper-methods.html
//   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
// - S3 answers 403 for a missing object if the client may not list the bucket, and a custom error response turns it
//   into 400; errors that a function returns are not changed.
//   https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
//   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/GeneratingCustomErrorResponses.html
// - CloudFront adds an Origin to every request to the bucket, so S3 always answers with its CORS header.
//   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/add-origin-custom-headers.html
import { encode, type OutputFile, textFile } from "../../files/file.ts";
import type { Param } from "../../routing/params.ts";
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import { outputAt, outputOfFile, type Request } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";
import { isMalformed, isOf, isWellFormed, noNotFoundPage, withPairs, wrongParam } from "../gaps.ts";
import type { Gap, HostAdapter, Publishing, Tables } from "../host.ts";
import { bucketError, edgeFunction, template } from "./print.ts";

/** The key of the list of objects. The function maps no request to it. */
export const listKey = "stillapi.list";

const publishing: Publishing = {
  title: "S3 with CloudFront",
  secrets: {
    AWS_ACCESS_KEY_ID:
      "a key that may list and write the bucket, read and update the stack, and create and read invalidations",
    AWS_SECRET_ACCESS_KEY: "its secret",
  },
  variables: { AWS_REGION: "the stack's region" },
  run: (name) => [`npm run publish -- cloudfront ${name}`],
  setUp: (name) =>
    `Create the stack. Later publications also update it:

\`\`\`sh
npm run build
aws cloudformation deploy --stack-name ${name} --template-file dist.hosts/cloudfront/template.json
\`\`\``,
  bucket: {
    list: listKey,
    headers: headersOfObject,
    digest: (tables) => template(tables).digest,
  },
};

// The function sees no files: only the bucket can tell that a filter value is unknown.
const gaps: readonly Gap[] = [
  {
    requests: "an unknown filter value beside a malformed filter or cursor after it",
    happens: "the 400 names the malformed parameter",
    reason: "the function sees no files, so it only finds the second fault",
    covers: ({ request, answer, params }) => {
      const wrong = missingParam(request, answer.file, params);
      if (wrong === undefined) return false;
      return params.slice(params.indexOf(wrong) + 1).some((param) => isMalformed(request, param));
    },
    takenFor: ({ request, params }) => {
      const malformed = params.find((param) => isMalformed(request, param));
      const others = params.filter((param) => param !== malformed);
      return withPairs(request, (pairs) => pairs.filter((pair) => !others.some(({ name }) => isOf(pair, name))));
    },
  },
  {
    requests: "an unknown filter value or cursor",
    happens:
      "400 invalid_parameter, with a message that names all filters and cursors; 404 not_found if the API has single items",
    reason: "there is one error response for each status of the bucket's, whatever the request",
    covers: ({ request, answer, params }) => missingParam(request, answer.file, params) !== undefined,
    gives: ({ first }) => bucketError(first),
  },
  {
    requests: "a file of an output for each item that does not exist",
    happens: "the same answer as for an unknown filter value",
    reason: "there is one error response for each status of the bucket's, whatever the request",
    covers: ({ request: { method, path }, answer, table }) =>
      answer.status === 404 && method !== "OPTIONS" && outputAt(table, path) !== undefined,
    gives: ({ first }) => bucketError(first),
  },
  noNotFoundPage(
    "the function has no room for the page, and to change the status of a file, it would have to run for each answer too",
  ),
];

export const cloudfront: HostAdapter = {
  name: "cloudfront",
  publishing,
  files([table]) {
    const { file, body } = bucketError(table);
    return file === table.notFound.file ? [] : [textFile(file, JSON.stringify(body))];
  },
  configuration,
  loads: () => ["template.json"],
  limits: [
    {
      what: "bytes of a function",
      max: 10 * 1024,
      source: "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
      used: ({ tables }) => ({ amount: Math.max(...tables.map((table) => encode(edgeFunction(table)).length)) }),
    },
    {
      what: "bytes of a template that is sent with the request",
      max: 51_200,
      source: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html",
      used: ({ tables }) => ({ amount: encode(template(tables).text).length }),
    },
  ],
  gaps,
  unproven: [
    "request.uri is the path as sent: not decoded, and with its dot segments and double slashes.",
    "A function may answer with 204, 308, 400, 404 and 405, a body and Cache-Control: no-store, and CloudFront does not keep it.",
    "S3 answers Access-Control-Allow-Origin, * or the only origin that may read, and Access-Control-Expose-Headers to a request whose Origin CloudFront has added. With an origin, it adds Access-Control-Allow-Credentials: true.",
    "The function's request.uri is / and not a default root object: the distribution has none.",
    "The headers of a response headers policy are also set on a custom error response, and Link and Vary may be among them.",
    "Methods that CloudFront does not know, such as TRACE, are refused with CloudFront's error page.",
    "Once `aws cloudfront wait distribution-deployed` returns, every location runs the function that was published.",
    "A function may run for the requests and for the answers of a distribution. For an answer, it sees the requested path or the one that it has made of it, and its headers replace those of a response headers policy.",
    "Once `aws cloudfront wait invalidation-completed` returns, no cache has an answer from before the invalidation.",
    "A parameter that the function sets is in the cache key and goes on to S3 if the cache policy names it, and no other does; S3 ignores it, because its name begins with x-.",
  ],
};

function configuration(tables: Tables): readonly OutputFile[] {
  return [
    // The first has the name that it has if it is the only one.
    ...tables.map((table, index) => textFile(`function${index === 0 ? "" : index + 1}.js`, edgeFunction(table))),
    textFile("template.json", template(tables).text),
  ];
}

/** The Content-Type and Cache-Control of a file of the publish root. Undefined if the file is not the API's. */
export function headersOfObject(table: RoutingTable, file: string): readonly [string, string] | undefined {
  const { base, documents, operations, errorCacheControl } = table;
  const kind = documents.find((document) => document.file === file) ?? outputOfFile(table, file);
  if (kind !== undefined) return [kind.contentType, kind.cacheControl];
  if (!file.startsWith(`${apiFolder(base)}/`) || !file.endsWith(".json")) return undefined;
  const type = contentTypeOf(table);
  if (file.startsWith(`${errorFolder(base)}/`)) return [type, errorCacheControl];
  const operation = operations.find(({ path }) => `/${file}` === `${path}.json` || `/${file}`.startsWith(`${path}/`));
  return operation && [type, operation.cacheControl];
}

/** The parameter with a well-formed but unknown value, if the right answer reports one. */
function missingParam(request: Request, answer: string | undefined, params: readonly Param[]): Param | undefined {
  const wrong = wrongParam(answer, params);
  return wrong !== undefined && wrong.kind !== "limit" && isWellFormed(request, wrong) ? wrong : undefined;
}
