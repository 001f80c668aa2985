// The deprecated parts of an API.
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { Api } from "../../src/model/api.ts";
import type { Place } from "../../src/model/place.ts";
import { inDeclaration, type Log } from "../messages.ts";

export interface Deprecated extends Deprecation {
  /** `the filter region of nodes` */
  readonly what: string;
}

/** The parts of an operation that can be deprecated: all of it, filters, orders or fields. */
interface Deprecable {
  readonly name: string;
  readonly kind: "list" | "document";
  readonly deprecated?: Deprecation | undefined;
  readonly filters?: readonly { readonly param: string; readonly deprecated?: Deprecation | undefined }[];
  readonly orders?: readonly { readonly name: string; readonly deprecated?: Deprecation | undefined }[];
  readonly deprecatedFields?: Readonly<Record<string, Deprecation>>;
}

export const deprecatedIn = (operations: readonly Deprecable[]): readonly Deprecated[] =>
  operations.flatMap(({ name, kind, deprecated, filters = [], orders = [], deprecatedFields = {} }) => [
    ...noticed(`the ${kind === "list" ? "collection" : kind} ${name}`, deprecated),
    ...filters.flatMap((filter) => noticed(`the filter ${filter.param} of ${name}`, filter.deprecated)),
    ...orders.flatMap((order) => noticed(`the order ${order.name} of ${name}`, order.deprecated)),
    ...Object.entries(deprecatedFields).flatMap(([path, notice]) => noticed(`the field ${path} of ${name}`, notice)),
  ]);

/** The notice of a part, if it has one. */
const noticed = (what: string, notice: Deprecation | undefined): readonly Deprecated[] =>
  notice === undefined ? [] : [{ what, ...notice }];

/** Whether the sunset of a deprecation has passed. */
export const hasSunset = ({ sunset }: Deprecation, today: string): boolean => sunset !== undefined && sunset <= today;

/** The day of a time in seconds since 1970, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

interface DeprecableApi extends Pick<Api, "base"> {
  readonly deprecated?: Deprecation | undefined;
}

/** The notice of an API, if it has one. */
export const deprecatedApi = ({ base, deprecated }: DeprecableApi): readonly Deprecated[] =>
  noticed(`the API ${base}`, deprecated);

/** The notices of outputs, by their paths. */
export const deprecatedOutputs = (
  outputs: readonly { readonly path: string; readonly deprecated?: Deprecation | undefined }[],
): readonly Deprecated[] => outputs.flatMap(({ path, deprecated }) => noticed(`the output ${path}`, deprecated));

/** Warns of an API and of parts whose sunset has passed. */
export function warnOfSunsets(api: Api, today: string, log: Log): void {
  const { operations } = api;
  const warn = (notice: Deprecated, at: Place | undefined) => {
    if (!hasSunset(notice, today)) return;
    const text = `The sunset of ${notice.what} was on ${notice.sunset}. Remove it, or give it a later sunset.`;
    log.report({ code: "sunset", at: at ?? inDeclaration, text });
  };
  for (const notice of deprecatedApi(api)) warn(notice, api.placeOf("deprecated"));
  for (const output of api.outputs) for (const notice of deprecatedOutputs([output])) warn(notice, output.place());
  for (const { kind, name, deprecated, deprecatedFields, placeOf, ...operation } of operations) {
    const { filters, orders } = "filters" in operation ? operation : { filters: [], orders: [] };
    const parts = {
      deprecated: { kind, name, deprecated },
      filters: { kind, name, filters },
      orders: { kind, name, orders },
      schema: { kind, name, deprecatedFields },
    };
    for (const [option, part] of Object.entries(parts))
      for (const notice of deprecatedIn([part])) warn(notice, placeOf(option));
  }
}
