import { getSystemErrorMap } from "node:util";

/** An error of the machine or of the command's arguments, for the user to read. No change of the content fixes it. */
export class MachineError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/**
 * Words an error of the operating system, such as `No space left on device: dist/a.json.`; undefined for any other
 * error.
 */
export function inWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errno" in error) || typeof error.errno !== "number") return undefined;
  // Node does not know every code; EDQUOT is one of those.
  const [, reason] = getSystemErrorMap().get(error.errno) ?? ["", `the system reports error ${-error.errno}`];
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  return "path" in error && typeof error.path === "string" ? `${sentence}: ${error.path}.` : `${sentence}.`;
}

/** Whether an error is the operating system's and has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
