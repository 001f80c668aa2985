// The values, problems and places of a text in one format, for tests.

import { areElements, type ContentFormat, type Problem } from "../../build/content/formats/format.ts";
import { sourceOf } from "../../build/content/formats/source.ts";
import type { Draft, Path, Span } from "../../build/messages.ts";
import { dialectIn } from "../../src/model/files.ts";

interface ReadValue {
  readonly path: Path;
  readonly value: unknown;
}

interface ReadText {
  /** The values that can be read. */
  readonly values: readonly ReadValue[];
  readonly problems: readonly Problem[];
  readonly shape: "one" | "list";
  /** Whether all values can be read. */
  readonly whole: boolean;
}

/** The source of a text that is not in a file. */
export const noSource = sourceOf("a.json", dialectIn("json"), () => new Uint8Array());

/** What a format reads, with its values. */
export function readText(format: Pick<ContentFormat, "read">, text: string, dialect = dialectIn("json")): ReadText {
  const problems: Problem[] = [];
  const read = [...format.read(text, { ...noSource, dialect }, (problem) => problems.push(problem))];
  const values = read.filter(({ data, isHeader }) => data !== undefined && !isHeader);
  return {
    values: values.map(({ data, at }) => ({ path: at.path, value: data })),
    problems,
    shape: areElements(read) ? "list" : "one",
    whole: read.every(({ data }) => data !== undefined),
  };
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
