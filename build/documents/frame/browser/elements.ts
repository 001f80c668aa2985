// Functions that the modules of the scripts share: elements, announcements, buttons to copy, samples, and ages of times.
import { type CredentialCode, originMark, type Token, tokensOfCode } from "../code.ts";

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

/** What requests need so that the host knows the reader. */
export const credentials: CredentialCode = JSON.parse(document.documentElement.dataset["credentials"] ?? "{}");

/** A part of an address; as it is if it has a wrong percent sign. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const announcement = make("p", { className: "skip", role: "status", lang: "en" });
document.body.append(announcement);

/** Tells screen readers what changed. */
export const announce = (text: string): void => announcement.replaceChildren(text);

/** Empty if there is no clipboard: browsers have none for pages without TLS. `read` returns the text to copy. */
export function copyButton(read: () => string | null | Promise<string>, label = "Copy"): readonly HTMLButtonElement[] {
  if (navigator.clipboard === undefined) return [];
  const say = (text: string, announced: string) => {
    button.textContent = text;
    announce(announced);
  };
  async function copy(): Promise<void> {
    const text = (await read()) ?? "";
    const said = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not copied",
    );
    say(said, said);
    setTimeout(() => say(label, ""), 2000);
  }
  const button = makeButton(label, copy, "small");
  return [button];
}

/** Adds a button to the bar of each frame, and to each block of a publisher's text, which has no frame. */
export function addCopyButtons(root: ParentNode = document): void {
  for (const frame of all(".frame", root)) {
    const shown = () => all("pre", frame).find((pre) => getComputedStyle(pre).visibility === "visible");
    frame.firstElementChild?.append(...copyButton(() => shown()?.textContent ?? ""));
  }
  for (const code of all("pre:not(.frame pre) code", root)) code.before(...copyButton(() => code.textContent));
}

/** Shows a request in one of the languages. */
export function showCode(element: Element, code: string): void {
  const nodes = tokensOfCode(code).map((token) =>
    token.text.includes(originMark)
      ? make("span", { className: "host", tabIndex: 0 }, token.text.replace(originMark, location.origin))
      : tokenNode(token),
  );
  element.replaceChildren(...nodes);
}

export const tokenNode = ({ text, kind }: Pick<Token, "text" | "kind">): Node | string =>
  kind === undefined ? text : make("span", { className: kind }, text);

export const minute = 6e4;
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, length: number])[] = [
  ["year", 31536e6],
  ["month", 2628e6],
  ["day", 864e5],
  ["hour", 36e5],
];
const relative = new Intl.RelativeTimeFormat("en");

/** The stylesheet shows them behind the times. */
export function showAges(): void {
  for (const time of all<HTMLTimeElement>("time[datetime]")) {
    time.dataset["age"] = ageOf(Date.parse(time.dateTime) - Date.now());
  }
}

/** `(5 minutes ago)` or `(just now)` for a number of milliseconds from now; empty if it is not a number. */
function ageOf(distance: number): string {
  if (Number.isNaN(distance)) return "";
  if (Math.abs(distance) < minute) return "(just now)";
  const [unit, length] = units.find(([, size]) => Math.abs(distance) >= size) ?? ["minute", minute];
  return `(${relative.format(Math.trunc(distance / length), unit)})`;
}
