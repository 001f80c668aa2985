/** The number of a literal. Infinity, which no schema accepts, stands for an integer of which a double loses digits. */
export const numberOf = (literal: string, value = Number(literal)): number =>
  Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(literal) || String(value) === literal
    ? value
    : Number.POSITIVE_INFINITY;
