// Buttons that copy blocks of code.
import { all, announce, makeButton } from "./elements.ts";

/** Browsers have no clipboard for pages without TLS. */
export function addCopyButton(pre: HTMLElement): void {
  const code = pre.querySelector("code");
  if (!("clipboard" in navigator) || navigator.clipboard === undefined || code === null) return;
  const button = makeButton("Copy", copy, "small");
  async function copy(): Promise<void> {
    const copying = navigator.clipboard.writeText(code?.textContent ?? "");
    const said = await copying.then(
      () => "Copied",
      () => "Not copied",
    );
    button.textContent = said;
    announce(said);
    setTimeout(() => {
      button.textContent = "Copy";
      announce("");
    }, 2000);
  }
  pre.prepend(button);
}

export const addCopyButtons = (): void => all("pre").forEach(addCopyButton);
