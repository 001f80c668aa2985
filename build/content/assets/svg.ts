// Whether an SVG runs nothing. A browser that opens it at its own address would run its scripts on the origin of the API.

/** Elements with another language, or that listen to events, in any namespace. */
const elements = /<(?:[^\s<>/:]+:)?(?:script|foreignobject|handler|listener|iframe|embed|object|audio|video)[\s/>]/i;

/** Attributes such as onload, also after a slash or a quotation mark. */
const handlers = /[\s"'/]on[a-z]+\s*=/i;

/** Addresses that run something, in attributes and stylesheets. */
const addresses = /(?:javascript|vbscript|data:(?:text\/html|image\/svg|application\/))/i;

const doctypeWithSubset = /<!doctype(?:[^>"'[]|"[^"]*"|'[^']*')*\[/i;

/** A reference to another entity than those of XML. */
const namedReference = /&(?!(?:lt|gt|amp|quot|apos);)[\p{L}_:][^\s;&<]*;/u;

/** What the bytes of an SVG may run, as `harmIn` says it. */
export function harmOf(parts: Iterable<Uint8Array>): string | undefined {
  try {
    return harmIn(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat([...parts])));
  } catch (error) {
    if (error instanceof TypeError) return "is not UTF-8";
    throw error;
  }
}

/** Returns what an SVG may run, as a clause about the file; undefined if it runs nothing. The check refuses more than it must. */
export function harmIn(svg: string): string | undefined {
  if (/[^\P{Cc}\t\n\r]/u.test(svg)) return "has control characters, which may hide what it runs";
  const encoding = /^\ufeff?\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/i.exec(svg)?.[1] ?? "utf-8";
  if (!/^(?:utf-8|us-ascii)$/i.test(encoding)) return `says that its encoding is ${encoding}, and must be UTF-8`;
  if (/<!(?:entity|attlist|element|notation)/i.test(svg) || doctypeWithSubset.test(svg))
    return "has definitions, which may hide what it runs";
  if (namedReference.test(svg)) return "refers to an entity, which may hide what it runs";
  if (/<\?xml-stylesheet/i.test(svg)) return "has a stylesheet that may run something";
  const plain = withoutReferences(svg);
  const element = elements.exec(plain)?.[0];
  if (element !== undefined) return `has the element ${element.replace(/[<\s/>]/g, "")}, which may run something`;
  const handler = handlers.exec(plain)?.[0];
  if (handler !== undefined) return `has the attribute ${handler.replace(/[^\w]/g, "")}, which runs a script`;
  // Browsers ignore control characters in the names of schemes.
  if (addresses.test(plain.replace(/[\s\p{Cc}]/gu, ""))) return "has an address that may run something";
  return undefined;
}

/** With the characters that references by number stand for. */
const withoutReferences = (text: string): string =>
  text.replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
