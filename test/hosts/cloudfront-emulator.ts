// Answers requests like a distribution of the template, in memory; for tests only.
//
// Amazon publishes no emulator. This one passes events of the documented shape to the function, and reads
// everything else from the template.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
import * as z from "zod";
import { literal } from "../../build/hosts/syntax.ts";
import type { Request } from "../../build/routing/resolve.ts";
import type { TextAnswer } from "../ask.ts";

export interface StoredObject {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => string;
}

const functionForm = z.object({ Properties: z.object({ FunctionCode: z.string() }) });

const headersForm = z.object({
  Properties: z.object({
    ResponseHeadersPolicyConfig: z.object({
      SecurityHeadersConfig: z.strictObject({ ContentTypeOptions: z.strictObject({ Override: z.literal(true) }) }),
      CustomHeadersConfig: z
        .strictObject({
          Items: z.array(z.strictObject({ Header: z.string(), Value: z.string(), Override: z.literal(true) })),
        })
        .default({ Items: [] }),
    }),
  }),
});

const behaviorForm = z.object({
  AllowedMethods: z.array(z.string()),
  ResponseHeadersPolicyId: z.object({ Ref: z.string() }),
  FunctionAssociations: z.tuple(
    [z.object({ EventType: z.string(), FunctionARN: z.object({ "Fn::GetAtt": z.tuple([z.string(), z.string()]) }) })],
    z.object({ EventType: z.string() }),
  ),
});

const header = z.record(z.string(), z.strictObject({ value: z.string() }));

const generated = z.strictObject({
  statusCode: z.int(),
  headers: header,
  body: z.strictObject({ encoding: z.literal("text"), data: z.string() }).optional(),
});

const pair = z.object({ value: z.string() });
const querystring = z.record(z.string(), pair.extend({ multiValue: z.array(pair).optional() }));

const passedOn = z.object({ uri: z.string(), querystring });

/** The parts of the template that the emulator uses. Tests check the structure of the other parts. */
const templateForm = z.object({
  Resources: z.object({
    Bucket: z.object({
      Properties: z.object({
        CorsConfiguration: z
          .object({
            CorsRules: z.tuple([
              z.object({ AllowedOrigins: z.tuple([z.string()]), ExposedHeaders: z.array(z.string()) }),
            ]),
          })
          .optional(),
      }),
    }),
    Caching: z.object({
      Properties: z.object({
        CachePolicyConfig: z.object({
          ParametersInCacheKeyAndForwardedToOrigin: z.object({
            CookiesConfig: z.strictObject({ CookieBehavior: z.literal("none") }),
            HeadersConfig: z.strictObject({ HeaderBehavior: z.literal("none") }),
            QueryStringsConfig: z.discriminatedUnion("QueryStringBehavior", [
              z.strictObject({ QueryStringBehavior: z.enum(["none", "all"]) }),
              z.strictObject({ QueryStringBehavior: z.literal("whitelist"), QueryStrings: z.array(z.string()) }),
            ]),
          }),
        }),
      }),
    }),
    Distribution: z.object({
      Properties: z.object({
        DistributionConfig: z.object({
          Origins: z.tuple([
            z.object({
              OriginCustomHeaders: z
                .tuple([z.object({ HeaderName: z.literal("Origin"), HeaderValue: z.string() })])
                .optional(),
            }),
          ]),
          DefaultCacheBehavior: behaviorForm,
          CacheBehaviors: z.array(behaviorForm.extend({ PathPattern: z.string() })).default([]),
          CustomErrorResponses: z.array(
            z.object({ ErrorCode: z.int(), ResponseCode: z.int(), ResponsePagePath: z.string() }),
          ),
        }),
      }),
    }),
  }),
});

/** Runs a script in a new JavaScript context, as bare as the runtime of functions, and returns its value. */
export type RunScript = (script: string) => (text: string, query?: string) => string;

/** `cache` keeps answers by their key until the test removes them. Without one, each request goes to the bucket. */
export function loadCloudFront(
  template: string,
  bucket: Pick<ReadonlyMap<string, StoredObject>, "get">,
  runScript: RunScript,
  cache?: Map<string, TextAnswer>,
): (request: Request) => TextAnswer {
  const parsed: unknown = JSON.parse(template);
  const resources = templateForm.parse(parsed).Resources;
  const named = z.object({ Resources: z.record(z.string(), z.unknown()) }).parse(parsed).Resources;
  const { CustomErrorResponses, DefaultCacheBehavior, CacheBehaviors, Origins } =
    resources.Distribution.Properties.DistributionConfig;
  const behaviors = [...CacheBehaviors, { ...DefaultCacheBehavior, PathPattern: "*" }].map((behavior) => {
    const { AllowedMethods, FunctionAssociations, ResponseHeadersPolicyId, PathPattern } = behavior;
    const [{ FunctionARN }] = FunctionAssociations;
    const { FunctionCode } = functionForm.parse(named[FunctionARN["Fn::GetAtt"][0]]).Properties;
    const policy = headersForm.parse(named[ResponseHeadersPolicyId.Ref]).Properties.ResponseHeadersPolicyConfig;
    return {
      pattern: new RegExp(`^${PathPattern.split("*").map(literal).join(".*")}$`, "s"),
      AllowedMethods,
      run: runScript(`${FunctionCode}\n${caller}`),
      seesAnswers: FunctionAssociations.some(({ EventType }) => EventType === "viewer-response"),
      custom: policy.CustomHeadersConfig.Items,
    };
  });
  const cors = corsOf(
    resources.Bucket.Properties.CorsConfiguration?.CorsRules[0],
    Origins[0].OriginCustomHeaders?.[0].HeaderValue,
  );
  const { QueryStringsConfig } =
    resources.Caching.Properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;

  type Custom = (typeof behaviors)[number]["custom"];
  const fromBucket = (stored: StoredObject, status: number, method: string, custom: Custom): TextAnswer => ({
    status,
    headers: {
      ...stored.headers,
      ...cors,
      ...Object.fromEntries(custom.map(({ Header, Value }) => [Header.toLowerCase(), Value])),
      "x-content-type-options": "nosniff",
    },
    body: method === "HEAD" ? "" : stored.body(),
  });

  return (request) => {
    const { method } = request;
    const behavior = behaviors.find(({ pattern }) => pattern.test(request.path));
    if (behavior === undefined) throw new Error("The last pattern matches any path.");
    const { AllowedMethods, run, seesAnswers, custom } = behavior;
    if (!AllowedMethods.includes(method)) return { status: 403, headers: {}, body: "" };
    const result: unknown = runFunction(run, eventOf(request), request.query);
    const produced = generated.safeParse(result);
    if (produced.success) {
      const { statusCode: status, headers, body } = produced.data;
      const values = Object.entries(headers).map(([name, { value }]) => [name, value]);
      return { status, headers: Object.fromEntries(values), body: body?.data ?? "" };
    }
    const passed = passedOn.parse(result);
    const { uri } = passed;
    const forwarded = pairsOf(passed.querystring).filter(([name]) => {
      if (QueryStringsConfig.QueryStringBehavior !== "whitelist")
        return QueryStringsConfig.QueryStringBehavior === "all";
      return QueryStringsConfig.QueryStrings.includes(name);
    });
    const key = JSON.stringify([method, uri, forwarded]);
    // S3 would answer ?acl with another document, and ?response-content-type=text/html as HTML. It ignores x-….
    const obeyed = forwarded.find(([name]) => !name.startsWith("x-"));
    if (obeyed !== undefined) throw new Error(`S3 may obey ${obeyed[0]}.`);
    const stored = bucket.get(uri.slice(1));
    const answer = cache?.get(key) ?? (stored && fromBucket(stored, 200, method, custom));
    if (answer !== undefined) {
      cache?.set(key, answer);
      if (!seesAnswers) return answer;
      // It is not documented which of the two requests the function sees.
      const query = pairsOf(passed.querystring)
        .map(([name, value]) => `${name}=${value}`)
        .join("&");
      const first = noticed(run, answer, request);
      const second = noticed(run, answer, { ...request, path: uri, query });
      if (JSON.stringify(first) !== JSON.stringify(second)) {
        throw new Error(`The headers of ${uri} depend on the request that the function sees.`);
      }
      return first;
    }
    // The distribution may not list the bucket, so it gets 403 for a missing object.
    const response = CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === 403);
    const page = response && bucket.get(response.ResponsePagePath.slice(1));
    if (response === undefined || page === undefined) throw new Error(`There is no error response for ${uri}.`);
    return fromBucket(page, response.ResponseCode, method, custom);
  };
}

/** The headers of S3, which answers to an origin that a rule names with this origin, and allows credentials. */
function corsOf(
  rule: { readonly AllowedOrigins: readonly [string]; readonly ExposedHeaders: readonly string[] } | undefined,
  sent: string | undefined,
): TextAnswer["headers"] {
  if (rule === undefined || sent === undefined) return {};
  const [origin] = rule.AllowedOrigins;
  if (origin !== "*" && origin !== sent) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": rule.ExposedHeaders.join(", "),
    ...(origin !== "*" && { "access-control-allow-credentials": "true" }),
  };
}

/** Events and results are passed as text, so that the function gets no object of this process. */
const caller = `(function (text, query) {
  var event = JSON.parse(text);
  event.request.rawQueryString = function () { return query; };
  return JSON.stringify(handler(event));
})`;

type Querystring = z.infer<typeof querystring>;

const pairsOf = (values: Querystring): readonly (readonly [string, string])[] =>
  Object.entries(values).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((single) => [name, single.value] as const),
  );

/** A query as the function gets it, with all values of a repeated name. */
function querystringOf(query: string): Querystring {
  const values = new Map<string, string[]>();
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [name = "", ...value] = pair.split("=");
    values.set(name, [...(values.get(name) ?? []), value.join("=")]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => {
      const value = all.at(-1) ?? "";
      return [name, all.length === 1 ? { value } : { value, multiValue: all.map((text) => ({ value: text })) }];
    }),
  );
}

const eventOf = ({ method, path, query }: Request) => ({
  version: "1.0",
  context: { eventType: "viewer-request" },
  viewer: { ip: "198.51.100.11" },
  request: {
    method,
    uri: path,
    querystring: querystringOf(query),
    headers: { host: { value: "api.example" } },
    cookies: {},
  },
});

const runFunction = (run: ReturnType<RunScript>, event: object, query: string): unknown =>
  JSON.parse(query === "" ? run(JSON.stringify(event)) : run(JSON.stringify(event), query));

/** The answer with the headers that the function for answers sets. */
function noticed(run: ReturnType<RunScript>, answer: TextAnswer, request: Request): TextAnswer {
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, { value }]));
  const response = { statusCode: answer.status, headers };
  const result = runFunction(run, { ...eventOf(request), response }, request.query);
  const changed = Object.entries(generated.parse(result).headers).map(([name, { value }]) => [name, value]);
  return { ...answer, headers: Object.fromEntries(changed) };
}
