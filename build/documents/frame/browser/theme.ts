// The colours of the pages: those of the system, or those that the reader has chosen, also for the next visit.
import { all, makeButton } from "./elements.ts";
import { remember, remembered } from "./remembered.ts";

const storedAs = "theme";
const { dataset } = document.documentElement;
const isSystemDark = matchMedia("(prefers-color-scheme: dark)");

const isDark = (): boolean => (dataset["theme"] === undefined ? isSystemDark.matches : dataset["theme"] === "dark");

export function startThemes(): void {
  apply(remembered(storedAs) ?? "");
  for (const place of all(".theme")) {
    const button = makeButton("", () => {
      const theme = isDark() ? "light" : "dark";
      // The colours of the system are no choice: they may change with the time of day.
      const choice = isSystemDark.matches === (theme === "dark") ? "" : theme;
      remember(storedAs, choice);
      apply(choice);
      name();
    });
    const name = () => {
      button.ariaLabel = isDark() ? "Light colours" : "Dark colours";
      button.title = button.ariaLabel;
    };
    isSystemDark.onchange = name;
    name();
    place.append(button);
  }
}

function apply(theme: string): void {
  if (theme === "light" || theme === "dark") dataset["theme"] = theme;
  else delete dataset["theme"];
}
