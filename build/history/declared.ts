// The names of an API: what consumers can request and read. A build finds what was added, removed and deprecated by the names
// of the build before it.

import type { DeclaredChanges, DeclaredNotice } from "../../src/answers/answers.ts";
import type { Deprecation } from "../../src/declare/deprecation.ts";
import type { Api } from "../../src/model/api.ts";
import { ownField } from "../../src/model/fields.ts";
import { schemasIn } from "../../src/model/kinds.ts";
import type { Operation } from "../../src/model/operation.ts";
import type { Deployment } from "../content/catalog.ts";

export interface DeclaredNames {
  /**
   * The names of collections and documents, such as `nodes`, `nodes.fields.place.city`, `nodes.filters.region` and
   * `nodes.orders.newest`, and the paths of outputs.
   */
  readonly names: readonly string[];
  /** By these names, or by the base of the API. */
  readonly deprecated: readonly DeclaredNotice[];
}

/** In the order of the declaration. */
export function declaredIn(api: Api, deployment: Deployment): DeclaredNames {
  const names = new Set<string>();
  const deprecated: DeclaredNotice[] = [];
  const addNotice = (name: string, notice: Deprecation | undefined): void => {
    if (notice === undefined) return;
    const { since, sunset, use, why } = notice;
    deprecated.push({ name, since, ...(sunset && { sunset }), ...(use && { use }), ...(why && { why }) });
  };
  const add = (name: string, notice: Deprecation | undefined): void => {
    names.add(name);
    addNotice(name, notice);
  };
  addNotice(api.base, api.deprecated);
  for (const operation of api.operations) {
    if (!deployment.operations.includes(operation.name)) continue;
    add(operation.name, operation.deprecated);
    for (const field of fieldsOf(operation)) {
      add(`${operation.name}.fields.${field}`, ownField(operation.deprecatedFields, field));
    }
    if (operation.kind === "document") continue;
    for (const { param, deprecated } of operation.filters) add(`${operation.name}.filters.${param}`, deprecated);
    for (const { name, deprecated } of operation.orders) add(`${operation.name}.orders.${name}`, deprecated);
  }
  for (const { path, deprecated } of api.outputs) add(path, deprecated);
  return { names: [...names], deprecated };
}

/** The paths of the fields, without those of the elements of lists and records. */
const fieldsOf = ({ schema }: Operation): ReadonlySet<string> =>
  new Set(Array.from(schemasIn(schema({})), ([path]) => path).filter((path) => /[^\]*]$/.test(path)));

/** Undefined if nothing differs. */
export function declaredBetween(
  before: DeclaredNames | undefined,
  after: DeclaredNames | undefined,
): DeclaredChanges | undefined {
  if (before === undefined || after === undefined || before === after) return undefined;
  const noticesBefore = new Set(before.deprecated.map((notice) => JSON.stringify(notice)));
  const changes = {
    added: outermost(namesMissing(before, after)),
    deprecated: after.deprecated.filter((notice) => !noticesBefore.has(JSON.stringify(notice))),
    removed: outermost(namesMissing(after, before)),
  };
  return Object.values(changes).some(({ length }) => length > 0) ? changes : undefined;
}

/** The names of `all` that `names` lacks. */
function namesMissing({ names }: DeclaredNames, all: DeclaredNames): readonly string[] {
  const known = new Set(names);
  return all.names.filter((name) => !known.has(name));
}

/** The names that are not within another one: `nodes` without `nodes.fields.id`. */
function outermost(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  const containers = (name: string): readonly string[] =>
    name.startsWith("/") ? [] : Array.from(name.matchAll(/[.[]/g), ({ index }) => name.slice(0, index));
  return names.filter((name) => !containers(name).some((container) => all.has(container)));
}
