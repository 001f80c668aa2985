// JSON in colours, by the classes of the samples that the build colours.
import { make } from "./elements.ts";

/** A text and the colon of a key, a number, or a word. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** More characters than these take a phone too long to colour. */
const mostColoured = 200_000;

/** `linkOf` returns the address to which the text of a key's value leads, if any. */
export function colouredJson(text: string, linkOf: (key: string, value: string) => Node | undefined): Node {
  if (text.length > mostColoured) return document.createTextNode(text);
  const code = document.createDocumentFragment();
  let [end, key] = [0, ""];
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    code.append(text.slice(end, match.index));
    end = match.index + whole.length;
    if (string === undefined) {
      code.append(make("span", { className: /^[-\d]/.test(whole) ? "n" : "l" }, whole));
    } else if (colon === undefined) {
      code.append(linkOf(key, string) ?? make("span", { className: "s" }, string));
    } else {
      code.append(make("span", { className: "k" }, string), colon);
      key = string;
    }
  }
  code.append(text.slice(end));
  return code;
}
