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
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { patternOfPath } from "../../../src/model/output-path.ts";
import { pathForm } from "../../../src/model/path-form.ts";
import { minified } from "../../files/asset.ts";
import { sha256 } from "../../files/sha256.ts";
import { type Param, paramsOf } from "../../routing/params.ts";
import { errorFile } from "../../routing/paths.ts";
import type { RoutingTable, TableDocument, TableError, Tables } from "../../routing/table.ts";
import { groupBy } from "../../values/group-by.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import { choicesOf } from "../readings.ts";
import { jsonText, literal, withoutAnchors } from "../syntax.ts";
import { byEnding, byFolder, type HostView, headingOf, oneOfPaths, viewOf } from "../view.ts";
import resources from "./template.json" with { type: "json" };

/** The template, and its digest, with which `publish` checks whether the stack has this configuration. */
export function template(tables: Tables): { readonly text: string; readonly digest: string } {
  const [view, ...others] = mapNonEmpty(tables, viewOf);
  const { status, file } = bucketError(view.table);
  const parts = new Map<unknown, unknown>([
    ...corsOfBucket(view.table.headers),
    ...partsOf(view, ""),
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
  const further = others.map((other, index) => ({ other, number: index + 2 }));
  for (const { other, number } of further) Object.assign(whole.Resources, resourcesOf(other, number));
  const behaviors = further.flatMap(({ other, number }) => behaviorsOf(other, number));
  if (behaviors.length > 0) Object.assign(Distribution.Properties.DistributionConfig, { CacheBehaviors: behaviors });
  const text = jsonText(whole);
  const digest = sha256(text).slice(0, 32);
  return { text: text.replaceAll("@digest", digest), digest };
}

/** S3 answers with the only origin that may read if the request comes from there, so CloudFront sends this origin. */
function corsOfBucket(headers: RoutingTable["headers"]): readonly (readonly [part: string, value: unknown])[] {
  const origin = headers["Access-Control-Allow-Origin"];
  const exposed = headers["Access-Control-Expose-Headers"]?.split(", ");
  const HeaderValue = origin === "*" ? "https://cloudfront.invalid" : origin;
  return [
    [
      "@cors",
      origin && {
        CorsRules: [{ AllowedMethods: ["GET", "HEAD"], AllowedOrigins: [origin], ExposedHeaders: exposed }],
      },
    ],
    ["@sent", origin && [{ HeaderName: "Origin", HeaderValue }]],
  ];
}

/** The parts of the template that an API has. `suffix` ends the names of its resources. */
function partsOf(view: HostView, suffix: string): readonly (readonly [part: string, value: unknown])[] {
  // The function has to see answers if it changes their headers.
  const events = ["viewer-request", ...(furtherHeaders(view).length > 0 ? ["viewer-response"] : [])];
  const FunctionARN = { "Fn::GetAtt": [`Function${suffix}`, "FunctionARN"] };
  return [
    ["@code", functionOf(view)],
    ["@headers", customHeaders(view.table.headers)],
    ["@functions", events.map((EventType) => ({ EventType, FunctionARN }))],
  ];
}

/** The same with each part in its place. */
const filled = <Template>(template: Template, parts: ReadonlyMap<unknown, unknown>): Template =>
  JSON.parse(JSON.stringify(template), (_, value) => (parts.has(value) ? parts.get(value) : value));

/** The function and the headers of a further API. */
function resourcesOf(view: HostView, number: number): object {
  const { Function: runs, Headers: sends } = resources.Resources;
  const numbered = (sub: string) => [sub, `${sub}-${number}`] as const;
  const parts = new Map<unknown, unknown>([
    ...partsOf(view, String(number)),
    numbered(runs.Properties.Name["Fn::Sub"]),
    numbered(sends.Properties.ResponseHeadersPolicyConfig.Name["Fn::Sub"]),
  ]);
  return filled({ [`Function${number}`]: runs, [`Headers${number}`]: sends }, parts);
}

/** A cache behavior for each pattern of the paths of a further API. A star stands for any text. */
function behaviorsOf(view: HostView, number: number): readonly object[] {
  const { base, outside } = view;
  const { DefaultCacheBehavior } = resources.Resources.Distribution.Properties.DistributionConfig;
  const parts = new Map<unknown, unknown>([...partsOf(view, String(number)), ["Headers", `Headers${number}`]]);
  const outputs = outside.outputs.map(({ wildcard }) => wildcard);
  const patterns = [base, `${base}/*`, ...outside.paths, ...outputs];
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

/**
 * The text of the function that CloudFront runs: the data of a table, and function.js. CloudFront accepts 10 kB, so operations
 * share the values of their parameters and the messages of their errors.
 */
export const edgeFunction = (table: RoutingTable): string => functionOf(viewOf(table));

const functionOf = (view: HostView): string =>
  `// ${headingOf([view.table])} For the runtime cloudfront-js-2.0.
var data = ${JSON.stringify(dataOf(view))};
${minified("hosts/cloudfront/function.js")}`;

function dataOf(view: HostView): object {
  const { table, base, type, common, operations } = view;
  const values = new Map<string, number>();
  const messages = new Map<string, number>();
  const names = new Map<string, number>();
  const operationData = operations.map((operation) => {
    const { name, path, params } = operation;
    const indexOf = (sent: Pick<Param, "name">) => params.findIndex((param) => param.name === sent.name);
    // Messages consist of words and parts of URLs, and have no dollar sign.
    const messageOf = ({ body }: TableError) => indexIn(messages, body.message.replaceAll(path, "$p"));
    return [
      name,
      {
        order: operation.pathParams.map(indexOf),
        params: params.map((param) => [param.name, indexIn(values, valuesOf(param)), messageOf(param.error)]),
        clashes: operation.conflicts.map(({ filters, error }) => [filters.map(indexOf), messageOf(error)]),
      },
    ];
  });
  return {
    base,
    methods: table.methods,
    allow: table.allow,
    common: lowercase(common),
    errorHeaders: lowercase({ "Content-Type": type, "Cache-Control": table.errorCacheControl }),
    preflight: lowercase(table.preflight),
    methodNotAllowed: table.methodNotAllowed.body,
    notFound: table.notFound.body,
    documents: Object.fromEntries(
      [...byEnding(table.documents)].map(([ending, group]) => [ending, namesByFolder(group, names)]),
    ),
    names: [...names.keys()],
    redirects: Object.fromEntries(table.redirects.map(({ path, to }) => [path, to])),
    part: formOfPart,
    forms: formsOf(view).map(([paths, file]) => [`^${withPartSign(paths)}$`, file]),
    operations: Object.fromEntries(operationData),
    values: [...values.keys()].map((text) => JSON.parse(text)),
    messages: [...messages.keys()],
    further: furtherHeaders(view),
  };
}

/**
 * The last parts of paths, by the folders before them: their index in `names`. Many folders have a document for each list.
 * No part has a blank.
 */
const namesByFolder = (documents: readonly TableDocument[], names: Map<string, number>) =>
  Object.fromEntries(
    byFolder(documents.map(({ path }) => path)).map(([folder, parts]) => [folder, indexIn(names, parts.join(" "))]),
  );

/** A sign that no path has, which stands for the form of a part of a path. */
const partSign = "~";

const formOfPart = withoutAnchors(pathForm);

const withPartSign = (expression: string): string => expression.replaceAll(formOfPart, partSign);

/** Expressions of paths, and the files: those of single items and of outputs. */
const formsOf = (view: HostView): readonly (readonly [paths: string, file: string])[] => [
  ...view.items.map(({ operations, key }) => [`(${oneOfPaths(operations)})(/${key})`, "$1/item$2.json"] as const),
  ...outputForms(view).map((paths) => [paths, "$&"] as const),
  ...belowItems(view).map(({ captured, capturedFile }) => [captured, capturedFile] as const),
];

const belowItems = ({ outputs }: HostView) => outputs.filter(({ isBelowItems }) => isBelowItems);

/** One expression for the outputs that differ in their ends: `/api/v1/files/[…]{0,99}(?:\.jpg|\.png)`. */
function outputForms({ outputs }: HostView): readonly string[] {
  const startOf = (path: string) => path.slice(0, path.lastIndexOf(formOfPart) + formOfPart.length);
  return [
    ...groupBy(
      outputs.flatMap(({ isBelowItems, paths }) => (isBelowItems ? [] : paths)),
      startOf,
    ),
  ].map(([start, group]) => `${start}(?:${group.map((path) => path.slice(start.length)).join("|")})`);
}

/**
 * Expressions of the paths whose answers have further headers, with these headers: those that announce a deprecation, and
 * those of some files beside the data. The paths are those of requests and of files; the first expression that matches counts.
 * A line break in a value stands for the Link of all answers.
 */
function furtherHeaders(view: HostView): readonly (readonly [paths: string, headers: object])[] {
  const { table, operations, kinds } = view;
  const { Link = "" } = table.headers;
  const notices = operations.flatMap(({ path, headers }) => {
    if (headers === undefined) return [];
    const values = Object.entries(headers).map(([name, value]) => [name, Link ? value.replace(Link, "\n") : value]);
    return [[`^${literal(path)}(?:$|[.]json$|/)`, lowercase(Object.fromEntries(values))] as const];
  });
  const files = kinds.flatMap(({ outputs, headers }) => {
    if (headers === undefined) return [];
    const paths = outputs.map(({ path }) => withPartSign(patternOfPath(path)));
    return [[`^(?:${paths.join("|")})$`, lowercase(headers)] as const];
  });
  const deprecated = operations.filter(({ headers }) => headers !== undefined);
  const without = belowItems(view)
    .filter(({ path }) => deprecated.some((list) => path.startsWith(`${list.path}/`)))
    .flatMap(({ path, file }) => [path, `/${file}`])
    .map((path) => [`^${withPartSign(patternOfPath(path))}$`, {}] as const);
  return [...without, ...notices, ...files];
}

const lowercase = (headers: RoutingTable["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A list of expressions with the part of the path: `$n` is the name of the parameter, and `&` the value. */
const valuesOf = (param: Param): string =>
  JSON.stringify(
    choicesOf(param).map(({ pattern, part }) => [`^${pattern}$`, part("&").replace(`/${param.name}/`, "/$n/")]),
  );

/** The index of a text, which is added if it is missing. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

/**
 * The answer if the bucket has no file for a page or for a single item. All operations share it, because an error
 * response does not depend on the path. If there are single items, it is their 404, which readers are more likely to get.
 */
export function bucketError(table: RoutingTable): TableError {
  const { base, operations, notFound } = table;
  if (operations.some(({ itemKeyParts }) => itemKeyParts !== undefined)) return notFound;
  const params = operations.flatMap(paramsOf).filter(({ kind }) => kind !== "limit");
  const accepted = new Set(params.map(({ error }) => error.body.message));
  const body: ErrorBody = {
    object: "error",
    status: 400,
    code: "invalid_parameter",
    message: ["There is no such page.", ...accepted].join(" "),
  };
  return { status: body.status, file: errorFile(base, body.code), body };
}
