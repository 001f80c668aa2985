// The function that CloudFront runs for each answer if something is deprecated. `notices` precedes it; see function.ts.
// The path may be the requested one or the one that the other function has made of it: both match the expression.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  const response = event.response;
  if (response.statusCode !== 200 && response.statusCode !== 304) return response;
  const pairs = (request.rawQueryString() || "").split("&");
  const notice = notices.filter(
    (each) =>
      new RegExp(each.uri).test(request.uri) &&
      (!each.param || pairs.some((pair) => pair.indexOf(`${each.param}=`) === 0)),
  )[0];
  if (notice) Object.assign(response.headers, notice.headers);
  return response;
}
