// Opens a source to find the places of its values.
import { LineCounter } from "yaml";
import type { Spot } from "./fault.ts";
import type { Located } from "./formats/format.ts";
import { formats } from "./formats/formats.ts";
import type { Source } from "./source.ts";

export interface OpenSource {
  /** `isWritten`: whether the value is written there. */
  readonly find: (at: Spot) => Located & { readonly isWritten: boolean };
  readonly positionOf: (offset: number) => Position;
}

export function openSource({ format, text, lines, placed }: Source): OpenSource {
  let find: ReturnType<(typeof formats)[typeof format]["open"]> | undefined;
  return {
    find: (at) => {
      if ("start" in at) return { span: at, origin: at, isWritten: true };
      find ??= formats[format].open(text);
      const { path, isWritten } = placed?.(at.path) ?? { path: at.path, isWritten: true };
      return { ...find(path, at.part ?? "value"), isWritten: isWritten && at.made !== true };
    },
    positionOf: positionsIn(text, lines),
  };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines end with a line feed; a carriage return before it belongs to the line. */
function positionsIn(text: string, numbers?: readonly number[]): (offset: number) => Position {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: (numbers?.[line - 1] ?? line - 1) + 1, column: col };
  };
}
