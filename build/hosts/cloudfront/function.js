// The function that CloudFront runs for each request. `data` precedes it; see function.ts. Its runtime, cloudfront-js-2.0,
// has neither destructuring nor spread syntax nor default parameters, so resolve.ts cannot be bundled for it.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  const path = request.uri;
  const isPreflight = request.method === "OPTIONS";
  if (!isPreflight && data.methods.indexOf(request.method) < 0) {
    return refuse(request, data.methodNotAllowed, { allow: { value: data.allow } });
  }
  const name = path.slice(data.base.length + 1);
  const operation = path === `${data.base}/${name}` ? valueAt(data.operations, name) : undefined;
  const file = fileOfDocument(path) || fileInFolder(path);
  if (isPreflight && (operation || file)) return respond(204, data.preflight);
  const to = isPreflight ? undefined : valueAt(data.redirects, path);
  if (to) return respond(308, { location: { value: to }, "cache-control": data.errorHeaders["cache-control"] });
  request.uri = file;
  if (operation) {
    const wrong = resolveParams(request, operation, path);
    if (wrong) return refuse(request, wrong);
  }
  return request.uri ? request : refuse(request, data.notFound);
}

function fileOfDocument(path) {
  if (data.files.indexOf(path) >= 0) return path;
  if (data.pages.indexOf(path) >= 0) return `${path}.html`;
  return valueAt(data.others, path);
}

// A single item, or the further page of a table.
function fileInFolder(path) {
  const form = data.forms.filter((each) => new RegExp(each[0]).test(path))[0];
  return form && path.replace(new RegExp(form[0]), form[1]);
}

// Sets the path of the page, or returns the error. Parameters that do not go together are refused, whatever their values.
function resolveParams(request, operation, path) {
  const pairs = (request.rawQueryString() || "").split("&");
  const given = operation.params.map((param) =>
    pairs.filter((pair) => pair === param[0] || pair.indexOf(`${param[0]}=`) === 0),
  );
  const clash = operation.clashes.filter((each) => each[0].every((index) => given[index].length > 0))[0];
  if (clash) return errorOf(operation, clash[0][clash[0].length - 1], clash[1], path);
  const parts = [];
  for (let index = 0; index < given.length; index++) {
    const param = operation.params[index];
    const part = partOf(data.values[param[1]], param[0], given[index]);
    if (part === undefined) return errorOf(operation, index, param[2], path);
    parts.push(part);
  }
  request.uri = `${path + operation.order.map((index) => parts[index]).join("")}.json`;
  return undefined;
}

// The part of the path for the pairs of a parameter; undefined if they are not accepted. In a part, & is the value.
function partOf(values, name, pairs) {
  if (pairs.length === 0) return "";
  const value = pairs[0].slice(name.length + 1);
  const accepted = values.filter((each) => pairs.length === 1 && new RegExp(each[0]).test(value))[0];
  return accepted === undefined ? undefined : accepted[1].replace("$n", name).replace("&", value);
}

function errorOf(operation, index, message, path) {
  const names = operation.params.map((param) => param[0]);
  const text = data.messages[message].replace(/\$([a-z0-9$])/g, (_, key) =>
    key === "$" ? "$" : key === "p" ? path : key === "n" ? names[index] : names[key],
  );
  return { object: "error", status: 400, code: `invalid_${names[index]}`, message: text, param: names[index] };
}

function valueAt(map, key) {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function respond(status, headers) {
  return { statusCode: status, headers: Object.assign({}, data.common, headers) };
}

function refuse(request, failure, headers) {
  const response = respond(failure.status, Object.assign({}, data.errorHeaders, headers));
  if (request.method !== "HEAD") response.body = { encoding: "text", data: JSON.stringify(failure) };
  return response;
}
