import isoCountriesPackage from "i18n-iso-countries";
import { expect, it } from "vitest";
import { faultsOf } from "../../../test/content/folder.ts";
import { isoCountries } from "./countries.ts";

/** XA to XZ are for private use and not codes of the standard. The package includes XK. */
const codes = Object.keys(isoCountriesPackage.getAlpha2Codes())
  .filter((code) => !code.startsWith("X"))
  .sort();

it("is the list of ISO 3166-1: npm run generate writes it", async () => {
  const text = `// The country codes of ISO 3166-1, written by \`npm run generate\`.\nexport const isoCountries: readonly string[] =\n  "${codes.join(" ")}".split(\n    " ",\n  );\n`;
  await expect(text).toMatchFileSnapshot("countries.ts");
  expect(isoCountries).toEqual(codes);
});

const region = (country: string) =>
  `- { code: lhr1, name: London, zone: europe-west, country: ${country}, status: operational }\n`;

const fault = (country: string, hint = "") =>
  `regions.yaml:1:59 wrong-value country must be a code of ISO 3166-1, such as GB, or one of additional_countries in api.yaml, but is "${country}".${hint}`;

it.each([
  ["GB", undefined, []],
  ["UK", undefined, [fault("UK")]],
  ["ZZ", undefined, [fault("ZZ")]],
  ["XK", undefined, [fault("XK")]],
  ["gb", undefined, [fault("gb", ' Did you mean "GB"?')]],
  ["XK", "additional_countries: [XK]\n", []],
  ["GB", "additional_countries: [XK]\n", []],
])("checks that %s is a country", (country, settings, expected) => {
  expect(faultsOf({ "regions.yaml": region(country), ...(settings && { "api.yaml": settings }) })).toEqual(expected);
});
