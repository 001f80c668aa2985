// JSON with comments and trailing commas, as in the settings of editors and compilers, becomes JSON with the same places.
import type { Draft, Span } from "../../messages.ts";
import { endOfString } from "../../text/json-string.ts";
import { mistake } from "./format.ts";

/** The text with spaces in place of comments and trailing commas, or the fault of a comment that is not closed. */
export function withoutComments(text: string): string | Draft<Span> {
  const spans: Span[] = [];
  const token = /"|\/\/[^\r\n]*|\/\*/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: found, index } = match;
    if (found === '"') token.lastIndex = endOfString(text, index) + 1;
    else if (found === "/*") {
      const close = text.indexOf("*/", token.lastIndex);
      if (close === -1) return mistake("JSON", { start: index, end: index + 2 }, "this comment is not closed");
      token.lastIndex = close + 2;
    }
    if (found !== '"') spans.push({ start: index, end: token.lastIndex });
  }
  return withoutCommas(blanked(text, spans));
}

/** A comma that follows no value stays, as a fault. */
function withoutCommas(text: string): string {
  const spans: Span[] = [];
  const token = /"|,(?=[ \t\r\n]*[\]}])/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: found, index } = match;
    if (found === '"') token.lastIndex = endOfString(text, index) + 1;
    else if (!"[{:,".includes(lastBefore(text, index))) spans.push({ start: index, end: index + 1 });
  }
  return blanked(text, spans);
}

/** The last character before an offset that is not blank; empty if there is none. */
function lastBefore(text: string, offset: number): string {
  let at = offset - 1;
  while (at >= 0 && " \t\r\n".includes(text.charAt(at))) at--;
  return text.charAt(at);
}

/** The text with spaces in place of some parts, but for their line ends. */
function blanked(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), text.slice(start, end).replaceAll(/[^\r\n]/g, " "));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
