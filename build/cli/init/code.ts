// Guesses as TypeScript, in the style of the formatter.
import type { Form, GuessedField, GuessedFilter } from "./guess.ts";
import type { DialectOptions } from "./survey.ts";

/** The longest line. */
const width = 120;

/** A text in the quotes that need fewer escapes. */
export function literal(text: string): string {
  const count = (quote: string): number => text.split(quote).length;
  const quoted = JSON.stringify(text);
  if (count('"') <= count("'")) return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export const listOf = (elements: readonly string[]): string => `[${elements.join(", ")}]`;

/** Whether a name needs no quotes as the name of a property. */
const isPlainName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

const propertyName = (name: string): string => (isPlainName(name) ? name : literal(name));

const words =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield|defineApi|defineCollection|id|slug|time|z)$/;

/** The constant of a collection: `stop-times` is stopTimes. */
export function constantOf(name: string): string {
  const constant = name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return words.test(constant) ? `${constant}Items` : constant;
}

/** A field of a schema, on one or several lines. */
export function linesOfField({ name, form, isOptional }: GuessedField, indent: number): readonly string[] {
  const start = `${" ".repeat(indent)}${propertyName(name)}: `;
  return `${start}${codeOf(form, { indent, before: start.length, isOptional })},`.split("\n");
}

interface Layout {
  /** Of the line on which the expression starts. */
  readonly indent: number;
  /** The characters on the line before the expression. */
  readonly before: number;
  readonly isOptional?: boolean;
}

function codeOf(form: Form, layout: Layout): string {
  const { indent, before, isOptional = false } = layout;
  const isNullable = form.isNullable && form.kind !== "null" && form.kind !== "unknown";
  const calls = [...(isNullable ? [".nullable()"] : []), ...(isOptional ? [".optional()"] : [])];
  const rest = calls.join("");
  const base = baseOf(form, indent, before, rest.length + 1);
  // A pattern is what the formatter takes for a long argument.
  const isLong = calls.length + (form.kind === "scalar" ? 2 : 1) > 2 && base.includes(".regex(");
  const isSplit = calls.length > 0 && (base.includes("\n") || isLong);
  if (!isSplit) return `${base}${rest}`;
  const space = `\n${" ".repeat(indent + 2)}`;
  const [, called = ""] = /^z(.*)$/s.exec(baseOf(form, indent + 2, indent + 3, 0)) ?? [];
  const parts = form.kind === "scalar" ? called.replace(").regex(", `)${space}.regex(`) : called;
  return ["z", parts, ...calls].join(space);
}

/** `after`: the length of what follows on the last line. */
function baseOf(form: Form, indent: number, before: number, after: number): string {
  const inner = { indent: indent + 2, before: indent + 2 };
  const fits = (code: string): boolean => !code.includes("\n") && before + code.length + after <= width;
  const lines = (open: string, parts: readonly string[], close: string): string => {
    const space = " ".repeat(indent + 2);
    return [open, ...parts.map((part) => `${space}${part},`), `${" ".repeat(indent)}${close}`].join("\n");
  };
  const call = (name: string, parts: readonly string[], open = "(", close = ")"): string => {
    const code = `${name}${open}${parts.join(", ")}${close}`;
    return fits(code) ? code : lines(`${name}${open}`, parts, close);
  };
  switch (form.kind) {
    case "scalar":
      return form.code;
    case "boolean":
    case "null":
    case "unknown":
      return `z.${form.kind}()`;
    case "choice": {
      const [first = "", ...others] = form.values.map(literal);
      return others.length === 0 ? `z.literal(${first})` : call("z.enum", [first, ...others], "([", "])");
    }
    case "list":
      return call("z.array", [codeOf(form.element, inner)]);
    case "record":
      return call("z.record", ["z.string()", codeOf(form.values, inner)]);
    case "union":
      return call(
        "z.union",
        form.forms.map((one) => codeOf(one, inner)),
        "([",
        "])",
      );
    case "object": {
      if (form.fields.length === 0) return "z.strictObject({})";
      const fields = form.fields.flatMap((field) => linesOfField(field, indent + 2));
      return ["z.strictObject({", ...fields, `${" ".repeat(indent)}})`].join("\n");
    }
  }
}

/** An object on one line if it fits, as the value of an option of a collection. */
function optionLine(name: string, properties: readonly string[]): readonly string[] {
  const line = `  ${name}: { ${properties.join(", ")} },`;
  if (line.length <= width) return [line];
  return [`  ${name}: {`, ...properties.map((property) => `    ${property},`), "  },"];
}

export function linesOfFilters(filters: readonly GuessedFilter[]): readonly string[] {
  if (filters.length === 0) return [];
  const properties = filters.map(({ param, field, isSlug }) => {
    const by = isSlug ? `{ field: ${literal(field)}, slug: true }` : literal(field);
    return `${propertyName(param)}: ${by}`;
  });
  return optionLine("filters", properties);
}

/** The option `files`. */
export function optionLines(glob: string, options: DialectOptions): readonly string[] {
  const entries = Object.entries(options);
  if (entries.length === 0) return [`  files: ${literal(glob)},`];
  return optionLine("files", [
    `match: ${literal(glob)}`,
    ...entries.map(([name, value]) => `${name}: ${optionValue(value, name)}`),
  ]);
}

/** A value of an option, in lines if it is a long list. */
function optionValue(value: unknown, name: string): string {
  if (typeof value === "string") return literal(value);
  if (!Array.isArray(value)) return String(value);
  const elements = value.map((element) => literal(String(element)));
  const inline = listOf(elements);
  if (inline.length + name.length + 7 <= width) return inline;
  return ["[", ...elements.map((element) => `      ${element},`), "    ]"].join("\n");
}
