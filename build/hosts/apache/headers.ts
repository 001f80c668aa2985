// Apache: the headers of answers. Variables that the rules set decide which headers an answer with a file has, and the
// status decides about other answers. Variables cost less than expressions, which .htaccess compiles for each request.
import { isFilter } from "../../routing/combinations.ts";
import { bodiless } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";
import { documentKinds } from "../known-paths.ts";
import { noticeRules } from "../notices.ts";
import { headerValue, quoted } from "./syntax.ts";

/** The headers of all answers of the API. */
export const headers = (table: RoutingTable): readonly string[] => [
  `ForceType ${contentTypeOf(table)}`,
  "# A page is always sent whole, even if the client asks for a range or another version.",
  ...["Range", "If-Match", "If-Unmodified-Since"].map((name) => `RequestHeader unset ${name}`),
  "# Reading a small page costs less than mapping it into memory.",
  "EnableMMAP Off",
  ...(hasDots(table) ? ignoreInnerEndings : []),
  ...set(bodiless(table)),
  ...pages(table),
  ...documents(table),
  ...set(table.preflight, ofStatus(204)),
  ...set({ "Cache-Control": table.errorCacheControl }, ofStatus(308, 400, 404, 405)),
  ...set({ Allow: table.allow }, ofStatus(405)),
];

/** The variable that the rules set for a page or item of an operation, and for a document. */
export const ofOperation = (name: string): string => `stillapi_of_${name}`;
export const ofKind = (index: number): string => `stillapi_kind_${index}`;

/** Apache redirects a request internally to the file of its answer, and then puts this before the variables' names. */
const redirected = "REDIRECT_";

/** A later line overrides an earlier one. */
const pages = (table: RoutingTable): readonly string[] => [
  ...table.operations.flatMap(({ name, cacheControl }) =>
    set({ "Cache-Control": cacheControl }, `env=${redirected}${ofOperation(name)}`),
  ),
  ...noticeRules(table)
    .toReversed()
    .flatMap(({ headers, operation, target }) =>
      set(
        headers,
        quoted(
          `expr=reqenv('${redirected}${ofOperation(operation.name)}') == '1' && %{THE_REQUEST} =~ m#^\\S+ ${target}#`,
        ),
      ),
    ),
];

/** A document at the path of its file is sent without a redirect if the rules are not in .htaccess. */
const documents = (table: RoutingTable): readonly string[] =>
  documentKinds(table).flatMap(([{ contentType, cacheControl }], index) =>
    ["", redirected].flatMap((prefix) =>
      set({ "Content-Type": contentType, "Cache-Control": cacheControl }, `env=${prefix}${ofKind(index)}`),
    ),
  );

/** Whether the names of pages and items may have dots, as in `items/item/a.gz.json`. */
const hasDots = ({ operations }: RoutingTable): boolean =>
  operations.some(({ item, params }) => item !== undefined || params.some((each) => isFilter(each)));

/**
 * Apache reads every ending in the name of a file. `SetHandler` and `RemoveEncoding` override the configuration of the
 * server for the inner endings.
 */
const ignoreInnerEndings: readonly string[] = ["SetHandler default-handler", "RemoveEncoding .br .gz .Z .tgz"];

/** Sets headers of the answers that meet a condition. "always" includes answers that are no success. */
const set = (headers: RoutingTable["headers"], condition = ""): readonly string[] =>
  Object.entries(headers).map(([name, value]) =>
    `Header always set ${name} ${headerValue(value)} ${condition}`.trimEnd(),
  );

const ofStatus = (...statuses: readonly number[]): string =>
  quoted(`expr=%{REQUEST_STATUS} in { ${statuses.map((status) => `'${status}'`).join(", ")} }`);
