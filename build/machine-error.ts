import { getSystemErrorMap } from "node:util";

/** The machine, or the way the program was called, is at fault: no change of the content helps. For the user to read. */
export class MachineError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** An error of the operating system as a sentence, such as `No space left on device: dist/a.json.`; undefined for any other error. */
export function inWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errno" in error) || typeof error.errno !== "number") return undefined;
  // Node does not know every code; EDQUOT is one of those.
  const [, reason] = getSystemErrorMap().get(error.errno) ?? ["", `the system reports error ${-error.errno}`];
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  return "path" in error && typeof error.path === "string" ? `${sentence}: ${error.path}.` : `${sentence}.`;
}

/** Whether it is an error of the operating system with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
