// The names in the table of operations become paths, files, content folders and variables in hosts' configurations. The
// table is checked when it is loaded, so that no host has to quote, shorten or rename them. Values of keys and orders
// become paths and order keys: a form that admits unsafe values is refused as well.
import * as z from "zod";
import { filtersOf, type ListOperation, type Operation } from "./operation.ts";

/** Names with another meaning in a path, in the content folder, in a deployment's file or in JavaScript. */
const reserved: ReadonlySet<string> = new Set([
  ...["docs", "schemas", "dumps", "errors", "openapi", "cursors", "limit", "cursor"],
  ...["api", "deployments", "operations", "constructor", "then"],
]);

/** A mistake in the table, which is reported to its author without a stack. */
class TableError extends Error {
  override readonly name = "TableError";
}

const operationForm = /^[a-z][a-z_]{0,31}$/;
const paramForm = /^[a-z][a-z_-]{0,31}$/;

/** Returns the operations, each with its literal type. Throws an error that lists all faults of the table. */
export function checkOperations<const Table extends readonly Operation[]>(operations: Table): Table {
  const params = new Set(operations.flatMap((operation) => filtersOf(operation).map(({ param }) => param)));
  const problems = operations.flatMap((operation, index) => [
    ...nameProblems(operation.name, params),
    ...(operations.findIndex(({ name }) => name === operation.name) < index
      ? [`Two operations are named ${operation.name}.`]
      : []),
    ...paramProblems(operation),
    ...(operation.kind === "list" ? fieldProblems(operation) : []),
  ]);
  if (problems.length > 0) throw new TableError(`src/edge-network/index.ts: ${problems.join(" ")}`);
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

/** Characters that order keys cannot hold, because a space separates their parts. */
const separators = [" ", "\t", "\u0001"];

/** Some characters that are not safe in a path. Letters, digits, ".", "_", "~" and "-" are safe. */
const unsafe = [...separators, "/", "\\", "%", "?", "#", "+", ":", "é"];

/** A filter's value is the name of a file, which may have 255 bytes with its extensions. */
const mostOfValue = 200;

function fieldProblems(operation: ListOperation): readonly string[] {
  const { name, order, resource } = operation;
  const schema = resource.schema({});
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const admits = (field: string, value: unknown): boolean => {
    const form = shape[field];
    // safeParse also words every issue, which takes longer than the check itself.
    const result = form?._zod.run({ value, issues: [] }, { async: false });
    return result !== undefined && !(result instanceof Promise) && result.issues.length === 0;
  };
  const example = (field: string): string =>
    String(Object.entries(resource.example).find(([own]) => own === field)?.[1]);
  const { key } = resource;
  const odd = [
    ...unsafe.flatMap((each) => withInserted(example(key), each)),
    `.${example(key)}`,
    `${example(key)}.json`,
  ];
  const unsafeKey = odd.find((value) => admits(key, value));
  return [
    ...(order.includes(key) ? [] : [`The order of ${name} does not include the key ${key}.`]),
    ...(unsafeKey === undefined
      ? []
      : [`The key ${key} of ${name} may be ${JSON.stringify(unsafeKey)}, which is no safe part of a path.`]),
    ...order.flatMap((field) => {
      const which = `The order of ${name} includes ${field}, which`;
      if ([null, 0, true, []].some((value) => admits(field, value))) return [`${which} is not always a text.`];
      const value = separators
        .flatMap((each) => withInserted(example(field), each))
        .find((each) => admits(field, each));
      return value === undefined
        ? []
        : [`${which} may be ${JSON.stringify(value)}, with a space or a control character.`];
    }),
    ...filtersOf(operation).flatMap(({ param, field }) => {
      const which = `The parameter ${JSON.stringify(param)} of ${name} filters by ${field}, which`;
      if (admits(field, []) || admits(field, [example(field)])) return [`${which} is a list.`];
      const long = example(field).padEnd(mostOfValue + 1, example(field).slice(-1));
      return admits(field, long) ? [`${which} may be longer than ${mostOfValue} characters.`] : [];
    }),
  ];
}

/** Inserts the character at the start, in the middle and at the end. */
const withInserted = (text: string, character: string): readonly string[] =>
  [0, Math.floor(text.length / 2), text.length].map((at) => text.slice(0, at) + character + text.slice(at));
