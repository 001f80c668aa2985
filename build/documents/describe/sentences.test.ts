import { expect, it } from "vitest";
import { cacheWords } from "./sentences.ts";

it.each([
  ["no-store", "never cached"],
  ["public, max-age=60, no-store", "never cached"],
  ["public, max-age=60", "cached for up to 1 minute"],
  ["PUBLIC, Max-Age=86400", "cached for up to 1 day"],
  ["no-cache", "checked before each use"],
  ['no-cache="x-y, z", max-age=60', "checked before each use"],
  ["max-age=0, must-revalidate", "checked before each use"],
  ["public, s-maxage=600", "cached for up to 10 minutes by shared caches"],
  ["max-age=60, s-maxage=600", "cached for up to 1 minute, cached for up to 10 minutes by shared caches"],
  ["max-age=0, s-maxage=600", "checked before each use, cached for up to 10 minutes by shared caches"],
  ['max-age="300"', "cached for up to 5 minutes"],
  ["public", ""],
  ["max-age=soon", ""],
])("says of Cache-Control: %s that an answer is %j", (cacheControl, words) =>
  expect(cacheWords(cacheControl)).toBe(words),
);
