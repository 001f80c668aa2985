// Sends requests and shows responses: status, time, size, headers, JSON in colours, and the next page.
import { fieldOf } from "../../../../src/model/fields.ts";
import { addCopyButtons, announce, make, makeButton, tokenNode } from "../../frame/browser/elements.ts";
import { indentedJson, tokensOf } from "../../frame/code.ts";

/** The headers of a response that are shown, if it has them. */
const shownHeaders = [
  "Content-Type",
  "Cache-Control",
  "ETag",
  "Last-Modified",
  "Age",
  "Expires",
  "Deprecation",
  "Sunset",
  "Link",
  "Allow",
  "Access-Control-Allow-Origin",
];

/** More characters than these are not coloured, which takes a phone too long. */
const maxColoured = 200_000;

/** `turn` is called with the cursor of the next page. */
export async function showResponse(place: HTMLElement, url: string, turn: (cursor: string) => void): Promise<void> {
  const line = make("p", { className: "caption" }, "Waiting for the response…");
  // The content below does not move, even if the response is shorter than the text that it replaces.
  place.style.minHeight = `${place.offsetHeight}px`;
  // Of several requests, the last one fills the place.
  const frame = make("div", { className: "frame" }, make("div", {}, line));
  place.replaceChildren(frame);
  const start = performance.now();
  try {
    const response = await fetch(url, { cache: "no-store" });
    const body = await response.text();
    const facts = `${Math.round(performance.now() - start)} ms, ${new Blob([body]).size.toLocaleString("en")} bytes`;
    const { status, headers } = response;
    const [text, cursor] = read(body);
    line.replaceChildren(
      make("span", { className: response.ok ? "ok" : "bad" }, String(status)),
      ` Response in ${facts} `,
      ...(cursor === undefined ? [] : [makeButton("Next page", () => turn(cursor), "small")]),
    );
    const rows = shownHeaders.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [make("div", {}, make("dt", {}, name), make("dd", {}, value))];
    });
    const code = make("code", {}, ...bodyParts(text, cursor === undefined ? undefined : nextLink(url, cursor, turn)));
    const pre = make("pre", { tabIndex: 0, role: "group", ariaLabel: "Response" }, code);
    if (frame.isConnected) {
      frame.append(make("dl", { className: "facts" }, ...rows), pre);
      addCopyButtons(place);
    }
    announce(`Status ${status}, ${facts}`);
  } catch {
    line.replaceChildren("No response: the server cannot be reached.");
    announce(line.textContent ?? "");
  }
}

/** The text of a body, indented if it is JSON, and its cursor, if it is a page with another one after it. */
function read(body: string): readonly [text: string, cursor: string | undefined] {
  try {
    const json: unknown = JSON.parse(body);
    const cursor = fieldOf(fieldOf(json, "pagination"), "next_cursor");
    return [indentedJson(json), typeof cursor === "string" ? cursor : undefined];
  } catch {
    return [body, undefined];
  }
}

function nextLink(url: string, cursor: string, turn: (cursor: string) => void): HTMLAnchorElement {
  const onclick = (event: Event) => {
    event.preventDefault();
    turn(cursor);
  };
  return make("a", { href: nextAddress(url, cursor), onclick });
}

/** The path and query of the page to which a response's cursor leads. */
export function nextAddress(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, location.href);
  // On a host that only serves files, lists are at the paths of files.
  if (pathname.endsWith(".json")) return pathname.replace(/(?:\/cursor\/[^/]+)?\.json$/, `/cursor/${cursor}.json`);
  searchParams.set("cursor", cursor);
  return `${pathname}?${searchParams}`;
}

/** JSON in colours. `next` becomes the link of `next_cursor`. */
function bodyParts(text: string, next: HTMLAnchorElement | undefined): readonly (Node | string)[] {
  if (text.length > maxColoured) return [text];
  return tokensOf(text).map((token) => {
    const part = tokenNode(token);
    if (!token.isNext || next === undefined) return part;
    next.append(part);
    return next;
  });
}
