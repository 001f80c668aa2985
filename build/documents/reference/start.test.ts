import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { isSafeAddress } from "../../../src/declare/html.ts";
import { planSample, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { publisherTexts } from "../frame/publisher-text.ts";
import { referenceStart } from "./reference.ts";
import { aboutSection } from "./start.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const introduction = (text: string): string =>
  String(aboutSection(sourceOfText(text))).replace(/[\s\S]*About<\/a><\/h2>\n([\s\S]*?)\n?<\/div>[\s\S]*/, "$1");

const sourceOfText = (text: string) => ({
  texts: publisherTexts({ introduction: text, changesText: undefined, language: undefined }),
});

it("stands before the operations of the reference, with the license", async () => {
  const plan = await planSample(folder, { count: 3, pageSizes: [10] }, (to) => {
    writeFileSync(path.join(to, "introduction.md"), "Data of **everything**.\n");
    const settings = { license: { name: "CC0", url: "https://example.com/cc0" } };
    writeFileSync(path.join(to, "api.yaml"), JSON.stringify({ ...settings, page_sizes: [10] }));
  });
  const page = String(referenceStart(siteOf(plan)));
  expect(page).toContain('<h2 id="about"><a href="#about">About</a></h2>\n<p>Data of <strong>everything</strong>.</p>');
  expect(page).toContain('<li><a href="#about">About</a></li>');
  expect(page.indexOf('id="about"')).toBeLessThan(page.indexOf('id="first-request"'));
  expect(page).toContain('<dt>License</dt><dd><a href="https://example.com/cc0">CC0</a></dd>');
});

it.each([
  ["# One\n\n## Two", "<h3>One</h3>\n<h4>Two</h4>"],
  ["## Only", "<h3>Only</h3>"],
  ["`a < b` & [x](/docs/)", '<p><code>a &lt; b</code> &amp; <a href="/docs/">x</a></p>'],
  ["![A map](https://example.com/map.png)", '<p><a href="https://example.com/map.png">A map</a></p>'],
  ["<you@example.com>", '<p><a href="mailto:you@example.com">you@example.com</a></p>'],
])("prints %j as %s", (text, expected) => expect(introduction(text).trim()).toBe(expected));

it("prints tables", () => expect(introduction("| a |\n| - |\n| 1 |")).toContain("<td>1</td>"));

it.each([
  '<script>alert(1)</script>\n\ntext <img src=x onerror="alert(1)">',
  "[x](javascript:alert(1))",
  "[x](<java\nscript:alert(1)>) [x](JaVaScRiPt:alert(1)) [x](&#106;avascript:alert(1)) [x](java&Tab;script:alert(1))",
  "<javascript:alert(1)> <data:text/html,<script>alert(1)</script>>",
  '![x](javascript:alert(1)) ![x](data:text/html,x "a" onerror=alert(1))',
  '[x](/a"onmouseover="alert(1)) [x]: /b "\'><script>alert(1)</script>"',
  '```x" onclick="alert(1)\n</code><script>\n```',
  "[x][y]\n\n[y]: vbscript:x '\"><script>'",
  "# <b onclick=alert(1)>x</b>\n\n- <iframe src=/>\n\n| <style> |\n| - |\n| <svg onload=alert(1)> |",
])("neither runs nor loads anything: %j", (text) => {
  const printed = introduction(text);
  const tags = printed.match(/<[^>]*>/g) ?? [];
  const allowed = /^<\/?(?:p|a|h\d|em|strong|code|pre|ul|li|table|thead|tbody|tr|th|td)(?: (?:href|class)="[^"]*")?>$/;
  expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
  for (const [, href = ""] of printed.matchAll(/ href="([^"]*)"/g)) expect(isSafeAddress(href)).toBe(true);
});
