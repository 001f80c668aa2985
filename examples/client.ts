// A program that reads the three APIs of this folder. Its types come from their declarations.
import { createClient } from "stillapi/client";
import type countries from "./countries/api.config.ts";
import type languages from "./languages/api.config.ts";
import type mediaTypes from "./media-types/api.config.ts";

const world = createClient<typeof countries>("https://countries.example.com/v1");

for await (const { code, name } of world.countries.items({ region: "Europe", independent: true })) {
  const { borders } = await world.countries.item(code);
  console.log(`${name.common} has ${borders.length} neighbours.`);
}

// @ts-expect-error There is no such region.
await world.countries.get({ region: "Atlantis" });

const { data } = await createClient<typeof languages>("https://languages.example.com").languages.get({
  scope: "special",
});
for (const { name, short } of data) console.log(name, short?.toUpperCase());

const types = createClient<typeof mediaTypes>("https://types.example.com/media/v1");
for (const { extension, types: own } of (await types.extensions.get()).data) console.log(extension, own.join(" "));
