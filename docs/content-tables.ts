// The tables of docs/content.md: the fields that authors write, from the schemas that validate them.
import { markdownTable } from "markdown-table";
import { pathFields } from "../build/content/globs.ts";
import { documentedFields, type Field } from "../build/documents/fields.ts";
import { referenced } from "../src/api.ts";
import { filtersOf, type ListOperation, type Operation } from "../src/operation.ts";
import { declaredOrder, orderName } from "../src/order.ts";
import { edgeNetwork } from "../test/edge-network.ts";

/** In Markdown: a section with a table for each resource. */
export const contentTables = (operations: readonly Operation[]): string => operations.map(sectionOf).join("\n\n");

function sectionOf(operation: Operation): string {
  const { name } = operation;
  const words = wordsOf(operation);
  const rows = contentFields(operation).map((field) => [
    code(field.path),
    field.isOptional ? `${field.type}, optional` : field.type,
    [formOf(field, words.get(field.path)), ...rulesOf(operation, field.path)].join("; "),
    field.example === undefined || typeof field.example === "object" ? "" : code(JSON.stringify(field.example)),
    field.meaning,
  ]);
  const head = ["field", "type", "form", "example", "meaning"];
  const table = markdownTable(
    [head, ...rows].map((cells) => cells.map(cell)),
    { alignDelimiters: false },
  );
  return [`## ${name}`, `${operation.meaning} ${placeOf(operation)}`, table, ...linksOf(operation)].join("\n\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

function placeOf({ kind, name }: Operation): string {
  if (kind === "document") return `Under ${code(name)} in each file of ${code("content/deployments/")}.`;
  return `In ${code(`content/${name}.yaml`)} or in files below ${code(`content/${name}/`)}.`;
}

/** The fields that an author writes. */
function contentFields(operation: Operation, vocabulary = {}): readonly Field[] {
  const schema = operation.kind === "list" ? operation.schema(vocabulary) : operation.content(vocabulary);
  return documentedFields(schema, operation.meanings, operation.example);
}

/** For each field with a vocabulary, by its path, the name of the vocabulary in api.yaml. Each vocabulary is probed with one word. */
function wordsOf(operation: Operation): ReadonlyMap<string, string> {
  const probe = "word";
  return new Map(
    edgeNetwork.vocabularies.flatMap(({ name }) =>
      contentFields(operation, { [name]: [probe] })
        .filter(({ words }) => words.includes(probe))
        .map(({ path }) => [path, name] as const),
    ),
  );
}

function formOf({ form, words, type }: Field, vocabulary: string | undefined): string {
  const accepted =
    form ?? (words.length > 0 ? words.map(code).join(" or ") : type === "boolean" ? "true or false" : "");
  return vocabulary === undefined
    ? accepted
    : `${accepted}; if api.yaml has ${code(`vocabulary.${vocabulary}`)}, one of its words`;
}

/** The rules of a field that depend on other items and fields. */
function rulesOf(operation: Operation, path: string): readonly string[] {
  if (operation.kind === "document") return [];
  const { key, references, notBefore = [] } = operation;
  const reference = references.some(({ field }) => field === path)
    ? referenced(edgeNetwork, operation, path)
    : undefined;
  return [
    ...(path === key ? ["unique, also when case is ignored"] : []),
    ...(reference === undefined
      ? []
      : [`the ${code(reference.key)} of one of [${reference.name}](#${reference.name})`]),
    ...notBefore.filter(({ field }) => field === path).map(({ than }) => `not before ${code(than)}`),
    ...(pathFields(operation).includes(path) ? ["may be left out if the file, or the first folder, has its name"] : []),
  ];
}

/** The order of the items, and the filters that list them. */
function linksOf(operation: Operation): readonly string[] {
  const filters = filtersOf(operation).map(
    ({ param, field = param }) =>
      `${code(`/api/v1/${operation.name}?${param}=…`)} lists those with one ${code(field)}.`,
  );
  return operation.kind === "list" ? [orderText(operation), ...filters] : filters;
}

const orderText = ({ order }: ListOperation): string =>
  `The API lists them by ${order.map((each) => code(orderName(declaredOrder(each)))).join(", then ")}.`;

const code = (text: string): string => `\`${text}\``;
