// JSON with comments and trailing commas, as in the settings of editors and compilers, becomes JSON with the same places.
import type { Draft, Span } from "../../messages.ts";
import { endOfString } from "../../text/json-string.ts";
import { mistake } from "./format.ts";

/** The text with spaces in place of comments and trailing commas, or the fault of a comment that is not closed. */
export function withoutComments(text: string): string | Draft<Span> {
  const spans: Span[] = [];
  let before = "";
  let trailing: Span | undefined;
  const token = /"|\/\/[^\r\n]*|\/\*|[[\]{}:,]|[^\s"/[\]{}:,]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: found, index: start } = match;
    if (found === '"') token.lastIndex = endOfString(text, start) + 1;
    if (found === "/*") {
      const close = text.indexOf("*/", token.lastIndex);
      if (close === -1) return mistake("JSON", { start, end: start + 2 }, "this comment is not closed");
      token.lastIndex = close + 2;
    }
    const span = { start, end: token.lastIndex };
    if (found.startsWith("/")) spans.push(span);
    else {
      if (trailing !== undefined && "]}".includes(found)) spans.push(trailing);
      // A comma that follows no value stays, as a fault.
      trailing = found === "," && !"[{:,".includes(before) ? span : undefined;
      before = found;
    }
  }
  return blanked(
    text,
    spans.sort((one, other) => one.start - other.start),
  );
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
