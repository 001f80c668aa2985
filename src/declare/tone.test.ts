import { expect, it } from "vitest";
import { toneOf } from "./tone.ts";

it.each([
  ["operational", "good"],
  ["In-Service", "good"],
  ["draining", "warn"],
  ["partial_outage", "warn"],
  ["partially degraded", "warn"],
  ["degraded_disk", "warn"],
  ["offline", "down"],
  ["MAJOR_OUTAGE", "down"],
  ["failed-over", "down"],
  ["open issues", "other"],
  ["maintenance", "other"],
  ["retired", "other"],
  ["downgraded", "other"],
  ["constructor", "other"],
  ["", "other"],
])("the tone of %j is %s", (state, tone) => expect(toneOf(state)).toBe(tone));
