// Apache: the headers of answers. Variables that the rules set decide which headers an answer with a file has, and the
// status decides about other answers. Variables cost less than expressions, which .htaccess compiles for each request.
import { asset } from "../../files/asset.ts";
import { answerHeaders, bodiless, documentHeaders } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import { documentKinds } from "../known-paths.ts";
import { filled } from "../syntax.ts";
import { headerValue, quoted } from "./syntax.ts";

/** The lines that apply to all answers of the API. */
export const settings = (table: RoutingTable): readonly string[] =>
  filled(asset("hosts/apache/settings.conf"), {
    name: apiName(table.base),
    methodNotAllowed: table.methodNotAllowed.file,
    type: contentTypeOf(table),
    // Apache reads every ending in the name of a file, as in `items/item/a.gz.json`. These override what the server's
    // configuration says of inner endings.
    innerEndings:
      table.outputs !== undefined ||
      table.operations.some(({ itemKeyParts, filters }) => itemKeyParts !== undefined || filters.length > 0)
        ? ["SetHandler default-handler", "RemoveEncoding .br .gz .Z .tgz"]
        : [],
    headers: headers(table),
  })
    .trimEnd()
    .split("\n");

/** A later line overrides an earlier one. */
const headers = (table: RoutingTable): readonly string[] => [
  ...set(bodiless(table)),
  ...table.operations.flatMap((operation) =>
    set(answerHeaders(operation), `env=${redirected}${ofOperation(table, operation.name)}`),
  ),
  // A document at the path of its file is sent without a redirect if the rules are not in .htaccess.
  ...documentKinds(table).flatMap((kind, index) =>
    ["", redirected].flatMap((prefix) => set(documentHeaders(kind), `env=${prefix}${ofKind(table, index)}`)),
  ),
  ...set(table.preflight, ofStatus(204)),
  ...set({ "Cache-Control": table.errorCacheControl }, ofStatus(308, 400, 404, 405)),
  ...set({ Allow: table.allow }, ofStatus(405)),
];

/** The variable that the rules set for a page or item of an operation, and for a document. */
export const ofOperation = ({ base }: Base, name: string): string => `${apiName(base)}_of_${name}`;
export const ofKind = ({ base }: Base, kind: number): string => `${apiName(base)}_kind_${kind}`;

type Base = Pick<RoutingTable, "base">;

/** Apache redirects a request internally to the file of its answer, and then puts this before the variables' names. */
const redirected = "REDIRECT_";

/** Sets headers of the answers that meet a condition. "always" includes answers that are no success. */
const set = (headers: RoutingTable["headers"], condition = ""): readonly string[] =>
  Object.entries(headers).map(([name, value]) =>
    `Header always set ${name} ${headerValue(value)} ${condition}`.trimEnd(),
  );

const ofStatus = (...statuses: readonly number[]): string =>
  quoted(`expr=%{REQUEST_STATUS} in { ${statuses.map((status) => `'${status}'`).join(", ")} }`);
