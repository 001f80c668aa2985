import { expect, it } from "vitest";
import { curlCode, requestCode, tokensOf } from "./code.ts";
import { credentialCode } from "./credentials.ts";
import { codeHtml, jsonHtml } from "./samples.ts";

const lines = (value: unknown) =>
  String(jsonHtml(value, 2)).replaceAll(/<.*?>/g, "").replaceAll("&quot;", '"').split("\n");

it.each<[string, unknown, readonly string[]]>([
  ["what fits a line", { at: [1.5, -2], is: { a: "}" } }, ['  "at": [1.5, -2],', '  "is": {', '    "a": "}"', "  }"]],
  ["what does not", { of: ["x".repeat(40)] }, ['  "of": [', `    "${"x".repeat(40)}"`, "  ]"]],
  ["the first of many", { to: ["AUT", "BEL", "CHE"] }, ['  "to": ["AUT", "BEL", … 1 more]']],
  ["the start of a long text", { a: `${"y".repeat(998)}😀😀` }, [`  "a": "${"y".repeat(998)}😀…"`]],
  ["no half of a character", { a: `${"y".repeat(999)}😀😀` }, [`  "a": "${"y".repeat(999)}…"`]],
  ["objects in lists", { data: [{ id: 1 }, {}] }, ['  "data": [', '    { "id": 1 },', "    {}", "  ]"]],
])("shows %s", (_, value, expected) => expect(lines(value).slice(1, -1)).toEqual(expected));

it("colours parts, and links the cursor to the next page", () =>
  expect(String(jsonHtml({ next_cursor: "k1", is: [null, '"<', -1] }, 2, "/next"))).toBe(`{
  <span class="k">&quot;next_cursor&quot;:</span> <a href="/next"><span class="s">&quot;k1&quot;</span></a>,
  <span class="k">&quot;is&quot;:</span> [<span class="l">null</span>, <span class="s">&quot;\\&quot;&lt;&quot;</span>, <span class="c">… 1 more</span>]
}`));

it("writes a request in several languages, with the parameters apart from the address", () => {
  expect(requestCode("/api/v1/nodes?region=fra1&limit=2")).toEqual({
    curl: `curl -G \\
  "\0/api/v1/nodes" \\
  -d region=fra1 \\
  -d limit=2`,
    JavaScript: `const url =
  "\0/api/v1/nodes?" +
  new URLSearchParams({ region: "fra1", limit: "2" });
const answer = await (await fetch(url)).json();`,
    Python: `import requests
url = "\0/api/v1/nodes"
answer = requests.get(url, params={"region": "fra1", "limit": "2"}).json()`,
  });
  expect(requestCode("/api/v1/status").curl).toBe('curl \\\n  "\0/api/v1/status"');
});

it("writes what a request needs so that the host knows the reader, each on a line of its own", () => {
  const access = { description: "Ask.", scheme: { header: "X-API-Key" } };
  expect(requestCode("/api/v1/nodes?limit=2", credentialCode({ access }))).toEqual({
    curl: `curl -G \\
  -H "X-API-Key: $KEY" \\
  "\0/api/v1/nodes" \\
  -d limit=2`,
    JavaScript: `const options = {
  headers: {
    "X-API-Key": key,
  },
};
const url =
  "\0/api/v1/nodes?" +
  new URLSearchParams({ limit: "2" });
const answer = await (await fetch(url, options)).json();`,
    Python: `import requests
url = "\0/api/v1/nodes"
answer = requests.get(url, params={"limit": "2"},
    headers={
        "X-API-Key": key,
    },
).json()`,
  });
});

it("colours the address and lets it scroll, not what stands beside it", () =>
  expect(
    String(codeHtml({ settings: { url: "https://api.example" } }, curlCode("/nodes?limit=2"))),
  ).toBe(`curl <span class="n">-G</span> \\
  <span class="host" tabindex="0">&quot;https://api.example/nodes&quot;</span> \\
  <span class="n">-d</span> limit=2`));

it.each([
  ["a word", "Frankfurt%20am%20Main", '"city=Frankfurt am Main"'],
  ["signs of the shell", "%24HOME%60%22%27", `'city=$HOME\`"'\\'''`],
  ["another script", "%C3%9Cr%C3%BCmqi", '"city=Ürümqi"'],
])("quotes %s for curl", (_, value, quoted) =>
  expect(requestCode(`/cities?city=${value}`).curl).toContain(`\n  --data-urlencode ${quoted}`),
);

it("colours what is no whole JSON", () => {
  expect(tokensOf('"a').map(({ text }) => text)).toEqual(["", '"a', ""]);
  expect(tokensOf("").map(({ text }) => text)).toEqual([""]);
});
