// The data of CloudFront's function in a short form: operations share parameters and messages, and the function unpacks
// the requested operation. In a message, `$p` is the path of the operation, `$n` the name of the parameter, and `$0`, `$1`
// and so on are the names of the operation's parameters.
import { clashesOf } from "../../routing/combinations.ts";
import type { Param, RoutingTable, TableError, TableOperation } from "../../routing/table.ts";
import { choicesOf } from "../choices.ts";

/** The parts of the function that grow with the operations, as source. */
export interface Data {
  readonly documents: string;
  readonly notFound: string;
  /** The operations, and the functions that read them. */
  readonly source: string;
  /** An expression for the requested operation. */
  readonly find: string;
}

export const packedDocuments = ({ documents }: RoutingTable): Readonly<Record<string, string | true>> =>
  Object.fromEntries(documents.map(({ path, file }) => [path, path === `/${file}` ? true : `/${file}`]));

export function packed(table: RoutingTable): Data {
  const { base, operations, notFound } = table;
  const messages = [...new Set(operations.flatMap(messagesOf))].sort();
  const [values, params, shapes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const packedOperations = operations.map((operation): [name: string, packed: unknown] => [
    operation.name,
    [
      indexIn(shapes, JSON.stringify(shapeOf(operation, messages))),
      ...operation.params.map((param) => {
        const message = messages.indexOf(shortened(operation, param, param.error));
        return indexIn(params, JSON.stringify([param.name, indexIn(values, valuesSource(param)), message]));
      }),
    ],
  ]);
  const documents = Object.entries(packedDocuments(table));
  const isPage = ([path, file]: (typeof documents)[number]) => file === `${path}.html`;
  const files = documents.flatMap(([path, file]) => (file === true ? [path] : [])).sort();
  const pages = documents
    .filter(isPage)
    .map(([path]) => path)
    .sort();
  const others = documents.filter((document) => document[1] !== true && !isPage(document));
  const paths = operations.map(({ path }) => path).join(", ");
  const { message } = notFound.body;
  return {
    documents: `${JSON.stringify(Object.fromEntries(others))};
unfold(${JSON.stringify(folded(files))}).forEach(function (path) { documents[path] = true; });
unfold(${JSON.stringify(folded(pages))}).forEach(function (path) { documents[path] = path + '.html'; })`,
    notFound: JSON.stringify({ ...notFound.body, message: message.replace(paths, "$o") }),
    source: `${unfold}
// By name: the shape of an operation and its parameters.
var operations = ${JSON.stringify(Object.fromEntries(packedOperations))};
// The order of the parameters in a path, and those that do not go together.
var shapes = [${[...shapes.keys()].join(", ")}];
var params = [${[...params.keys()].join(", ")}];
var messages = unfold(${JSON.stringify(folded(messages))});
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

function messagesOf(operation: TableOperation): readonly string[] {
  const clashes = clashesOf(operation).flatMap(({ params, error }) =>
    params.slice(-1).map((last) => shortened(operation, last, error)),
  );
  return [...operation.params.map((param) => shortened(operation, param, param.error)), ...clashes];
}

function shapeOf(operation: TableOperation, messages: readonly string[]): readonly unknown[] {
  const { params, pathOrder } = operation;
  const order = pathOrder.map((slot) => params.findIndex((param) => param.slot === slot));
  const clashes = clashesOf(operation).map(({ params: own, error }) => [
    own.map((each) => params.indexOf(each)),
    ...own.slice(-1).map((last) => messages.indexOf(shortened(operation, last, error))),
  ]);
  return [order, clashes];
}

/** The index of a text, which is added if it is missing. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

const valuesSource = (param: Param): string =>
  choicesOf(param)
    .map(({ pattern, part }) => {
      const text = part("$&").replace(`/${param.name}/`, "/$n/");
      return `[${new RegExp(`^${pattern}$`)}, ${JSON.stringify(text)}]`;
    })
    .join(", ");

function shortened({ path, params }: TableOperation, own: Param, { body }: TableError): string {
  const words = new Map([
    ...params.map(({ name }, index) => [name, `$${index}`] as const),
    [own.name, "$n"],
    [path, "$p"],
    ["$", "$$"],
  ]);
  return body.message.replace(/\$|[\w/-]+/g, (word) => words.get(word) ?? word);
}

/** Replaces the start that a text shares with the text before it by its length, in two digits. */
const folded = (texts: readonly string[]): readonly string[] =>
  texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    const differing = [...text].findIndex((character, at) => at === 99 || character !== before[at]);
    const shared = differing === -1 ? Math.min(99, text.length) : differing;
    return `${String(shared).padStart(2, "0")}${text.slice(shared)}`;
  });

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
