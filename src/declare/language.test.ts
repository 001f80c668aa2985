import { expect, it } from "vitest";
import { isRightToLeft, languagePattern } from "./language.ts";

it.each(["de", "gsw", "pt-BR", "zh-Hant", "sr-Latn-RS", "es-419"])("accepts %s, as Intl does", (tag) => {
  expect(tag).toMatch(languagePattern);
  expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
});

it.each(["german", "DE", "de_AT", "de-at", "zh-hant", "de-AT-1996", "x-own", "", "de "])("refuses %j", (tag) => {
  expect(tag).not.toMatch(languagePattern);
});

it("knows the direction by the script, or else by the language", () => {
  const tags = ["ar", "he-IL", "ur", "uz-Arab-AF", "ar-Latn", "de", "zh-Hant", "pa"];
  expect(tags.filter(isRightToLeft)).toEqual(["ar", "he-IL", "ur", "uz-Arab-AF"]);
});
