// Many faults of one cause need one repair, so they are reported in one sentence.
import type { Diagnostic } from "../../diagnostics.ts";
import { groupBy } from "../../group-by.ts";
import { integer } from "../../text/words.ts";

/** Faults of one cause, in the order of their places. */
export interface Group {
  readonly first: Diagnostic;
  readonly faults: readonly Diagnostic[];
}

/** Fewer faults of one cause are reported one by one. */
const fewest = 3;

/** The most values that are listed. */
const mostValues = 8;

/** In the order of their first faults. */
export function fold(shown: readonly Diagnostic[]): readonly Group[] {
  const causes = groupBy(shown, causeOf);
  return shown.flatMap((fault): readonly Group[] => {
    const faults = causes.get(causeOf(fault)) ?? [];
    if (faults.length < fewest) return [alone(fault)];
    return faults[0] === fault ? [{ first: fault, faults }] : [];
  });
}

export const alone = (fault: Diagnostic): Group => ({ first: fault, faults: [fault] });

/** The same for faults of one cause. */
export const causeOf = ({ code, message, hint, cause }: Diagnostic): string =>
  JSON.stringify(cause === undefined ? [code, message, hint] : [code, cause.several]);

export interface FoldedSentence {
  readonly message: string;
  readonly hint: string | undefined;
}

/** The message and the repair. */
export function sentenceOf({ first: { message, hint, cause }, faults }: Group): FoldedSentence {
  if (faults.length === 1) return { message, hint };
  const [count, files] = [integer(faults.length), new Set(faults.map(({ file }) => file)).size];
  const places = files === 1 ? "" : `, in ${integer(files)} files`;
  if (cause === undefined) return { message: `${message} (${count} times${places})`, hint };
  // The hint of one fault suits all only if they are about the same value.
  const isOneHint = new Set(faults.map((each) => each.hint)).size === 1;
  const isOneValue = new Set(faults.map((each) => each.cause?.value)).size === 1;
  const shared = isOneHint && isOneValue ? hint : (cause.hint ?? (isOneHint ? hint : undefined));
  const values = valuesText(faults, shared !== hint);
  return { message: `${count} ${cause.several}${values === "" ? "" : `: ${values}`}${places}.`, hint: shared };
}

/** `"africa-east" (12 times), "eu-wst" (did you mean "eu-west"?) and 3 more`. */
function valuesText(faults: readonly Diagnostic[], hasAsides: boolean): string {
  const causes = faults.flatMap(({ cause }) => (cause?.value === undefined ? [] : cause));
  const values = groupBy(causes, ({ value }) => value);
  const listed = [...values].slice(0, mostValues).map(([value, [first, ...others]]) => {
    const times = others.length === 0 || values.size === 1 ? [] : [`${integer(others.length + 1)} times`];
    const notes = hasAsides && first.aside !== undefined ? [...times, first.aside] : times;
    return notes.length === 0 ? `${value}` : `${value} (${notes.join(", ")})`;
  });
  const more = values.size - listed.length;
  return `${listed.join(", ")}${more > 0 ? ` and ${integer(more)} more` : ""}`;
}
