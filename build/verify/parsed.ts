/** The value of a text in JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever asked sees that it is nothing he knows.
    return undefined;
  }
}
