// The CloudFormation template: all resources that the API needs in an AWS account. template.json has the part that is
// the same for every API, and a name after @ for each part that is not. People may deploy the template by hand, so it is
// small: a bucket, the function, the distribution, and their policies.
//
// - Deleting the stack keeps the bucket, which may hold other files.
// - The distribution may read the bucket but not list it, so it gets 403 for a missing object.
// - CloudFront caches each object for the time in its Cache-Control, by its path and by x-query: the function has encoded
//   an operation's parameters in the path, and the rest of the query in x-query. CloudFront sends the parameters of the key
//   to S3, which ignores unknown parameters only if their name begins with x-.
// - All methods are allowed, because CloudFront runs the function only for allowed ones. The function passes only GET and
//   HEAD to the bucket.
// - Names of policies and functions are unique in an account across regions.
// - The digest is also in the function, because CloudFormation does not update a stack if only outputs change.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudfront-distribution.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/controlling-the-cache-key.html
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html#LogFormatCustom
import { sha256 } from "../../files/sha256.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { json } from "../syntax.ts";
import { changesAnswers } from "./function.ts";
import { noSuchFile } from "./gaps.ts";
import resources from "./template.json" with { type: "json" };

/** The template, and its digest, with which `upload.mjs` checks whether the stack has this configuration. */
export function template(table: RoutingTable, code: string): { readonly text: string; readonly digest: string } {
  const { headers } = table;
  const { status, file } = noSuchFile(table);
  const events = ["viewer-request", ...(changesAnswers(table) ? ["viewer-response"] : [])];
  const parts = new Map<unknown, unknown>([
    ["@origin", headers["Access-Control-Allow-Origin"]],
    ["@exposed", headers["Access-Control-Expose-Headers"]?.split(", ")],
    ["@code", code],
    ["@headers", customHeaders(headers)],
    [
      "@functions",
      events.map((EventType) => ({ EventType, FunctionARN: { "Fn::GetAtt": ["Function", "FunctionARN"] } })),
    ],
    [
      "@errors",
      [403, 404].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
        ResponseCode: status,
        ResponsePagePath: `/${file}`,
      })),
    ],
  ]);
  const text = json(JSON.parse(JSON.stringify(resources), (_, value) => (parts.has(value) ? parts.get(value) : value)));
  const digest = sha256(text).slice(0, 32);
  return { text: text.replaceAll("@digest", digest), digest };
}

/** The headers that are set neither by the objects (Content-Type) nor by the bucket (CORS). */
function customHeaders(headers: RoutingTable["headers"]): object | undefined {
  const others = Object.entries(headers).filter(
    ([name]) => !/^(?:Content-Type|Access-Control-.*|X-Content-Type-Options)$/.test(name),
  );
  return others.length === 0
    ? undefined
    : { Items: others.map(([Header, Value]) => ({ Header, Value, Override: true })) };
}
