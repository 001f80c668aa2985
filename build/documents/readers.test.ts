// What an API says of its readers, wherever it says it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ofDeprecated, writeDeprecated } from "../../test/check/deprecated.ts";
import { compared } from "../../test/diff/compared.ts";
import { planOf } from "../../test/documents/source.ts";
import { lineOf, messagesOfPlan, type TestPlan } from "../../test/plan.ts";
import { bytesOf } from "../files/file.ts";
import { plain } from "../hosts/plain/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-readers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The content with these lines of api.yaml. */
function contentWith(name: string, settings: string): string {
  const content = path.join(folder, name, "content");
  mkdirSync(content, { recursive: true });
  writeDeprecated(content);
  writeFileSync(path.join(content, "api.yaml"), settings);
  return content;
}

function textOf(plan: TestPlan, file: string): string {
  const found = plan.files.find(file);
  if (found === undefined) throw new Error(`There is no ${file}.`);
  return bytesOf(found).toString();
}

describe.each([
  [
    "bearer",
    { type: "http", scheme: "bearer" },
    "a token (`Authorization: Bearer`)",
    '\n  -H "Authorization: Bearer $TOKEN" \\\n',
    '    Authorization: "Bearer " + token,\n',
    "Authorization",
  ],
  [
    "basic",
    { type: "http", scheme: "basic" },
    "a name and a password (HTTP Basic)",
    '\n  -u "$NAME:$PASSWORD" \\\n',
    '    Authorization: "Basic " + login,\n',
    "Authorization",
  ],
  [
    "{ header: X-API-Key }",
    { type: "apiKey", in: "header", name: "X-API-Key" },
    "a key in the header `X-API-Key`",
    '\n  -H "X-API-Key: $KEY" \\\n',
    '    "X-API-Key": key,\n',
    "X-API-Key",
  ],
  [
    "{ cookie: session }",
    { type: "apiKey", in: "cookie", name: "session" },
    "the cookie `session`",
    '\n  -b "session=$COOKIE" \\\n',
    'const options = { credentials: "include" };\n',
    "Cookie",
  ],
])("with the scheme %s", (scheme, object, words, curl, javascript, vary) => {
  it("all documents say how readers identify themselves, and search engines leave out the pages", async () => {
    const plan = await planOf(
      contentWith(vary + scheme.length, `access: { description: Ask <us>., scheme: ${scheme} }`),
      ofDeprecated,
    );
    const openapi = JSON.parse(textOf(plan, "api/v1/openapi.json"));
    expect(openapi.security).toEqual([{ access: [] }]);
    expect(openapi.components.securitySchemes).toEqual({ access: { ...object, description: "Ask <us>." } });
    expect(openapi.components.headers.Vary.example).toBe(vary);
    for (const { get } of Object.values<{ readonly get: Record<string, object> }>(openapi.paths))
      expect(get["responses"]).toHaveProperty("401", { $ref: "#/components/responses/Unauthorized" });
    const from = vary === "Cookie" ? "no other" : "any";
    const rule = `Everything is read with GET, with ${words}, from ${from} origin. Every response is JSON, but not the host's \`401\` to other readers.`;
    expect(openapi.info.description).toContain(rule);
    expect(textOf(plan, "api/v1/docs/index.md")).toContain(rule);
    expect(textOf(plan, "llms.txt")).toContain(`Readers need ${words}. Ask`);
    const page = textOf(plan, "api/v1/docs/index.html")
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"');
    expect(page).toContain(curl);
    expect(page).toContain(javascript);
    expect(page).toContain("fetch(url, { ...more, ...options })");
    for (const { contentType, file } of plan.documents) {
      const text = textOf(plan, file);
      expect(text).not.toMatch(/without authentication|without a key|\bpublic, max-age/);
      if (contentType.startsWith("text/html")) expect(text.match(/content="noindex"/g)).toHaveLength(1);
    }
    for (const { cacheControl } of [...plan.table.documents, ...plan.table.operations])
      expect(cacheControl).toMatch(/^(?:private, (?!.*s-maxage)|no-store$)/);
    expect(plan.table.headers["Vary"]).toBe(vary);
  });
});

it("says which scripts can read", async () => {
  const none = await planOf(contentWith("none", "origins: none"), ofDeprecated);
  expect(Object.keys({ ...none.table.headers, ...none.table.preflight }).join()).not.toMatch(/Access-Control/);
  expect(none.table.preflight).toEqual({ Allow: "GET, HEAD, OPTIONS" });
  expect(textOf(none, "api/v1/docs/index.html")).toContain("Scripts of other websites cannot read the API");
  expect(textOf(none, "api/v1/openapi.json")).not.toMatch(/AccessControl|from any origin/);
  const one = await planOf(contentWith("one", "origins: https://one.example"), ofDeprecated);
  expect(one.table.headers).not.toHaveProperty("Access-Control-Allow-Credentials");
  expect(textOf(one, "api/v1/docs/index.html")).toContain(
    "Scripts of <code>https://one.example</code> can read the API",
  );
});

it("warns of hosts that give files to everybody", async () => {
  const content = contentWith("plain", "access: { description: Ask., scheme: basic }");
  const messages = await messagesOfPlan({ api: ofDeprecated, content, hosts: [plain] });
  expect(messages.map(lineOf).filter((line) => line.includes("everybody"))).toEqual([
    expect.stringMatching(/api\.yaml:1:9 everybody-reads plain only serves files, and everybody can read them\./),
  ]);
});

it("breaks consumers if fewer readers, or fewer origins, may read", async () => {
  const all = contentWith("all", "title: Places");
  const few = contentWith("few", "title: Places\naccess: { description: Ask., scheme: bearer }\norigins: none");
  const options = { api: ofDeprecated, today: "2026-01-01" };
  const codesOf = async (against: string, content: string) =>
    (await compared({ ...options, content, against })).breaking.map(({ code, message }) => `${code} ${message}`);
  expect(await codesOf(all, few)).toEqual([
    "access-changed Everybody could read: now they need a token (`Authorization: Bearer`).",
    "origins-narrowed Scripts of any origin could read: now those of no other origin can.",
  ]);
  expect(await codesOf(few, all)).toEqual([]);
});
