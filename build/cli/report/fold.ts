// Many faults of one cause need one repair, so they are reported in one sentence.
import type { Cause, Diagnostic } from "../../diagnostics.ts";
import { integer } from "../../words.ts";

/** Faults of one cause, in the order of their places. */
export interface Group {
  readonly first: Diagnostic;
  readonly faults: readonly Diagnostic[];
}

/** Fewer faults of one cause are reported one by one. */
const fewest = 3;

/** In the order of their first faults. */
export function fold(shown: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const fault of shown) {
    const key = causeOf(fault);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fault]);
    else group.push(fault);
  }
  return shown.flatMap((fault): readonly Group[] => {
    const faults = groups.get(causeOf(fault)) ?? [];
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
export function sentenceOf({ first, faults }: Group): FoldedSentence {
  if (faults.length === 1) return { message: first.message, hint: first.hint };
  const count = integer(faults.length);
  const places = placesText(faults);
  const hint = sharedHint(faults);
  if (first.cause === undefined) return { message: `${first.message} (${count} times${places})`, hint };
  const values = valuesText(faults, hint === first.hint);
  return { message: `${count} ${first.cause.several}${values === "" ? "" : `: ${values}`}${places}.`, hint };
}

/** The hint that all faults share, or the hint of their cause. */
function sharedHint(faults: readonly Diagnostic[]): string | undefined {
  const hints = new Set(faults.map(({ hint }) => hint));
  const [first] = faults;
  return hints.size === 1 ? (several(faults)?.hint ?? first?.hint) : first?.cause?.hint;
}

/** The cause, if its faults have different values, so that the hint of one does not suit the others. */
const several = (faults: readonly Diagnostic[]): Cause | undefined =>
  new Set(faults.map(({ cause }) => cause?.value)).size > 1 ? faults[0]?.cause : undefined;

/** The most values that are listed. */
const mostValues = 8;

/** `"africa-east" (12 times), "eu-wst" (did you mean "eu-west"?) and 3 more`. */
function valuesText(faults: readonly Diagnostic[], hasHint: boolean): string {
  const values = new Map<string, { count: number; aside: string | undefined }>();
  for (const { cause } of faults) {
    if (cause?.value === undefined) continue;
    const { count } = values.get(cause.value) ?? { count: 0 };
    values.set(cause.value, { count: count + 1, aside: hasHint ? undefined : cause.aside });
  }
  const listed = [...values].slice(0, mostValues).map(([value, { count, aside }]) => {
    const notes = [...(count === 1 || values.size === 1 ? [] : [`${integer(count)} times`]), ...(aside ? [aside] : [])];
    return notes.length === 0 ? value : `${value} (${notes.join(", ")})`;
  });
  const more = values.size - listed.length;
  return `${listed.join(", ")}${more > 0 ? ` and ${integer(more)} more` : ""}`;
}

function placesText(faults: readonly Diagnostic[]): string {
  const files = new Set(faults.map(({ file }) => file)).size;
  return files === 1 ? "" : `, in ${integer(files)} files`;
}
