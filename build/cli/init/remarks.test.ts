import { expect, it } from "vitest";
import { remarkOn } from "./remarks.ts";

const years = ["1864", "1865", "1896", "1959", "1976"];
const days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"];

it.each<readonly [remark: string | undefined, texts: readonly string[]]>([
  [undefined, []],
  [undefined, ["One, two.", "Three."]],
  [undefined, ["about 1900", "1864"]],
  ['Texts such as " x" have blanks at their ends: transform can remove them.', ["y", " x"]],
  ['Guessed: text, because numbers would lose the zero of "3.10".', ["3.9", "3.10"]],
  ["Names of pictures: with image() they are published, if they are below content/.", ["a.jpg", "b c.PNG"]],
  ['Dates such as "3.11.2019": transform can write them as in 2026-11-20.', ["3.11.2019", "24.10.2019"]],
  ['Guessed: text, because of "about 1900" among other values.', [...years, "about 1900"]],
  ['Guessed: text, because of "1.012,5" among other values.', [...years, "7,5", "1.012,5"]],
  ['Guessed: text, because of "2024-02-30" among other values.', [...days, "2024-02-30"]],
  ['Numbers such as "1,250": transform can make numbers of them.', ["1,250", "999"]],
  ['Lists such as "red, white": transform can divide them.', ["red, white", "red", "white"]],
])("says %j", (remark, texts) => {
  expect(remarkOn(texts)).toBe(remark);
});
