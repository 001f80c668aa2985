import { MachineError } from "../files/machine-error.ts";

/** Thrown if a published API, or one of its files, cannot be read. */
export class Unreadable extends MachineError {
  /** The reason as a clause, for a sentence of the caller. */
  readonly reason: string;
  /** `place` names the file in the message, unless the reason does. */
  constructor(reason: string, place?: string) {
    const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
    super(place === undefined ? sentence : `${place} cannot be read: ${reason}.`);
    this.reason = reason;
  }
}

export const longerThan = (maxBytes: number): string => `it is longer than ${maxBytes / 1e6} MB`;
