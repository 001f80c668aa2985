import { describe, expect, it } from "vitest";
import { html } from "./html.ts";

describe("html", () => {
  it.each([
    [html`<p title="${`"'`}">${"<b> & </b>"}</p>`, '<p title="&quot;&#39;">&lt;b&gt; &amp; &lt;/b&gt;</p>'],
    [html`${[html`<i>1</i>`, [2, "<"]]}`, "<i>1</i>2&lt;"],
    [html`a${undefined}${null}${true}${false}${0}${""}b`, "a0b"],
    [html`${{ toString: () => "<i>" }}`, "&lt;i&gt;"],
  ])("%# escapes texts and nothing else", (made, text) => expect(String(made)).toBe(text));

  it.each([
    "javascript:alert(1)",
    " JavaScript:x",
    "java\nscript:x",
    "data:text/html,x",
    "vbscript:x",
    "\u0001javascript:x",
  ])("refuses an address that could run a script: %j", (address) => {
    const message = `${JSON.stringify(address)} is neither an http, https or mailto address nor a path.`;
    expect(() => html`<a href="${address}">x</a>`).toThrow(message);
    expect(() => html`<a href=${address}>x</a>`).toThrow(message);
    expect(() => html`<form ACTION = '${address}'>`).toThrow(message);
    expect(() => html`<use xlink:href="${address}"/>`).toThrow(message);
    expect(() => html`<img/src="${address}">`).toThrow(message);
    expect(() => html`<button/formaction="${address}">`).toThrow(message);
    expect(() => html`<a title="x"href="${address}">x</a>`).toThrow(message);
    expect(String(html`<a href="/x?to=${address}" title="${address}" data-src="${address}">${address}</a>`)).toContain(
      "/x?to=",
    );
  });

  it.each(["https://example.com/a:b", "HTTP://x", "mailto:a@b.example", "/a:b", "a/b", "?a:b", "#a:b", "", "//host/a"])(
    "takes the address %j",
    (address) => expect(String(html`<a href="${address}">x</a>`)).toBe(`<a href="${address}">x</a>`),
  );

  it("takes no data for HTML", () => {
    const data: unknown = JSON.parse('{"isEscaped":true,"text":"<i>"}');
    expect(String(html`${data}`)).toBe("[object Object]");
    expect(String(html`${Object.assign(Object.create(Object.getPrototypeOf({})), { "0": "<" })}`)).not.toContain("<");
  });
});
