// Where a quote opens that is not closed, or closed only by the one that should open the next text.
import { CST } from "yaml";

/** A line of a text in quotes that reads like a key, or like the element of a list with one. */
const keyLine = /\n[ \t]*(?:- +)*[\w.-]+:(?:\s|$)/;

/** The last such quote before a mistake: the text in it reaches the line of the mistake. */
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
