// Numbers that are not published as they are written: YAML, TOML and CSV read 3.10 as 3.1, and YAML reads 012 as 12 and 0x1F as
// 31.
// They are probably versions or codes. One warning a field names the first of them.
import * as z from "zod";
import { hasFields, ownField } from "../../src/model/fields.ts";
import { kindsOf, type Schema, schemasAt } from "../../src/model/kinds.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { typesOf } from "../explain/explain.ts";
import { dotted } from "../explain/faults.ts";
import { type Draft, type Log, openLog, type Path, type Spot } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { decode } from "./formats/source.ts";
import type { At, Value } from "./formats/value.ts";
import { dialectFor, type ReadableFile, sourceIn, valuesIn } from "./formats/values.ts";

/** A number in a file, and its place. */
interface WrittenNumber {
  readonly value: number;
  readonly written: string;
  /** In the item. */
  readonly path: Path;
  /** The place of the item. */
  readonly at: At;
}

/** The numbers of one field. */
interface Column {
  count: number;
  /** How many digits they have behind the point. */
  readonly decimals: Set<number>;
  /** The first one with a prefix, and the first one with a zero at its end. */
  prefixed?: WrittenNumber;
  ended?: WrittenNumber;
}

/** The numbers of a collection. */
export class WrittenNumbers {
  readonly #schema: z.ZodObject | undefined;
  /** The fields that are numbers in CSV, and may have decimals. */
  readonly #cells: readonly string[];
  readonly #columns = new Map<string, Column>();
  /** Files in which all numbers are written as they are published. */
  readonly #plain: ReadableFile[] = [];

  constructor({ transform }: Pick<ListOperation, "transform">, schema: z.ZodType) {
    const object = schema instanceof z.ZodObject ? schema : undefined;
    const fields = Object.entries(object?.shape ?? {});
    this.#cells = fields.flatMap(([name, form]) => (isNumber(form) && !typesIn(form).has("string") ? [name] : []));
    // A transform gets other fields than it returns.
    this.#schema = transform === undefined ? object : undefined;
  }

  /** Notes the cells of a row that became numbers of an item. */
  noteRow({ data: row, at }: Value, item: unknown): void {
    if (!hasFields(row) || !hasFields(item)) return;
    for (const field of this.#cells) {
      const written = ownField(row, field);
      const value = ownField(item, field);
      if (typeof written !== "string" || typeof value !== "number") continue;
      this.#add(`.${field}`, { value, written, path: [field], at });
    }
  }

  /** Notes the numbers in a file of YAML or TOML. */
  noteFile(file: ReadableFile): void {
    const { format, encoding } = dialectFor(file);
    if (!format.hasOtherNumbers) return;
    const { text } = decode(file.read(), encoding);
    if (mayAlter.test(text)) for (const number of numbersIn(file, text)) this.#note(number);
    else this.#plain.push(file);
  }

  /** Reports the first number of each column that is not published as it is written. Called at the end. */
  report(report: Log["report"]): void {
    // The other numbers of the field may have as many decimals.
    if ([...this.#columns.values()].some(({ ended }) => ended !== undefined))
      for (const file of this.#plain.splice(0)) for (const number of plainNumbersIn(file)) this.#note(number);
    for (const { count, decimals, prefixed, ended } of this.#columns.values()) {
      const isAlike = count > 1 && decimals.size === 1;
      const first = prefixed ?? (isAlike ? undefined : ended);
      if (first !== undefined) report(altered(first));
    }
  }

  #note(number: WrittenNumber): void {
    const { path } = number;
    // A number in place of a text is a fault, which says how to write it.
    if (this.#schema !== undefined && !mayBeNumber(this.#schema, path)) return;
    this.#add(path.map((step, index) => this.#stepOf(path.slice(0, index), step)).join(""), number);
  }

  #add(name: string, number: WrittenNumber): void {
    const { written } = number;
    const column = this.#columns.get(name) ?? { count: 0, decimals: new Set<number>() };
    this.#columns.set(name, column);
    column.count++;
    column.decimals.add(decimalsOf(written));
    if (hasPrefix.test(written)) column.prefixed ??= number;
    else if (endsWithZero.test(written)) column.ended ??= number;
  }

  /** The elements of a list are one field, and so are the values of a record. */
  #stepOf(owner: Path, step: string | number): string {
    if (typeof step === "number") return "[]";
    const schemas = this.#schema === undefined ? [] : schemasAt(this.#schema, owner);
    return schemas.flatMap(kindsOf).some(({ kind }) => kind === "record") ? ".*" : `.${step}`;
  }
}

/** Whether a text of YAML or TOML may have such a number. Most texts have none, and are not read again. */
const mayAlter =
  /(?:[:-]\s+|[[{,=]\s*|["']:)(?:[&!]\S*\s+|#.*\r?\n\s*){0,3}[-+]?(?:0(?:[0-9]|x[0-9a-f]|o[0-7])[0-9a-f.]*|\d*\.\d*0)[ \t]*(?:$|[,\]}\r]|[ \t]#)/im;

const hasPrefix = /^[-+]?0[\dxo]/i;
const endsWithZero = /^[-+]?\d*[.,]\d*0$/;

const decimalsOf = (written: string): number => /[.,](\d*)$/.exec(written)?.[1]?.length ?? 0;

const typesIn = (schema: Schema): ReadonlySet<string> => new Set(kindsOf(schema).flatMap(typesOf));

const isAny = (schema: Schema): boolean => typesIn(schema).has("any");

const isNumber = (schema: Schema): boolean => isAny(schema) || typesIn(schema).has("number");

/** Whether a value at a path may be a number. A value that may be anything may also have any parts. */
const mayBeNumber = (schema: Schema, path: Path): boolean =>
  schemasAt(schema, path).some(isNumber) ||
  path.some((_, length) => length > 0 && schemasAt(schema, path.slice(0, length)).some(isAny));

/** The numbers in a file, as `content` has them. The text of an alias of YAML is not that of its value. */
function* numbersIn(file: ReadableFile, content: string): Generator<WrittenNumber> {
  const numbers = plainNumbersIn(file);
  const texts = Array.from(content.matchAll(numberText), ([, text = ""]) => text);
  // Finding the place of each number in YAML takes ten times as long as reading the file. It is not needed if the texts that
  // look like numbers are the numbers, one by one.
  const isEach = texts.length === numbers.length && numbers.every(({ value }, index) => Number(texts[index]) === value);
  const writtenAt = isEach ? undefined : sourceIn(file).open();
  for (const [index, number] of numbers.entries()) {
    const written = writtenAt === undefined ? texts[index] : writtenAt(spotOf(number)).written;
    if (written !== undefined && written !== "") yield { ...number, written };
  }
}

/** A text of YAML or TOML that is a number, unless it stands in a comment or in a longer text. */
const numberText = /(?:[:-]\s+|[[{,=]\s*)([-+]?(?:\d[\w.+-]*|\.\d[\w+-]*))[ \t]*(?=$|[,\]}\r]|[ \t]#)/gm;

/** The numbers in a file, as JSON writes them. */
function plainNumbersIn(file: ReadableFile): readonly WrittenNumber[] {
  const numbers: WrittenNumber[] = [];
  const note = (value: unknown, path: Path, at: At): void => {
    if (typeof value === "number") numbers.push({ value, written: String(value), path, at });
    else if (hasFields(value))
      for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value))
        note(part, [...path, key], at);
  };
  // The faults of the file are reported already.
  for (const { data, at } of valuesIn(file, openLog())) note(data, [], at);
  return numbers;
}

const spotOf = ({ at, path }: WrittenNumber): Spot => at.spot(path);

const altered = (number: WrittenNumber): Draft => {
  const { value, written, path, at } = number;
  const right = written.includes(",") ? String(value).replace(".", ",") : String(value);
  // A cell needs no quotes to be a text.
  const write = at.source.dialect.format.hasCells ? "" : `, and write ${quote(written)}`;
  return {
    code: "altered-number",
    at: spotOf(number),
    text: `${dotted(path)} is the number ${written}, which is published as ${value}.`,
    hint: `Write ${right}. If ${written} is a version or a code, declare a string${write}.`,
  };
};
