// A text that the transform of its collection reads: one item, whose field `body` is the whole file as it is.
import { type ContentFormat, lineEnd } from "./format.ts";
import { bodyField } from "./markdown.ts";
import { At } from "./value.ts";

export const wholeText = {
  contents: () => "a text into it",
  read: (text, source) => [{ data: { [bodyField]: text }, at: new At(source, []) }],
  open:
    (text) =>
    ([field]) => ({ start: 0, end: field === bodyField ? lineEnd(text, 0) : 0 }),
} satisfies ContentFormat;
