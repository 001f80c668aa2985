// The function that CloudFront runs for each request, and for each answer if some have further headers. `data` precedes it;
// see print.ts. Its runtime, cloudfront-js-2.0, has neither destructuring nor spread syntax nor default
// parameters, so resolve.ts cannot be bundled for it.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  return event.response ? withHeaders(event.request, event.response) : answerTo(event.request);
}

// The path may be the requested path or the path that `answerTo` has set.
function withHeaders(request, response) {
  const further = data.further.filter((candidate) => expressionOf(candidate).test(request.uri))[0];
  const isFound = response.statusCode === 200 || response.statusCode === 304;
  if (further && isFound) Object.assign(response.headers, headersOf(further[1]));
  return response;
}

function answerTo(request) {
  const path = request.uri;
  const isPreflight = request.method === "OPTIONS";
  if (!isPreflight && data.methods.indexOf(request.method) < 0) {
    return refuse(request, data.methodNotAllowed, { allow: data.allow });
  }
  const name = path.slice(data.base.length + 1);
  const operation = path === `${data.base}/${name}` ? valueAt(data.operations, name) : undefined;
  const file = fileOfDocument(path) || fileInFolder(path);
  if (isPreflight && (operation || file)) return respond(204, data.preflight);
  const to = isPreflight ? undefined : valueAt(data.redirects, path);
  if (to) return respond(308, { location: to, "cache-control": data.errorHeaders["cache-control"] });
  request.uri = file;
  if (operation) {
    const wrong = resolveParams(request, operation, path);
    if (wrong) return refuse(request, wrong);
  }
  if (!request.uri) return refuse(request, data.notFound);
  addToCacheKey(request, operation ? operation.params.map((param) => param[0]) : []);
  return request;
}

// Makes the rest of the query a part of the cache key: readers add a text to a query to get an answer that is not cached.
// The path has the parameters of the operation. The rest becomes one parameter of letters and digits, which the cache policy
// names: S3 ignores a name that begins with x-, and would obey others, such as response-content-type.
function addToCacheKey(request, names) {
  const rest = pairsOf(request).filter((pair) => pair && !names.some((name) => isOf(pair, name)));
  const value = rest.join("_").replace(/\W/g, "_");
  if (value) request.querystring["x-query"] = { value };
}

function fileOfDocument(path) {
  const nameAt = path.lastIndexOf("/") + 1;
  const isDocument = (ending) => {
    const names = valueAt(data.documents[ending], path.slice(0, nameAt));
    return names !== undefined && data.names[names].split(" ").indexOf(path.slice(nameAt)) >= 0;
  };
  const ending = Object.keys(data.documents).filter(isDocument)[0];
  return ending === undefined ? undefined : path + ending;
}

// In an expression, ~ stands for a part of a path.
function expressionOf(form) {
  return new RegExp(form[0].split("~").join(data.part));
}

// A single item, or one of the files of an output.
function fileInFolder(path) {
  const form = data.forms.filter((candidate) => expressionOf(candidate).test(path))[0];
  return form && path.replace(expressionOf(form), form[1]);
}

// Sets the path of the page, or returns the error. Parameters that cannot be combined are refused, whatever their values.
function resolveParams(request, operation, path) {
  const pairs = pairsOf(request);
  const sent = operation.params.map((param) => pairs.filter((pair) => isOf(pair, param[0])));
  const errorOf = (index, message) => {
    const name = operation.params[index][0];
    const text = data.messages[message].split("$p").join(path);
    return { object: "error", status: 400, code: `invalid_${name}`, message: text, param: name };
  };
  const clash = operation.clashes.filter((candidate) => candidate[0].every((index) => sent[index].length > 0))[0];
  if (clash) return errorOf(clash[0][clash[0].length - 1], clash[1]);
  const parts = operation.params.map((param, index) => partOf(data.values[param[1]], param[0], sent[index]));
  const wrong = parts.indexOf(undefined);
  if (wrong >= 0) return errorOf(wrong, operation.params[wrong][2]);
  request.uri = `${path + operation.order.map((index) => parts[index]).join("")}.json`;
  return undefined;
}

// The part of the path for the pairs of a parameter; undefined if they are not accepted. In a part, & is the value.
function partOf(values, name, pairs) {
  if (pairs.length === 0) return "";
  const value = pairs[0].slice(name.length + 1);
  const accepted = values.filter((choice) => pairs.length === 1 && new RegExp(choice[0]).test(value))[0];
  return accepted === undefined ? undefined : accepted[1].replace("$n", name).replace("&", value);
}

function pairsOf(request) {
  return (request.rawQueryString() || "").split("&");
}

function isOf(pair, name) {
  return pair === name || pair.indexOf(`${name}=`) === 0;
}

function valueAt(map, key) {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function respond(status, headers) {
  return { statusCode: status, headers: headersOf(Object.assign({}, data.common, headers)) };
}

// A line break in a value is the Link of all answers.
function headersOf(values) {
  const headers = {};
  for (const name in values) headers[name] = { value: values[name].replace("\n", data.common.link) };
  return headers;
}

function refuse(request, failure, headers) {
  const response = respond(failure.status, Object.assign({}, data.errorHeaders, headers));
  if (request.method !== "HEAD") response.body = { encoding: "text", data: JSON.stringify(failure) };
  return response;
}
