import { expect, it } from "vitest";
import { remarkOn } from "./remarks.ts";

it.each<readonly [remark: string | undefined, texts: readonly string[]]>([
  [undefined, []],
  [undefined, ["One, two.", "Three."]],
  [undefined, ["about 1900", "1864"]],
  ['If texts such as "3.9" are numbers, transform can make numbers of them.', ["3.9", "3.10"]],
  ["Names of pictures: with image() they are published, if they are below content/.", ["a.jpg", "b c.PNG"]],
  ['Dates such as "3.11.2019": transform can write them as in 2026-11-20.', ["3.11.2019", "24.10.2019"]],
  ['If texts such as "1,250" are numbers, transform can make numbers of them.', ["1,250", "999"]],
  ['Lists such as "red, white": transform can divide them.', ["red, white", "red", "white"]],
])("says %j", (remark, texts) => {
  expect(remarkOn(texts)).toBe(remark);
});

it("takes texts for lists of at most twenty words", () => {
  const listsOf = (count: number) => Array.from({ length: count }, (_, index) => `w${index}, w${(index + 1) % count}`);
  expect(remarkOn(listsOf(20))).toBe('Lists such as "w0, w1": transform can divide them.');
  expect(remarkOn(listsOf(21))).toBeUndefined();
});
