import { expect, it } from "vitest";
import { mergeConflictIn } from "./merge-conflict.ts";

it.each([
  ["---\na: 1\n---\nText\n<<<<<<< HEAD\nOurs\n=======\nTheirs\n>>>>>>> branch\n", 18],
  ["---\r\n<<<<<<< HEAD\r\na: 1\r\n=======\r\na: 2\r\n>>>>>>> branch\r\n---\r\n", 5],
  ["<<<<<<< HEAD\nA\n=\n||||||| base\nB\n=======\nTitle\n=======\n>>>>>>> branch", 0],
  ['[\n<<<<<<< HEAD\n{ "id": "a" }\n=======\n{ "id": "b" }\n>>>>>>> branch\n]\n', 2],
])("finds the first marker: %j", (text, start) => {
  expect(mergeConflictIn(text)).toMatchObject({ code: "syntax", at: { start } });
});

it.each([
  "Title\n=======\n\n> quoted",
  "    <<<<<<< HEAD\n    A\n    =======\n    B\n    >>>>>>> branch",
  "<<<<<<< not closed\n\n=======",
])("finds none in a text with marks like them: %j", (text) => {
  expect(mergeConflictIn(text)).toBeUndefined();
});
