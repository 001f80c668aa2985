// Finds the options of a call in the text of a module, for the places of faults. It reads TypeScript as tokens and not as
// syntax: a place that it does not find is one less precise, and no parser of TypeScript is small.

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Token extends Range {
  readonly kind: "word" | "text" | "sign";
  readonly sign: string;
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
  let at = start;
  for (;;) {
    at = matchAt(skipped, text, at) ?? at;
    if (at >= end) return;
    last = tokenAt(text, at, last);
    at = last.end;
    yield last;
  }
}

function tokenAt(text: string, start: number, last: Token | undefined): Token {
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

/** Whether a value may follow a token, and not an operator. */
const isOperand = (last: Token | undefined): boolean =>
  last === undefined ||
  (last.kind === "word" ? operators.has(last.sign) : last.kind === "sign" && !/[)\]}]/.test(last.sign));

function templateEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "`") return at + 1;
    if (text[at] === "\\") at++;
    if (text[at] === "$" && text[at + 1] === "{") at = closeOf(text, at + 1) - 1;
  }
  return text.length;
}

const closing: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

/** The end of the brackets that open at `start`. */
function closeOf(text: string, start: number): number {
  let depth = 0;
  for (const { kind, sign, end } of tokensIn(text, { start, end: text.length })) {
    if (kind !== "sign") continue;
    if (sign in closing) depth++;
    else if (/[)\]}]/.test(sign) && --depth === 0) return end;
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
  const members: Member[] = [];
  let tokens: Token[] = [];
  const add = () => {
    const member = memberOf(text, tokens, text[start] === "{" ? undefined : String(members.length));
    if (member !== undefined) members.push(member);
    tokens = [];
  };
  let depth = 0;
  for (const token of tokensIn(text, { start: start + 1, end: closeOf(text, start) })) {
    if (token.kind === "sign" && /[)\]}]/.test(token.sign)) depth--;
    if (depth < 0) break;
    if (token.kind === "sign" && token.sign in closing) depth++;
    if (depth === 0 && token.kind === "sign" && token.sign === ",") add();
    else tokens.push(token);
  }
  add();
  return members;
}

/** `index` is the name of an element. Undefined for a property whose name is not written there. */
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

/** The arguments of the call whose function's name starts at `start`. */
export function argumentsAt(text: string, start: number): readonly Member[] {
  for (const { kind, sign, start: open } of tokensIn(text, { start, end: text.length })) {
    if (kind === "sign" && sign === "(") return membersAt(text, open);
  }
  return [];
}

/**
 * The member `name` of a value: of an object or list, of the variable that it names, or of the outermost object in it
 * that has this member, as in `z.strictObject({ … })`.
 */
export function memberIn(text: string, range: Range, name: string, isVariable = false): Member | undefined {
  const [first, second] = tokensIn(text, range);
  if (first?.kind === "word" && second === undefined && !isVariable) {
    const variable = variableIn(text, first.sign);
    return variable && memberIn(text, variable, name, true);
  }
  if (first?.sign === "[" && first.kind === "sign") return named(membersAt(text, first.start), name);
  const objects: { readonly start: number; readonly depth: number }[] = [];
  let depth = 0;
  for (const { kind, sign, start } of tokensIn(text, range)) {
    if (kind !== "sign") continue;
    if (sign === "{") objects.push({ start, depth });
    if (sign in closing) depth++;
    else if (/[)\]}]/.test(sign)) depth--;
  }
  for (const { start } of objects.sort((a, b) => a.depth - b.depth)) {
    const member = named(membersAt(text, start), name);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** The last of several properties counts. */
const named = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name);

/** The value that the module gives a variable. */
function variableIn(text: string, name: string): Range | undefined {
  let depth = 0;
  let state: "before" | "name" | "type" | "value" = "before";
  let start: number | undefined;
  let end = text.length;
  for (const token of tokensIn(text, { start: 0, end: text.length })) {
    if (start !== undefined && depth === 0 && (token.sign === ";" || statements.has(token.sign))) {
      end = token.start;
      break;
    }
    if (token.kind === "sign" && token.sign in closing) depth++;
    else if (token.kind === "sign" && /[)\]}]/.test(token.sign)) depth--;
    if (state === "value") continue;
    if (state === "type" && token.sign === "=" && depth === 0) {
      state = "value";
      start = token.end;
    } else if (state === "name") state = token.sign === name ? "type" : "before";
    else if (state === "before" && ["const", "let", "var"].includes(token.sign)) state = "name";
  }
  return start === undefined ? undefined : { start, end };
}

const statements: ReadonlySet<string> = new Set([
  "const",
  "let",
  "var",
  "export",
  "import",
  "function",
  "class",
  "interface",
  "type",
]);
