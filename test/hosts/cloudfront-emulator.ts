// Answers requests like a distribution of the template, in memory; for tests only.
//
// Amazon publishes no emulator. This one passes events of the documented shape to the function, and reads
// everything else from the template.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
import * as z from "zod";
import type { Request } from "../../build/routing/resolve.ts";
import type { TextAnswer } from "../ask.ts";

export interface StoredObject {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => string;
}

const header = z.record(z.string(), z.strictObject({ value: z.string() }));

const generated = z.strictObject({
  statusCode: z.int(),
  headers: header,
  body: z.strictObject({ encoding: z.literal("text"), data: z.string() }).optional(),
});

const passedOn = z.object({ uri: z.string() });

/** The parts of the template that the emulator uses. Tests check the structure of the other parts. */
const templateForm = z.object({
  Resources: z.object({
    Function: z.object({ Properties: z.object({ FunctionCode: z.string() }) }),
    Bucket: z.object({
      Properties: z.object({
        CorsConfiguration: z.object({
          CorsRules: z.tuple([
            z.object({ AllowedOrigins: z.tuple([z.string()]), ExposedHeaders: z.array(z.string()) }),
          ]),
        }),
      }),
    }),
    Headers: z.object({
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
    }),
    Distribution: z.object({
      Properties: z.object({
        DistributionConfig: z.object({
          Origins: z.tuple([
            z.object({ OriginCustomHeaders: z.tuple([z.object({ HeaderName: z.literal("Origin") })]) }),
          ]),
          DefaultCacheBehavior: z.object({
            AllowedMethods: z.array(z.string()),
            FunctionAssociations: z.array(z.object({ EventType: z.string() })),
          }),
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

export function loadCloudFront(
  template: string,
  bucket: Pick<ReadonlyMap<string, StoredObject>, "get">,
  runScript: RunScript,
): (request: Request) => TextAnswer {
  const resources = templateForm.parse(JSON.parse(template)).Resources;
  const { CustomErrorResponses, DefaultCacheBehavior } = resources.Distribution.Properties.DistributionConfig;
  const run = runScript(`${resources.Function.Properties.FunctionCode}\n${caller}`);
  const seesAnswers = DefaultCacheBehavior.FunctionAssociations.some(
    ({ EventType }) => EventType === "viewer-response",
  );
  const [{ AllowedOrigins, ExposedHeaders }] = resources.Bucket.Properties.CorsConfiguration.CorsRules;
  const custom = resources.Headers.Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items;

  const fromBucket = (stored: StoredObject, status: number, method: string): TextAnswer => ({
    status,
    headers: {
      ...stored.headers,
      "access-control-allow-origin": AllowedOrigins[0],
      "access-control-expose-headers": ExposedHeaders.join(", "),
      ...Object.fromEntries(custom.map(({ Header, Value }) => [Header.toLowerCase(), Value])),
      "x-content-type-options": "nosniff",
    },
    body: method === "HEAD" ? "" : stored.body(),
  });

  return (request) => {
    const { method } = request;
    if (!DefaultCacheBehavior.AllowedMethods.includes(method)) return { status: 403, headers: {}, body: "" };
    const result: unknown = runFunction(run, eventOf(request), request.query);
    const own = generated.safeParse(result);
    if (own.success) {
      const { statusCode: status, headers, body } = own.data;
      const values = Object.entries(headers).map(([name, { value }]) => [name, value]);
      return { status, headers: Object.fromEntries(values), body: body?.data ?? "" };
    }
    const { uri } = passedOn.parse(result);
    const stored = bucket.get(uri.slice(1));
    if (stored !== undefined) {
      const answer = fromBucket(stored, 200, method);
      if (!seesAnswers) return answer;
      // It is not documented which of the two paths the function sees.
      const [first, second] = [uri, request.path].map((seen) => noticed(run, answer, { ...request, path: seen }));
      if (first === undefined || JSON.stringify(first) !== JSON.stringify(second)) {
        throw new Error(`The headers of ${uri} depend on the path that the function sees.`);
      }
      return first;
    }
    // The distribution may not list the bucket, so it gets 403 for a missing object.
    const response = CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === 403);
    const page = response && bucket.get(response.ResponsePagePath.slice(1));
    if (response === undefined || page === undefined) throw new Error(`There is no error response for ${uri}.`);
    return fromBucket(page, response.ResponseCode, method);
  };
}

/** Events and results are passed as text, so that the function gets no object of this process. */
const caller = `(function (text, query) {
  var event = JSON.parse(text);
  event.request.rawQueryString = function () { return query; };
  return JSON.stringify(handler(event));
})`;

const eventOf = ({ method, path }: Request) => ({
  version: "1.0",
  context: { eventType: "viewer-request" },
  viewer: { ip: "198.51.100.11" },
  request: { method, uri: path, querystring: {}, headers: { host: { value: "api.example" } }, cookies: {} },
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
