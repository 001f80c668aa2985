// The routing table: what a host has to know to answer requests from files. It grows with the operations and their
// page sizes, never with the data: values of filters and cursors are known by their form and by whether their file
// exists. It is plain JSON, so that it can travel with the files.
import * as z from "zod";
import { type ApiError, apiError, methodNotAllowed, methods, notFound, parameterErrors } from "../../src/errors.ts";
import { base, type ListOperation, operations, referenced } from "../../src/operations.ts";
import { cursorForm, type PageSizes } from "../../src/paging.ts";
import { keyForm } from "../../src/resource.ts";
import { type OutputFile, textFile } from "../file.ts";
import { errorFile } from "./paths.ts";

const generator = "edge-api";

/** An error: its file, and the same body for hosts that cannot read files where they find the error. */
const failure = z.strictObject({ status: z.int(), file: z.string(), body: apiError });

const param = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("limit"),
    name: z.string(),
    /** The page sizes there are, ascending; a limit is answered with the largest that does not exceed it. */
    sizes: z.array(z.int()),
    error: failure,
  }),
  z.strictObject({
    kind: z.enum(["filter", "cursor"]),
    name: z.string(),
    /** An anchored regular expression. Values that do not match it must not reach a path. */
    form: z.string(),
    error: failure,
  }),
]);

export const routingTable = z.strictObject({
  /** Names the program whose output this is; see output/. */
  generator: z.literal(generator),
  base: z.string(),
  methods: z.array(z.string()),
  /** The headers of every answer. */
  headers: z.record(z.string(), z.string()),
  operations: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string(),
      cacheControl: z.string(),
      /** In the order in which they are checked. */
      params: z.array(param),
    }),
  ),
  errorCacheControl: z.string(),
  notFound: failure,
  methodNotAllowed: failure,
});

/** Where the table is in the publish root. */
export const tableFile = "routing.json";

export type RoutingTable = Readonly<z.infer<typeof routingTable>>;
export type Failure = Readonly<z.infer<typeof failure>>;
export type Param = z.infer<typeof param>;

/** Whether a text is a routing table that this program has written. */
export function isRoutingTable(text: string): boolean {
  try {
    return Object(JSON.parse(text)).generator === generator;
  } catch {
    // Not JSON, so not a table.
    return false;
  }
}

/** The table as a file of the publish root, by which the next build knows the folder as the program's. */
export const markerOf = (table: RoutingTable): OutputFile => textFile(tableFile, `${JSON.stringify(table)}\n`);

/** The table of a deployment with the operations `served` and the page sizes of each paged one. */
export function makeTable(served: readonly string[], sizesOf: (operation: string) => PageSizes): RoutingTable {
  return {
    generator,
    base,
    methods: [...methods],
    headers: {
      "Content-Type": "application/json",
      "Access-Control-Allow-Origin": "*",
      "X-Content-Type-Options": "nosniff",
    },
    operations: operations
      .filter(({ name }) => served.includes(name))
      .map((operation) => ({
        name: operation.name,
        path: `${base}/${operation.name}`,
        cacheControl: operation.cacheControl,
        params: operation.kind === "list" ? params(operation, sizesOf(operation.name), served) : [],
      })),
    errorCacheControl: "no-store",
    notFound: failureOf(notFound(served)),
    methodNotAllowed: failureOf(methodNotAllowed),
  };
}

const failureOf = (body: ApiError, operation?: string): Failure => ({
  status: body.status,
  file: errorFile(body.code, operation),
  body,
});

const params = (operation: ListOperation, sizes: PageSizes, served: readonly string[]): Param[] =>
  parameterErrors(operation, sizes, served).map((each) => paramOf(operation, sizes, each));

function paramOf(
  { name: owner, resource, filter }: ListOperation,
  sizes: PageSizes,
  { kind, error }: ReturnType<typeof parameterErrors>[number],
): Param {
  const name = error.param ?? "";
  const answer = failureOf(error, owner);
  switch (kind) {
    case "limit":
      return { kind, name, sizes: [...sizes], error: answer };
    case "filter":
      return { kind, name, form: keyForm(referenced(resource, filter?.field ?? "").resource), error: answer };
    case "cursor":
      return { kind, name, form: cursorForm, error: answer };
  }
}
