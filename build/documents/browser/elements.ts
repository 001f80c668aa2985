// What all modules of the script need to find and make elements.

export const all = <Kind extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): readonly Kind[] => [...root.querySelectorAll<Kind>(selector)];

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export const makeButton = (textContent: string, onclick: () => unknown, className = ""): HTMLButtonElement =>
  make("button", { type: "button", textContent, onclick, className });

const announcement = make("p", { className: "skip", role: "status" });
document.body.append(announcement);

/** Tells screen readers what changed. */
export const announce = (text: string): void => announcement.replaceChildren(text);
