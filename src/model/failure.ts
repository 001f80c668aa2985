import type { Place } from "./place.ts";

/** An error that a function of the declaration threw. It is returned instead of a value, and the caller reports it. */
export class Failure {
  /** The call that threw, or the option with the function. */
  readonly place: Place;
  /** A sentence. */
  readonly text: string;
  constructor(place: Place, text: string) {
    this.place = place;
    this.text = text;
  }
}
