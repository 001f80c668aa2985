import type { Item } from "../../../src/resource.ts";

/** The differences between repositories of data. */
export interface Template {
  /** The first words of the README. */
  readonly subject: string;
  /** `page_sizes` in api.yaml. */
  readonly pageSizes: string;
  /** Whether items have fields with a country. */
  readonly hasCountries: boolean;
  /** The texts of the declaration and of files that it needs, by their paths. */
  readonly files: ReadonlyMap<string, string>;
  /** The packages besides this one, with their versions. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** By the name of a collection. The others start with the example of their schema. */
  readonly items: ReadonlyMap<string, readonly Item[]>;
}

export const edgeNetworkTemplate: Template = {
  subject: "The data of an edge network",
  pageSizes: "every",
  hasCountries: true,
  files: new Map([["api.config.ts", 'export { default } from "stillapi/edge-network";\n']]),
  dependencies: {},
  items: new Map(),
};
