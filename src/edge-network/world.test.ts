import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import isoCountries from "i18n-iso-countries";
import { beforeAll, describe, expect, it } from "vitest";
import { type Atlas, drawWorld } from "../../test/documents/world-drawing.ts";
import { places } from "./network.ts";
import world from "./world.json" with { type: "json" };

const { land, size } = world;

const { resolve } = createRequire(import.meta.url);

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(file), "utf8"));

describe("the map of the world", () => {
  beforeAll(() => isoCountries.registerLocale(Object(read("i18n-iso-countries/langs/en.json"))));

  it("is drawn from the atlas", async () => {
    const drawn = drawWorld(
      read("world-atlas/countries-110m.json") as Atlas,
      read("world-atlas/countries-50m.json") as Atlas,
    );
    await expect(`${JSON.stringify(drawn, null, 2)}\n`).toMatchFileSnapshot("world.json");
  });

  it("has every country but Antarctica and the minor outlying islands", () => {
    const unknown = Object.keys(isoCountries.getAlpha2Codes()).filter((code) => !Object.hasOwn(places, code));
    expect(unknown.toSorted()).toEqual(["AQ", "UM"]);
  });

  it("puts countries on the map as they are in the world", () => {
    for (const { x, y } of Object.values(places)) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(size.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(size.height);
    }
    const [us, gb, fr, za, jp, nz] = ["US", "GB", "FR", "ZA", "JP", "NZ"].map((code) => places[code]);
    expect([us, gb, fr, jp, nz].map((each) => each?.x)).toEqual(
      [us, gb, fr, jp, nz].map((each) => each?.x).toSorted((one = 0, other = 0) => one - other),
    );
    expect(
      [gb, fr, us, jp, za, nz].map((each) => each?.y ?? 0).every((y, index, all) => y >= (all[index - 1] ?? 0)),
    ).toBe(true);
  });

  it("is an outline of less than 25 kB", () => {
    expect(land).toMatch(/^(?:M\d+ \d+l[\d -]+z)+$/);
    expect(land.length).toBeLessThan(25_000);
  });
});
