import type { ErrorBody } from "../../src/answers/answers.ts";
import { basesBeside, type Catalog, type Deployment } from "../content/catalog.ts";
import { notFound } from "../routing/errors.ts";
import type { Addresses } from "../routing/paths.ts";

/** The body of the 404 of every path of an API. */
export function missingError(
  { catalog, deployment }: { readonly catalog: Catalog; readonly deployment: Deployment },
  addresses: Addresses,
): ErrorBody {
  const { operations } = deployment;
  const { mount } = catalog.settings;
  const others = basesBeside(catalog).map((base) => mount + base);
  return notFound({ base: mount + catalog.api.base }, operations, others, addresses);
}
