import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { pictures } from "../../../test/content/pictures.ts";
import { planSample, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import type { TestPlan } from "../../../test/plan.ts";
import { pageAssets } from "./assets.ts";
import { header } from "./header.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const plan = (name: string, change?: (to: string) => void): Promise<TestPlan> =>
  planSample(path.join(folder, name), { count: 3, pageSizes: "every" }, change);

it("has the publisher's logo and accent", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const built = await plan("look", (to) => {
    writeFileSync(path.join(to, "api.yaml"), 'logo: logo.svg\naccent: "#7a1fa2"\naccent_dark: "#a96dc3"\n');
    writeFileSync(path.join(to, "logo.svg"), svg);
    writeFileSync(path.join(to, "card.png"), pictures.png);
  });
  const documents = new Map(pageAssets(siteOf(built)).map((document) => [document.path, document]));
  const textOf = (name: string) =>
    Buffer.concat([...(documents.get(`/api/v1/docs/${name}`)?.parts() ?? [])]).toString();
  const top = String(header(siteOf(built), { path: undefined }));
  const style = textOf("style.css");
  expect(top).toContain('<a href="/api/v1/docs/" dir="auto"><img src="/api/v1/docs/logo.svg" alt=""> API</a>');
  expect(textOf("logo.svg")).toBe(svg);
  expect(documents.get("/api/v1/docs/logo.svg")).toMatchObject({ contentType: "image/svg+xml" });
  expect(documents.get("/api/v1/docs/card.png")).toMatchObject({
    contentType: "image/png",
    length: pictures.png.length,
  });
  expect(textOf("icon.svg")).toContain('fill="#7a1fa2"');
  expect(style.match(/:root\{--accent[^}]*\}$/m)?.[0]).toBe(
    ":root{--accent:light-dark(#7a1fa2,#a96dc3);--tint:color-mix(in srgb,var(--accent) 10%,var(--ground))}",
  );
});

it("has a script of at most 20 kB, without comments", async () => {
  const documents = pageAssets(siteOf(await plan("script")));
  const script = documents.find(({ path: at }) => at === "/api/v1/docs/page.js");
  const bytes = Buffer.concat([...(script?.parts() ?? [])]);
  expect(bytes.length).toBeLessThan(20_000);
  expect(bytes.toString()).toMatch(/^\/\* stillapi \*\/\n\n/);
  expect(bytes.toString()).not.toMatch(/(?:^|[;}])import\b(?!\.meta)|^ *\/\/|innerHTML/m);
  expect(script).toMatchObject({
    contentType: "text/javascript; charset=utf-8",
    cacheControl: "public, max-age=300",
  });
});
