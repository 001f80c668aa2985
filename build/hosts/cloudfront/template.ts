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
// - Each further API has a function, a policy of headers, and a cache behavior for each pattern of its paths. The error
//   responses are those of the distribution, so all APIs have those of the first.
// - The digest is also in the function, because CloudFormation does not update a stack if only outputs change.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudfront-distribution.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/controlling-the-cache-key.html
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html#LogFormatCustom
import { sha256 } from "../../files/sha256.ts";
import type { RoutingTable, Tables } from "../../routing/table.ts";
import { outputsOutside, pathsOutside, withPlaceholders } from "../known-paths.ts";
import { json } from "../syntax.ts";
import { changesAnswers, edgeFunction } from "./function.ts";
import { noSuchFile } from "./gaps.ts";
import resources from "./template.json" with { type: "json" };

/** The template, and its digest, with which `publish` checks whether the stack has this configuration. */
export function template([table, ...others]: Tables): { readonly text: string; readonly digest: string } {
  const { headers } = table;
  const { status, file } = noSuchFile(table);
  const parts = new Map<unknown, unknown>([
    ["@origin", headers["Access-Control-Allow-Origin"]],
    ["@exposed", headers["Access-Control-Expose-Headers"]?.split(", ")],
    ...partsOf(table, ""),
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
  const whole = filled(resources, parts);
  const { Distribution } = whole.Resources;
  const further = others.map((other, index) => ({ table: other, number: index + 2 }));
  for (const { table: other, number } of further) Object.assign(whole.Resources, resourcesOf(other, number));
  const behaviors = further.flatMap(({ table: other, number }) => behaviorsOf(other, number));
  if (behaviors.length > 0) Object.assign(Distribution.Properties.DistributionConfig, { CacheBehaviors: behaviors });
  const text = json(whole);
  const digest = sha256(text).slice(0, 32);
  return { text: text.replaceAll("@digest", digest), digest };
}

/** The parts of the template that an API has. `suffix` ends the names of its resources. */
function partsOf(table: RoutingTable, suffix: string): readonly (readonly [part: string, value: unknown])[] {
  const events = ["viewer-request", ...(changesAnswers(table) ? ["viewer-response"] : [])];
  const FunctionARN = { "Fn::GetAtt": [`Function${suffix}`, "FunctionARN"] };
  return [
    ["@code", edgeFunction(table)],
    ["@headers", customHeaders(table.headers)],
    ["@functions", events.map((EventType) => ({ EventType, FunctionARN }))],
  ];
}

/** The same with each part in its place. */
const filled = <Template>(template: Template, parts: ReadonlyMap<unknown, unknown>): Template =>
  JSON.parse(JSON.stringify(template), (_, value) => (parts.has(value) ? parts.get(value) : value));

/** The function and the headers of a further API. */
function resourcesOf(table: RoutingTable, number: number): object {
  const { Function: runs, Headers: sends } = resources.Resources;
  const named = (sub: string) => [sub, `${sub}-${number}`] as const;
  const parts = new Map<unknown, unknown>([
    ...partsOf(table, String(number)),
    named(runs.Properties.Name["Fn::Sub"]),
    named(sends.Properties.ResponseHeadersPolicyConfig.Name["Fn::Sub"]),
  ]);
  return filled({ [`Function${number}`]: runs, [`Headers${number}`]: sends }, parts);
}

/** A cache behavior for each pattern of the paths of a further API. A star stands for any text. */
function behaviorsOf(table: RoutingTable, number: number): readonly object[] {
  const { base } = table;
  const { DefaultCacheBehavior } = resources.Resources.Distribution.Properties.DistributionConfig;
  const parts = new Map<unknown, unknown>([...partsOf(table, String(number)), ["Headers", `Headers${number}`]]);
  const outputs = outputsOutside(table).map((output) => withPlaceholders(output, "*"));
  const patterns = [base, `${base}/*`, ...pathsOutside(table), ...outputs];
  return patterns.map((PathPattern) => ({ PathPattern, ...filled(DefaultCacheBehavior, parts) }));
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
