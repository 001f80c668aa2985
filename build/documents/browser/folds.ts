// Buttons that fold the objects and lists of long JSON.
import { make } from "./elements.ts";

/** JSON of fewer lines is seen at once. */
const minLines = 12;

/** Adds buttons to JSON whose brackets are in texts between elements. The text of the block stays what it is. */
export function addFolds(code: HTMLElement): void {
  if ((code.textContent ?? "").split("\n").length < minLines) return;
  const outer: Element[] = [];
  let inner: Element = make("span");
  const whole = inner;
  for (const node of [...code.childNodes]) {
    // A bracket at the end of a line opens lines, one at the start of a line closes them.
    const parts = node instanceof Text ? node.data.split(/([{[](?=\n)|(?<=\n *)[}\]])/) : [node];
    for (const part of parts) {
      if (part === "{" || part === "[") {
        const lines = make("span");
        // The whole is not folded.
        inner.append(part, ...(outer.length === 0 ? [] : foldOf(lines)), lines);
        outer.push(inner);
        inner = lines;
      } else {
        if (part === "}" || part === "]") inner = outer.pop() ?? inner;
        inner.append(part);
      }
    }
  }
  code.replaceChildren(...whole.childNodes);
}

/** A button, and the mark in place of the folded lines. The stylesheet writes both, so that they are never copied. */
function foldOf(lines: HTMLElement): readonly Node[] {
  const mark = make("span", { className: "more", hidden: true });
  const button = make("button", { type: "button", className: "fold-lines", ariaLabel: "Fold", ariaExpanded: "true" });
  button.onclick = () => {
    lines.hidden = !lines.hidden;
    mark.hidden = !lines.hidden;
    button.ariaExpanded = String(!lines.hidden);
  };
  return [button, mark];
}
