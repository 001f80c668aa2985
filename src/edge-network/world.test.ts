import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import isoCountries from "i18n-iso-countries";
import { beforeAll, describe, expect, it } from "vitest";
import { type Atlas, drawWorld } from "../../test/documents/world-drawing.ts";
import { places } from "./network.ts";
import world from "./world.json" with { type: "json" };

const { land } = world;

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

  it("is an outline of less than 25 kB", () => {
    expect(land).toMatch(/^(?:M\d+ \d+l[\d -]+z)+$/);
    expect(land.length).toBeLessThan(25_000);
  });
});
