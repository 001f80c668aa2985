import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { contrastOf, isReadable, readable, schemes, tintOf } from "./colour.ts";

it.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#767676", "#ffffff", 4.54],
  ["#0a5bc2", "#ffffff", 6.39],
])("measures the contrast of %s and %s: %d", (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 2);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

it.each(schemes)("finds a readable colour for each colour on %s pages, and keeps readable ones", (scheme) => {
  fc.assert(
    fc.property(colour, (any) => {
      const found = readable(any, scheme);
      expect(isReadable(found, scheme)).toBe(true);
      expect(readable(found, scheme)).toBe(found);
    }),
  );
});

it("agrees with the stylesheet", () => {
  const style = readFileSync(path.join(import.meta.dirname, "../documents/style.css"), "utf8").replace(
    "#fff,",
    "#ffffff,",
  );
  expect(style).toContain("--accent: light-dark(#0a5bc2, #7db8ff);");
  expect(style).toContain("--ground: light-dark(#ffffff, #0f1216);");
  expect(style).toContain("--surface: light-dark(#f6f8fa, #171b20);");
  for (const [scheme, accent, ground] of [
    ["light", "#0a5bc2", "#ffffff"],
    ["dark", "#7db8ff", "#0f1216"],
  ] as const) {
    expect(isReadable(accent, scheme)).toBe(true);
    expect(contrastOf(tintOf(accent, scheme), ground)).toBeLessThan(1.5);
  }
});
