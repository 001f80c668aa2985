// The colours of the pages: those of the system, or those that the reader has chosen, also for the next visit.
import { all, make } from "./elements.ts";
import { remember, remembered } from "./remembered.ts";

const storedAs = "theme";
const system = "system";
const themes = { [system]: "System", light: "Light", dark: "Dark" };

export function startThemes(): void {
  apply(remembered(storedAs) ?? system);
  for (const place of all(".theme")) {
    const options = Object.entries(themes).map(([value, name]) => make("option", { value }, name));
    const choice = make("select", { ariaLabel: "Colours" }, ...options);
    choice.value = remembered(storedAs) ?? system;
    choice.onchange = () => {
      remember(storedAs, choice.value);
      apply(choice.value);
    };
    place.append(choice);
  }
}

function apply(theme: string): void {
  const { dataset } = document.documentElement;
  if (theme === system) delete dataset["theme"];
  else dataset["theme"] = theme;
}
