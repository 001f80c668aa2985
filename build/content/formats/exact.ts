// Programs read a JSON number as a double, which does not represent most decimals of more than 15 digits.

/**
 * The number that a literal of JSON or YAML denotes. If it has digits that the nearest double lacks, the result is
 * Infinity, which no schema accepts.
 */
export function exactNumber(literal: string, value = Number(literal)): number {
  // Short literals lose no digits.
  if (literal.length <= 15 && !/e/i.test(literal)) return value;
  const written = decimalOf(literal);
  return written === undefined || written === decimalOf(String(value)) ? value : Number.POSITIVE_INFINITY;
}

/** The same text for equal decimals; undefined for .nan, 0x1F and others that lose no digits. */
function decimalOf(literal: string): string | undefined {
  const [whole, integer = "", fraction = "", exponent = "0"] =
    literal.match(/^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${integer}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Like JSON.parse, but returns Infinity for numbers that are not exact; 1e999 is how to write it in JSON. */
export const parseExact = (json: string): unknown =>
  JSON.parse(
    json.replace(token, (each) => (each.startsWith('"') || Number.isFinite(exactNumber(each)) ? each : "1e999")),
  );

const token = /"(?:[^"\\]+|\\.)*"|-?\d[-+.\de]*/gi;
