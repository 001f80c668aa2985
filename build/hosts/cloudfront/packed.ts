// The operations of CloudFront's function in a short form: the function unpacks the requested one. Operations share the
// messages of errors, in which `$p` is the path of the operation, `$n` the name of the parameter, and `$0`, `$1` and so
// on the names of the operation's parameters.
import { clashesOf } from "../../routing/combinations.ts";
import type { Failure, Param, RoutingTable, TableOperation } from "../../routing/table.ts";
import { choicesOf } from "../choices.ts";
import type { OperationsSource } from "./function.ts";

export function packedOperations({ operations }: RoutingTable): OperationsSource {
  const messages: string[] = [];
  const values: string[] = [];
  const packed = operations.map((operation) => [operation.path, pack(operation, messages, values)]);
  return {
    source: `// By path: the order of the parameters in a path, the parameters, and those that do not go together.
var operations = {
${packed.map(([path, of]) => `  ${JSON.stringify(path)}: ${JSON.stringify(of)}`).join(",\n")}
};
var messages = [
${messages.map((each) => `  ${JSON.stringify(each)}`).join(",\n")}
];
// A value that matches an expression leads to the part of the path beside it, in which $& is the value.
var values = [
${values.map((each) => `  [${each}]`).join(",\n")}
];
${unpack}`,
    find: "unpack(request.uri, valueAt(operations, request.uri))",
  };
}

function pack(operation: TableOperation, messages: string[], values: string[]): readonly unknown[] {
  const { params, pathOrder } = operation;
  const messageOf = (param: Param, error: Failure) =>
    indexIn(messages, shortened(error.body.message, operation, param));
  const clashes = clashesOf(operation).map(({ params: own, error }) => [
    own.map((each) => params.indexOf(each)),
    ...own.slice(-1).map((last) => messageOf(last, error)),
  ]);
  return [
    pathOrder.map((slot) => params.findIndex((param) => param.slot === slot)),
    params.map((param) => [param.name, indexIn(values, valuesSource(param)), messageOf(param, param.error)]),
    ...(clashes.length === 0 ? [] : [clashes]),
  ];
}

/** The index of the text in a list, to which it is added if it is missing. */
function indexIn(list: string[], text: string): number {
  const known = list.indexOf(text);
  return known === -1 ? list.push(text) - 1 : known;
}

const valuesSource = (param: Param): string =>
  choicesOf(param)
    .map(({ pattern, part }) => {
      const text = part("$&").replace(`/${param.name}/`, "/$n/");
      return `[${new RegExp(`^${pattern}$`)}, ${JSON.stringify(text)}]`;
    })
    .join(", ");

function shortened(message: string, { path, params }: TableOperation, own: Param): string {
  const words = new Map([
    ...params.map(({ name }, index) => [name, `$${index}`] as const),
    [own.name, "$n"],
    [path, "$p"],
    ["$", "$$"],
  ]);
  return message.replace(/\$|[\w/-]+/g, (word) => words.get(word) ?? word);
}

/** The inverse of `pack`. Returns an operation as the function's other form contains it. */
const unpack = `
function unpack(path, packed) {
  if (!packed) return undefined;
  var params = packed[1];
  function nameAt(index) { return params[index][0]; }
  function errorOf(name, message) {
    var words = { p: path, n: name, $: '$' };
    var text = messages[message].replace(/\\$(.)/g, function (_, key) { return words[key] || nameAt(key); });
    return { object: 'error', status: 400, code: 'invalid_' + name, message: text, param: name };
  }
  return {
    path: path,
    order: packed[0].map(nameAt),
    params: params.map(function (each) {
      var own = values[each[1]].map(function (value) { return [value[0], value[1].replace('$n', each[0])]; });
      return { name: each[0], slot: each[0], values: own, error: errorOf(each[0], each[2]) };
    }),
    clashes: (packed[2] || []).map(function (each) {
      var names = each[0].map(nameAt);
      return { names: names, error: errorOf(names[names.length - 1], each[1]) };
    })
  };
}`;
