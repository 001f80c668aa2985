// The data of CloudFront's function in a short form: operations share parameters and messages, and the function unpacks
// the requested operation. In a message, `$p` is the path of the operation, `$n` the name of the parameter, and `$0`, `$1`
// and so on are the names of the operation's parameters.
import { clashesOf } from "../../routing/combinations.ts";
import type { Param, RoutingTable, TableError, TableOperation } from "../../routing/table.ts";
import { choicesOf } from "../choices.ts";
import { documentsByName } from "../known-paths.ts";

/** The parts of the function that grow with the operations, as source. */
export interface Data {
  readonly documents: string;
  readonly notFound: string;
  /** The operations, and the functions that read them. */
  readonly source: string;
  /** An expression for the requested operation. */
  readonly find: string;
}

/** A list of expressions with the text that replaces a match. `name` is the name of the parameter in that text. */
export const valuesSource = (param: Param, name = param.name): string =>
  choicesOf(param)
    .map(({ pattern, part }) => {
      const text = part("$&").replace(`/${param.name}/`, `/${name}/`);
      return `[${new RegExp(`^${pattern}$`)}, ${JSON.stringify(text)}]`;
    })
    .join(", ");

export function packed({ base, operations, documents, notFound }: RoutingTable): Data {
  const messages = [...new Set(operations.flatMap(messagesOf))].sort();
  const [values, params, shapes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const packedOperations = operations.map((operation): [name: string, packed: unknown] => [
    operation.name,
    [
      indexIn(shapes, JSON.stringify(shapeOf(operation, messages))),
      ...operation.params.map((param) => {
        const message = messages.indexOf(shortened(operation, param.error));
        return indexIn(params, JSON.stringify([param.name, indexIn(values, valuesSource(param, "$n")), message]));
      }),
    ],
  ]);
  const { named, pages, others } = documentsByName(documents);
  const otherFiles = Object.fromEntries(others.map(({ path, file }) => [path, `/${file}`]));
  const { message } = notFound.body;
  return {
    documents: `${JSON.stringify(otherFiles)};
unfold(${folded(named.map(({ path }) => path))}).forEach(function (path) { documents[path] = true; });
unfold(${folded(pages.map(({ path }) => path))}).forEach(function (path) { documents[path] = path + '.html'; })`,
    notFound: JSON.stringify({
      ...notFound.body,
      message: message.replace(operations.map(({ path }) => path).join(", "), "$o"),
    }),
    source: `${unfold}
// By name: the shape of an operation and its parameters.
var operations = ${JSON.stringify(Object.fromEntries(packedOperations))};
// The order of the parameters in a path, and those that do not go together.
var shapes = [${[...shapes.keys()].join(", ")}];
var params = [${[...params.keys()].join(", ")}];
var messages = unfold(${folded(messages)});
// A value that matches an expression leads to the part of the path beside it, in which $& is the value.
var values = [
${[...values.keys()].map((each) => `  [${each}]`).join(",\n")}
];
notFound.message = notFound.message.replace('$o', Object.keys(operations).map(pathOf).join(', '));

function pathOf(name) { return '${base}/' + name; }
${unpack}`,
    find: `unpack(request.uri.slice(${base.length + 1}), request.uri)`,
  };
}

const messagesOf = (operation: TableOperation): readonly string[] =>
  [...operation.params, ...clashesOf(operation)].map(({ error }) => shortened(operation, error));

function shapeOf(operation: TableOperation, messages: readonly string[]): readonly unknown[] {
  const { params, pathOrder } = operation;
  const order = pathOrder.map((slot) => params.findIndex((param) => param.slot === slot));
  const clashes = clashesOf(operation).map((clash) => [
    clash.params.map((param) => params.indexOf(param)),
    messages.indexOf(shortened(operation, clash.error)),
  ]);
  return [order, clashes];
}

/** The index of a text, which is added if it is missing. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

function shortened({ path, params }: TableOperation, { body }: TableError): string {
  const words = new Map([
    ...params.map(({ name }, index) => [name, `$${index}`] as const),
    [body.param, "$n"],
    [path, "$p"],
    ["$", "$$"],
  ]);
  return body.message.replace(/\$|[\w/-]+/g, (word) => words.get(word) ?? word);
}

/** The sorted texts. The start that a text shares with the text before it is replaced by its length, in two digits. */
function folded(texts: readonly string[]): string {
  const all = texts.toSorted().map((text, index, sorted) => {
    const before = sorted[index - 1] ?? "";
    const differing = [...text].findIndex((character, at) => at === 99 || character !== before[at]);
    const shared = differing === -1 ? Math.min(99, text.length) : differing;
    return `${String(shared).padStart(2, "0")}${text.slice(shared)}`;
  });
  return JSON.stringify(all);
}

const unfold = `
// A text starts with the number of characters that it shares with the text before it.
function unfold(texts) {
  var last = '';
  return texts.map(function (text) { return last = last.slice(0, Number(text.slice(0, 2))) + text.slice(2); });
}`;

/** Returns an operation in the form that the function's handler reads. */
const unpack = `
function unpack(name, path) {
  var packed = path === pathOf(name) && valueAt(operations, name);
  if (!packed) return undefined;
  var own = packed.slice(1).map(function (index) { return params[index]; });
  var shape = shapes[packed[0]];
  function nameAt(index) { return own[index][0]; }
  function errorOf(param, message) {
    var words = { p: path, n: param, $: '$' };
    var text = messages[message].replace(/\\$(.)/g, function (_, key) { return words[key] || nameAt(key); });
    return { object: 'error', status: 400, code: 'invalid_' + param, message: text, param: param };
  }
  return {
    path: path,
    order: shape[0].map(nameAt),
    params: own.map(function (each) {
      var accepted = values[each[1]].map(function (value) { return [value[0], value[1].replace('$n', each[0])]; });
      return { name: each[0], slot: each[0], values: accepted, error: errorOf(each[0], each[2]) };
    }),
    clashes: shape[1].map(function (each) {
      var names = each[0].map(nameAt);
      return { names: names, error: errorOf(names[names.length - 1], each[1]) };
    })
  };
}`;
