// Languages of texts, as tags of BCP 47 (https://www.rfc-editor.org/rfc/rfc5646).

/** A language, and where they matter a script and a region, each in its usual spelling: `de`, `pt-BR`, `zh-Hant`. */
export const languagePattern = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

export const languageDescription = "the tag of a language, such as de, pt-BR or zh-Hant";

const scripts = ["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"];

/** The languages that are usually written from right to left. https://www.w3.org/International/questions/qa-scripts */
const languages = "ar arc azb bal bgn ckb dv fa glk he ks lrc mzn nqo pnb prs ps sd skr syr ug ur yi".split(" ");

/** Whether the texts of a language are written from right to left. A script decides, if the tag has one. */
export function isRightToLeft(tag: string): boolean {
  const [language = "", script = ""] = tag.split("-");
  return script.length === 4 ? scripts.includes(script) : languages.includes(language);
}
