// Templates of HTML. They escape every text that is inserted.

/** Escaped HTML. Only `html` makes it, so that data cannot pass for it. */
class EscapedHtml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = EscapedHtml;

export const isHtml = (value: unknown): value is Html => value instanceof EscapedHtml;

/**
 * Lists are inserted one element after another. Undefined, null, true and false insert nothing, so that a part can depend
 * on a condition: `${isNew && html`<b>new</b>`}`. Attributes need quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = strings[0] ?? "";
  for (let index = 0; index < values.length; index++) text += escaped(values[index]) + strings[index + 1];
  return new EscapedHtml(text);
}

function escaped(value: unknown): string {
  if (isHtml(value)) return value.toString();
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (value === undefined || value === null || typeof value === "boolean") return "";
  return String(value).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
