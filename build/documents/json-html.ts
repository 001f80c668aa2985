// JSON for readers: indented, coloured by classes, with long lists shortened.
import { type Html, html } from "./html.ts";

export interface JsonView {
  /** The number of elements of each list that are shown. */
  readonly shown: number;
  /** The target of the link of a string in a field, if any. */
  readonly linkOf?: (field: string, value: string) => string | undefined;
}

export const jsonHtml = (value: unknown, view: JsonView): Html => html`<code>${print(value, "", "", view)}</code>`;

/** The characters that fit a line of the narrowest column. */
const lineLength = 44;

/** `indent` is undefined within a line. */
function print(value: unknown, field: string, indent: string | undefined, view: JsonView): Html {
  if (typeof value === "string") return text(value, field, view);
  if (typeof value === "number") return html`<span class="n">${value}</span>`;
  if (typeof value !== "object" || value === null) return html`<span class="l">${String(value)}</span>`;
  if (Array.isArray(value)) return list(value, field, indent, view);
  const members = Object.entries(value).map(
    ([name, member]) => [html`<span class="k">${JSON.stringify(name)}</span>: `, member, name] as const,
  );
  if (members.length === 0) return html`{}`;
  if (indent === undefined || fits(value, indent)) {
    return html`{ ${joined(members.map(([key, member, name]) => html`${key}${print(member, name, undefined, view)}`))} }`;
  }
  const lines = members.map(([key, member, name]) => html`${key}${print(member, name, `${indent}  `, view)}`);
  return block("{", lines, "}", indent);
}

function list(values: readonly unknown[], field: string, indent: string | undefined, view: JsonView): Html {
  const first = values.slice(0, view.shown);
  const more = values.length - first.length;
  const rest = more > 0 ? html`<span class="c">… ${more} more</span>` : undefined;
  if (indent === undefined || (fits(first, indent) && first.every(isPlain))) {
    const parts = first.map((each) => print(each, field, undefined, view));
    return html`[${joined(rest === undefined ? parts : [...parts, rest])}]`;
  }
  const lines = first.map((each) => print(each, field, `${indent}  `, view));
  return block("[", lines, "]", indent, rest);
}

const fits = (value: unknown, indent: string): boolean => JSON.stringify(value).length + indent.length <= lineLength;

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain));

const joined = (parts: readonly Html[]): readonly Html[] =>
  parts.map((part, index) => html`${index > 0 && ", "}${part}`);

/** `rest` is a further line behind the others. */
function block(open: string, lines: readonly Html[], close: string, indent: string, rest?: Html): Html {
  if (lines.length === 0) return html`${open}${close}`;
  const all = lines.map((line, at) => html`\n${indent}  ${line}${at < lines.length - 1 && ","}`);
  const last = rest === undefined ? undefined : html`,\n${indent}  ${rest}`;
  return html`${open}${all}${last}\n${indent}${close}`;
}

function text(value: string, field: string, { linkOf }: JsonView): Html {
  const link = linkOf?.(field, value);
  const own = html`<span class="s">${JSON.stringify(value)}</span>`;
  return link === undefined ? own : html`<a href="${link}">${own}</a>`;
}
