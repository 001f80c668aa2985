import { describe, expect, it } from "vitest";
import { html } from "./html.ts";

describe("html", () => {
  it.each([
    [html`<p title="${`"'`}">${"<b> & </b>"}</p>`, '<p title="&quot;&#39;">&lt;b&gt; &amp; &lt;/b&gt;</p>'],
    [html`${[html`<i>1</i>`, [2, "<"]]}`, "<i>1</i>2&lt;"],
    [html`a${undefined}${null}${true}${false}${0}${""}b`, "a0b"],
    [html`${{ toString: () => "<i>" }}`, "&lt;i&gt;"],
  ])("%# escapes texts and nothing else", (made, text) => expect(String(made)).toBe(text));

  it("takes no data for HTML", () => {
    const data: unknown = JSON.parse('{"isEscaped":true,"text":"<i>"}');
    expect(String(html`${data}`)).toBe("[object Object]");
    expect(String(html`${Object.assign(Object.create(Object.getPrototypeOf({})), { "0": "<" })}`)).not.toContain("<");
  });
});
