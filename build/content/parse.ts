import { type Fault, fault, type WithFaults } from "./faults/fault.ts";
import { isBlank, type Shape, type TextProblem } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import type { Entry, Source } from "./source.ts";

export interface Parsed {
  readonly entries: readonly Entry[];
  readonly shape: Shape;
  /** False if a part of the file is unreadable, so that missing values prove nothing. */
  readonly whole: boolean;
}

/** Returns the entries of a text: the elements of its list, its lines, or its only object. Lines may be blank. */
export function parse(source: Source): WithFaults<Parsed> {
  if (source.lines === undefined && isBlank(source.text)) {
    const empty = fault("empty-file", source, { start: 0, end: 0 }, () => ({ format: source.format }));
    return [{ entries: [], shape: "one", whole: false }, [empty]];
  }
  const { values, problems, shape, whole } = formats[source.format].read(source.text, source.lines);
  const isDocument = source.format === "json" && shape === "one";
  const entries = values.map(({ path, value }) => ({ source, path, value: isDocument ? withoutSchema(value) : value }));
  return [{ entries, shape, whole }, problems.map((problem) => faultOf(source, problem))];
}

/** A JSON object may name the schema for editors in `$schema`, which is not content. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema, ...content } = value;
  return typeof $schema === "string" ? content : value;
}

function faultOf(source: Source, { code, span, detail = "", hint }: TextProblem): Fault {
  switch (code) {
    case "syntax":
      return fault(code, source, span, () => ({ format: formats[source.format].label, problem: detail, hint }));
    case "yaml-version":
      return fault(code, source, span, () => ({ version: detail }));
    case "yaml-only":
      return fault(code, source, span, () => ({ what: detail, hint }));
    case "empty-file":
      return fault(code, source, span, () => ({ format: source.format }));
    case "too-deep":
    case "several-documents":
    case "too-many-aliases":
    case "duplicate-key":
    case "missing-hyphen":
      return fault(code, source, span, () => ({}));
  }
}
