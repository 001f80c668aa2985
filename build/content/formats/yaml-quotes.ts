// Finds the opening quote of a text that is not closed, or closed only by the opening quote of the next text.
import { CST } from "yaml";

/** A line in a quoted text that looks like a key, or like a list element with a key. */
const keyLine = /\n[ \t]*(?:- +)*[\w.-]+:(?:\s|$)/;

/** The last such quote before a mistake, if its text reaches the line of the mistake. */
export function quoteBefore(text: string, tokens: readonly CST.Token[], mistake: number): number | undefined {
  let found: number | undefined;
  for (const token of tokens) {
    if (token.type !== "document") continue;
    CST.visit(token, ({ key, value }) => {
      for (const each of [key, value]) if (isRunaway(text, each, mistake)) found = each.offset;
    });
  }
  return found;
}

function isRunaway(text: string, token: CST.Token | null | undefined, mistake: number): token is CST.FlowScalar {
  if (token?.type !== "double-quoted-scalar" && token?.type !== "single-quoted-scalar") return false;
  const { offset, source } = token;
  const end = offset + source.length;
  if (offset > mistake || text.slice(end, mistake).includes("\n")) return false;
  const isClosed = source.length > 1 && source.endsWith(source.charAt(0));
  return !isClosed || keyLine.test(source);
}
