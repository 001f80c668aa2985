// The language of samples: one for all requests of the page, remembered for the next visit.
import { all } from "./elements.ts";

const inputs = all<HTMLInputElement>(".tabs input");

const languageOf = (input: HTMLInputElement): string | null | undefined => input.labels?.[0]?.textContent;

function choose(language: string | null | undefined): void {
  for (const input of inputs) if (languageOf(input) === language) input.checked = true;
}

/** Browsers may refuse storage. */
function stored<Value>(access: (storage: Storage) => Value): Value | undefined {
  try {
    return access(localStorage);
  } catch {
    return undefined;
  }
}

export function rememberLanguage(): void {
  choose(stored((storage) => storage.getItem("stillapi.language")));
  for (const input of inputs) {
    input.onchange = () => {
      const language = languageOf(input) ?? "";
      choose(language);
      stored((storage) => storage.setItem("stillapi.language", language));
    };
  }
}
