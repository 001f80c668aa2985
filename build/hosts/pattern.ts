// Regular expressions over a query string as sent, for hosts with rules. They use only the syntax that PCRE, RE2 and
// JavaScript share.

/** Matches a query that has the parameter, with or without a value. `start` matches the text before the first pair. */
export const has = (start: string, name: string): string => `${start}(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter more than once. */
export const repeats = (start: string, name: string): string =>
  `${start}(?:.*&)?${name}(?:=[^&]*)?&(?:.*&)?${name}(?:[=&]|$)`;

/** Matches a query that has the parameter with a value that matches `form`, which has no anchors. */
export const holds = (start: string, name: string, form: string): string => `${start}(?:.*&)?${name}=${form}(?:&|$)`;
