// The values, problems and places of a text in one format, for tests.

import type { ContentFormat, ReadOutcome } from "../../build/content/formats/format.ts";
import type { Draft, Path, Span } from "../../build/messages.ts";

interface Value {
  readonly path: Path;
  readonly value: unknown;
}

/** What a format reads, with the values that it visits. */
export function readText(format: ContentFormat, text: string): ReadOutcome & { readonly values: readonly Value[] } {
  const values: Value[] = [];
  const outcome = format.read(text, (value, path) => values.push({ path, value }));
  return { ...outcome, values };
}

/** What is wrong, without the start that all messages about syntax share. */
export const detailOf = ({ text }: Pick<Draft<Span>, "text">): string =>
  String(text)
    .replace(/^This is not valid [^:]+: /, "")
    .replace(/\.$/, "");

/** `start-end code`, and the detail of a mistake of syntax. */
export const problemOf = (problem: Draft<Span>): string => {
  const { code, at: span, text } = problem;
  const place = `${span.start}-${span.end} ${code}`;
  if (code === "yaml-only") {
    const [what = text] = /(?<=has no ).*(?=\.$)|(?<=YAML )\d\S+(?=,)/.exec(String(text)) ?? [];
    return `${place}: ${what}`;
  }
  return code === "syntax" ? `${place}: ${detailOf(problem)}` : place;
};
