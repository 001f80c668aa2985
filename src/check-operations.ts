// The names in the table of operations become paths, files, folders of content and variables in hosts' configurations.
// The table is checked when it is loaded, so that none of them has to quote, shorten or rename one.
import { filtersOf, type Operation } from "./operation.ts";

/** Names that mean something else in a path, in the content folder, in a deployment's file or to JavaScript. */
const reserved: ReadonlySet<string> = new Set([
  ...["docs", "schemas", "dumps", "errors", "openapi", "cursors", "limit", "cursor"],
  ...["api", "deployments", "operations", "constructor", "then"],
]);

const operationForm = /^[a-z][a-z_]{0,31}$/;
const paramForm = /^[a-z][a-z_-]{0,31}$/;

/** Returns the operations, each with its own type. Throws an error that lists everything that is wrong with their names. */
export function checkOperations<const Table extends readonly Operation[]>(operations: Table): Table {
  const params = new Set(operations.flatMap((operation) => filtersOf(operation).map(({ param }) => param)));
  const problems = operations.flatMap((operation, index) => [
    ...nameProblems(operation.name, params),
    ...(operations.findIndex(({ name }) => name === operation.name) < index
      ? [`Two operations are named ${operation.name}.`]
      : []),
    ...paramProblems(operation),
  ]);
  if (problems.length > 0) throw new Error(`src/operations.ts: ${problems.join(" ")}`);
  return operations;
}

function nameProblems(name: string, params: ReadonlySet<string>): readonly string[] {
  if (!operationForm.test(name)) {
    return [`The operation name ${JSON.stringify(name)} is not 1 to 32 lowercase letters and underscores.`];
  }
  if (reserved.has(name)) return [`The operation name ${name} is reserved.`];
  return params.has(name) ? [`The operation name ${name} is also the name of a filter's parameter.`] : [];
}

function paramProblems(operation: Operation): readonly string[] {
  const names = filtersOf(operation).map(({ param }) => param);
  return names.flatMap((param, index) => {
    const which = `The parameter ${JSON.stringify(param)} of ${operation.name}`;
    if (!paramForm.test(param)) return [`${which} is not 1 to 32 lowercase letters, underscores and hyphens.`];
    if (reserved.has(param)) return [`${which} is reserved.`];
    const same = names.findIndex((other) => other.replaceAll("-", "_") === param.replaceAll("-", "_"));
    return same < index ? [`${which} is there twice.`] : [];
  });
}
