// Everything in an API that will go.
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { Api } from "../../src/model/api.ts";
import { inDeclaration, type Log } from "../messages.ts";

export interface Deprecated extends Deprecation {
  /** `the filter region of nodes` */
  readonly what: string;
}

/** What can go of an operation: all of it, filters or fields. */
interface Deprecable {
  readonly name: string;
  readonly kind: "list" | "document";
  readonly deprecated?: Deprecation | undefined;
  readonly filters?: readonly { readonly param: string; readonly deprecated?: Deprecation | undefined }[];
  readonly deprecatedFields: Readonly<Record<string, Deprecation>>;
}

export const deprecatedIn = (operations: readonly Deprecable[]): readonly Deprecated[] =>
  operations.flatMap(({ name, kind, deprecated, filters = [], deprecatedFields }) =>
    [
      [`the ${kind === "list" ? "collection" : kind} ${name}`, deprecated] as const,
      ...filters.map((each) => [`the filter ${each.param} of ${name}`, each.deprecated] as const),
      ...Object.entries(deprecatedFields).map(([path, each]) => [`the field ${path} of ${name}`, each] as const),
    ].flatMap(([what, each]) => (each === undefined ? [] : [{ what, ...each }])),
  );

/** Whether its sunset has come. */
export const hasSunset = ({ sunset }: Deprecation, today: string): boolean => sunset !== undefined && sunset <= today;

/** The day of a time in seconds since 1970, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** Warns of what should be gone by now. */
export function warnOfSunsets({ operations }: Api, today: string, log: Log): void {
  for (const { kind, name, deprecated, deprecatedFields, placeOf, ...operation } of operations) {
    const filters = "filters" in operation ? operation.filters : [];
    const parts = {
      deprecated: { kind, name, deprecated, deprecatedFields: {} },
      filters: { kind, name, filters, deprecatedFields: {} },
      schema: { kind, name, deprecatedFields },
    };
    for (const [option, part] of Object.entries(parts)) {
      for (const each of deprecatedIn([part])) {
        if (!hasSunset(each, today)) continue;
        const text = `The sunset of ${each.what} was on ${each.sunset}. Remove it, or give it a later sunset.`;
        log.report({ code: "sunset", at: placeOf(option) ?? inDeclaration, text });
      }
    }
  }
}
