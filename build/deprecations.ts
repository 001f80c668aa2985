// Everything in an API that will go.
import type { Deprecation } from "../src/deprecation.ts";
import { filtersOf, type Operation } from "../src/operation.ts";

export interface Deprecated extends Deprecation {
  /** `the filter region of nodes` */
  readonly what: string;
}

export const deprecatedIn = (operations: readonly Operation[]): readonly Deprecated[] =>
  operations.flatMap((operation) => {
    const { name, kind, deprecated, resource } = operation;
    const filters = filtersOf(operation).map((each) => [`the filter ${each.param}`, each.deprecated] as const);
    const fields = Object.entries(resource.deprecated).map(([path, each]) => [`the field ${path}`, each] as const);
    const own = deprecated && { what: `the ${kind === "list" ? "collection" : kind} ${name}`, ...deprecated };
    const parts = [...filters, ...fields].flatMap(([what, each]) =>
      each === undefined ? [] : [{ what: `${what} of ${name}`, ...each }],
    );
    return own === undefined ? parts : [own, ...parts];
  });

/** Whether its sunset has come. */
export const hasSunset = ({ sunset }: Deprecation, today: string): boolean => sunset !== undefined && sunset <= today;

/** The day of a time in seconds since 1970, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);
