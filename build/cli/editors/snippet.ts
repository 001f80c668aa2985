// A whole item to fill in, field by field.
import type { Resource } from "../../../src/resource.ts";
import type { EditorSchema } from "./schema.ts";

export interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: unknown;
}

/** The example's values are placeholders. The fields that refer to other items, and those left out, are empty. */
export function itemSnippet({ noun, meaning, example, references, fromPath }: Resource, fields: EditorSchema): Snippet {
  const { properties = {} } = fields;
  const stops = Object.entries(example)
    .filter(([field]) => field !== fromPath)
    .map(([field, value], index) => {
      const isReference = references.some((each) => each.field === field);
      return [field, isReference ? `$${index + 1}` : stopOf(index + 1, wordFor(value, properties[field]))] as const;
    });
  return { label: `new ${noun}`, description: meaning, body: Object.fromEntries(stops) };
}

/** The value, or where the words are listed and it is none of them the first one. */
const wordFor = (value: unknown, { enum: words }: EditorSchema = {}): unknown =>
  words === undefined || words.includes(value) ? value : words[0];

/** A `^` in front of a text makes it a value that is no text. Lists and objects stay as they are. */
function stopOf(index: number, value: unknown): unknown {
  if (typeof value === "string") return `\${${index}:${escaped(value)}}`;
  return typeof value === "object" ? value : `^\${${index}:${value}}`;
}

const escaped = (text: string): string => text.replace(/[\\$}]/g, "\\$&");
