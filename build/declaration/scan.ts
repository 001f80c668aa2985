// Finds the options of a call in the text of a module, for the places of faults. It splits TypeScript into tokens and
// does not parse it, because every parser of TypeScript is large. The place of an option that it misses is less precise.

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Token extends Range {
  readonly kind: "word" | "text" | "sign";
  /** The word or the sign. The first character of a text or a regular expression. */
  readonly sign: string;
  /** The number of brackets around the token. A bracket is not within itself. */
  readonly depth: number;
}

const skipped = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const word = /[\p{ID_Start}$_#\d][\p{ID_Continue}$\u200c\u200d]*/uy;
const string = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const expression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** A slash after one of these words starts a regular expression. */
const operators: ReadonlySet<string> = new Set(["return", "typeof", "case", "in", "of", "void", "await", "yield"]);

function matchAt(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}

function* tokensIn(text: string, { start, end }: Range): Generator<Token> {
  let last: Token | undefined;
  let depth = 0;
  let at = start;
  for (;;) {
    at = matchAt(skipped, text, at) ?? at;
    if (at >= end) return;
    const token = tokenAt(text, at, last);
    if (isClosing(token)) depth--;
    last = { ...token, depth };
    yield last;
    if (/[([{]/.test(token.sign)) depth++;
    at = token.end;
  }
}

const isClosing = ({ sign }: Pick<Token, "sign">): boolean => /[)\]}]/.test(sign);

function tokenAt(text: string, start: number, last: Token | undefined): Omit<Token, "depth"> {
  const sign = text[start] ?? "";
  const name = matchAt(word, text, start);
  if (name !== undefined) return { kind: "word", sign: text.slice(start, name), start, end: name };
  const quoted = sign === "`" ? templateEnd(text, start) : matchAt(string, text, start);
  if (quoted !== undefined) return { kind: "text", sign, start, end: quoted };
  if (sign === "/" && isOperand(last)) {
    const end = matchAt(expression, text, start);
    if (end !== undefined) return { kind: "text", sign, start, end };
  }
  return { kind: "sign", sign, start, end: start + 1 };
}

/** Whether a value may follow a token. An operator follows other tokens. */
const isOperand = (last: Token | undefined): boolean =>
  last === undefined || (last.kind === "word" ? operators.has(last.sign) : last.kind === "sign" && !isClosing(last));

function templateEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "`") return at + 1;
    if (text[at] === "\\") at++;
    if (text[at] === "$" && text[at + 1] === "{") at = closeOf(text, at + 1) - 1;
  }
  return text.length;
}

/** The end of the brackets that open at `start`. */
function closeOf(text: string, start: number): number {
  for (const token of tokensIn(text, { start, end: text.length })) {
    if (isClosing(token) && token.depth === 0) return token.end;
  }
  return text.length;
}

export interface Member {
  readonly name: string;
  readonly key: Range;
  readonly value: Range;
}

/** The properties of an object, or the elements of a list or of arguments, whose brackets open at `start`. */
function membersAt(text: string, start: number): readonly Member[] {
  const parts: Token[][] = [[]];
  for (const token of tokensIn(text, { start, end: closeOf(text, start) })) {
    if (token.depth === 1 && token.sign === ",") parts.push([]);
    else if (token.depth > 0) parts.at(-1)?.push(token);
  }
  const isObject = text[start] === "{";
  return parts.flatMap((tokens, index) => memberOf(text, tokens, isObject ? undefined : String(index)) ?? []);
}

/** `index` is the name of an element. Undefined for a property without a written name, such as `...others`. */
function memberOf(text: string, tokens: readonly Token[], index: string | undefined): Member | undefined {
  const [first, second, third] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const whole = { start: first.start, end: last.end };
  if (index !== undefined) return { name: index, key: whole, value: whole };
  if (first.kind === "sign") return undefined;
  const name = first.kind === "word" ? first.sign : text.slice(first.start + 1, first.end - 1);
  if (second?.sign === ":" && third !== undefined)
    return { name, key: first, value: { start: third.start, end: last.end } };
  return { name, key: first, value: second === undefined ? first : whole };
}

/** The arguments of the call with the name of its function at `start`. */
export function argumentsAt(text: string, start: number): readonly Member[] {
  for (const token of tokensIn(text, { start, end: text.length })) {
    if (token.sign === "(") return membersAt(text, token.start);
  }
  return [];
}

/**
 * The member `name` of a value: of a list, of the outermost object with this member, as in `z.strictObject({ … })`, or of
 * the value of a variable. If the name occurs several times, its last member.
 */
export function memberIn(text: string, range: Range, name: string, isVariable = false): Member | undefined {
  const tokens = [...tokensIn(text, range)];
  const [first, second] = tokens;
  if (first?.kind === "word" && second === undefined && !isVariable) {
    const variable = variableIn(text, first.sign);
    return variable && memberIn(text, variable, name, true);
  }
  const opening = first?.sign === "[" ? [first] : tokens.filter(({ sign }) => sign === "{");
  for (const { start } of opening.toSorted((a, b) => a.depth - b.depth)) {
    const member = membersAt(text, start).findLast((each) => each.name === name);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** The value that the module assigns to a variable where it declares it. */
function variableIn(text: string, name: string): Range | undefined {
  const tokens = [...tokensIn(text, { start: 0, end: text.length })].filter(({ depth }) => depth === 0);
  const declared = tokens.findIndex(
    ({ sign }, index) => sign === name && ["const", "let", "var"].includes(tokens[index - 1]?.sign ?? ""),
  );
  if (declared < 0) return undefined;
  const rest = tokens.slice(declared);
  const assigned = rest.find(({ sign }) => sign === "=");
  const next = rest.find(({ sign, start }) => start > (assigned?.start ?? 0) && (sign === ";" || statements.has(sign)));
  return assigned && { start: assigned.end, end: next?.start ?? text.length };
}

const statements: ReadonlySet<string> = new Set("const let var export import function class interface type".split(" "));
