// The language of the samples: a choice in one of them holds for all, and for the next visit.
import { all } from "./elements.ts";
import { remember, remembered } from "./remembered.ts";

const storedAs = "language";

export function startLanguages(): void {
  const buttons = all<HTMLInputElement>(".tabs input");
  const choose = (language: string) => {
    for (const button of buttons) button.checked ||= button.value === language;
  };
  for (const button of buttons) {
    button.onchange = () => {
      choose(button.value);
      remember(storedAs, button.value);
    };
  }
  choose(remembered(storedAs) ?? "");
}
