import { expect, it } from "vitest";
import { everythingAt } from "../../test/check/everything.ts";
import { makeTable } from "../routing/table.ts";
import { apache } from "./apache/index.ts";
import { apiName } from "./api-name.ts";
import { caddy } from "./caddy/index.ts";
import { nginx } from "./nginx/index.ts";

it.each([nginx, caddy, apache])(
  "starts every file that $name includes, and every name in it",
  ({ beside, files, loads }) => {
    const api = everythingAt("/api/v1");
    const table = makeTable(
      api,
      api.operations.map(({ name }) => name),
      () => [1, 100],
    );
    const loaded = new Set(loads?.(api.base));
    const written = [...(beside?.([table]) ?? []).filter(({ file }) => loaded.has(file)), ...(files?.([table]) ?? [])];
    expect(loaded.size).toBeGreaterThan(0);
    const start = apiName(api.base);
    expect([...loaded].filter((file) => !file.startsWith(`${start}.`))).toEqual([]);
    const texts = written.map(({ parts }) => Buffer.concat([...parts()]).toString());
    const names = texts.join("\n").match(/(?<![\w/])stillapi\w*/g) ?? [];
    expect(new Set(names.map((name) => name.slice(0, start.length)))).toEqual(new Set([start]));
  },
);

it.each(["/api-v1", "/api.v1", "/api/v10", "/api/v1/x"])("differs for /api/v1 and %s", (base) => {
  expect(apiName(base)).not.toBe(apiName("/api/v1"));
});
