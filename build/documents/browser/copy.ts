// Buttons that copy code. Browsers have no clipboard for pages without TLS.
import { all, announce, makeButton } from "./elements.ts";

/** Empty if there is no clipboard. `read` returns the text to copy. */
export function copyButton(read: () => string | null): readonly HTMLButtonElement[] {
  if (!("clipboard" in navigator) || navigator.clipboard === undefined) return [];
  const button = makeButton("Copy", copy, "small");
  async function copy(): Promise<void> {
    const copying = navigator.clipboard.writeText(read() ?? "");
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
  return [button];
}

export function addCopyButton(pre: HTMLElement): void {
  const code = pre.querySelector("code");
  if (code !== null) pre.prepend(...copyButton(() => code.textContent));
}

export function addCopyButtons(): void {
  all("pre").forEach(addCopyButton);
  for (const each of all(".copy")) each.after(" ", ...copyButton(() => each.textContent));
}
