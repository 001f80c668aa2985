import { expect, it } from "vitest";
import { type Audience, cacheFor, everybody } from "./audience.ts";

const audience: Audience = { access: { description: "Ask.", scheme: "basic" }, origins: "any" };

it.each([
  ["public, max-age=60", "private, max-age=60"],
  ["max-age=30, Public,S-MaxAge = 600 , stale-if-error=5", "private, max-age=30, stale-if-error=5"],
  ["no-store", "no-store"],
  ["public, No-Store", "No-Store"],
  ['private="a, public", max-age=1', "private, max-age=1"],
  ['max-age=1, x="a, public, \\", b"', 'private, max-age=1, x="a, public, \\", b"'],
  ['public, max-age=1, x="a, public', 'private, max-age=1, x="a, public'],
  ["public", "private"],
])("lets only the caches of readers store %s", (written, sent) => {
  expect(cacheFor(audience, written)).toBe(sent);
  expect(cacheFor(everybody, written)).toBe(written);
});
