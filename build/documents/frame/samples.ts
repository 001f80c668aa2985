// Samples for readers: a request in several languages, and JSON that is indented, coloured by classes, and shortened in
// long lists.
import type { Operation } from "../../../src/model/operation.ts";
import { anchors, documentPaths, requestPath } from "../describe/addresses.ts";
import { type Example, nextCursor } from "../describe/examples.ts";
import type { Site } from "../describe/site.ts";
import { indentedJson, originMark, requestCode, restOf, type Token, tokensOf, tokensOfCode } from "./code.ts";
import { credentialCode } from "./credentials.ts";
import { code, type Html, hostText, html, linkHtml, scrolledBlock } from "./html.ts";

interface HostOfSite {
  readonly settings: Pick<Site["settings"], "url">;
}

/** The origin of the API. If `url` is not set, a variable that the script of the pages replaces. */
export const originOf = ({ settings: { url } }: HostOfSite): Html =>
  url === undefined ? html`<var>https://HOST</var>` : html`${url}`;

type Request = Pick<Example, "key" | "query">;

/**
 * A request, with a tab for each language: radio buttons that each show one by CSS. Without a stylesheet, the languages
 * are listed one after another. `id` is unique among the requests of the page.
 */
export function requestHtml(site: Site, id: string, operation: Operation, request: Request): Html {
  const panels = Object.entries(requestCode(requestPath(site.api, operation, request), credentialCode(site.settings)));
  const buttons = panels.map(
    (
      [name],
      index,
    ) => html`<input type="radio" name="${id}" id="${anchors.section(id, `${index}`)}" value="${name}"${index === 0 && html` checked`} />
<label for="${anchors.section(id, `${index}`)}">${name}</label>
`,
  );
  return html`<div class="frame tabs">
<div role="group" aria-label="Language of the request">
${buttons}</div>
<div>
${panels.map(([name, text]) => html`${code(name, codeHtml(site, text))}\n`)}</div>
</div>`;
}

/** `code` has the mark of the origin, in a string that scrolls in itself. */
export const codeHtml = (site: HostOfSite, code: string): Html =>
  html`${tokensOfCode(code).map((token) => {
    const [before = "", after] = token.text.split(originMark);
    return after === undefined ? tokenHtml(token) : hostText(html`${before}${originOf(site)}${after}`);
  })}`;

/** Creates the client that the API brings. */
export function moduleCode(site: Site): Html {
  const { javascript = "" } = credentialCode(site.settings);
  const open = `import { createClient } from
  "${originMark}${documentPaths(site.api.base).client}";

const client = createClient();`;
  const ofReaders = `import { createClient } from "./client.js";

${javascript}const url =
  "${originMark}";
const client = createClient(url, {
  fetch: (url, more) =>
    fetch(url, { ...more, ...options }),
});`;
  return codeHtml(site, javascript === "" ? open : ofReaders);
}

/** An example's answer, with a link from `next_cursor` to the next page. */
export function answerHtml({ api }: Site, operation: Operation, example: Example): Html {
  const params = new URLSearchParams(example.query);
  params.set("cursor", nextCursor(example) ?? "");
  const next = requestPath(api, operation, { query: String(params) });
  return scrolledBlock("Response", jsonHtml(example.answer, 2, next), html`<span class="ok">200</span> Response`);
}

/** The limit of a text in a sample. Nobody reads more. */
const maxCharacters = 1_000;

/** JSON with the first elements of lists, and the start of long texts. The value of `next_cursor` links to `nextHref`. */
export function jsonHtml(json: unknown, maxElements: number, nextHref?: string): Html {
  const shown = indentedJson(shortened(json, maxElements));
  return html`${tokensOf(shown).map((token) => {
    const part = tokenHtml(token);
    return token.isNext && nextHref !== undefined ? linkHtml(nextHref, part) : part;
  })}`;
}

const tokenHtml = ({ text, kind }: Pick<Token, "text" | "kind">): Html | string =>
  kind === undefined ? text : html`<span class="${kind}">${text}</span>`;

/** JSON with the first elements of lists, and the start of long texts. */
export function shortened(json: unknown, maxElements: number): unknown {
  const shorten = (_: string, value: unknown): unknown => {
    if (typeof value === "string" && value.length > maxCharacters) {
      return `${value.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, "")}…`;
    }
    if (!Array.isArray(value) || value.length <= maxElements) return value;
    return [...value.slice(0, maxElements), restOf(value.length - maxElements)];
  };
  return JSON.parse(JSON.stringify(json, shorten));
}
