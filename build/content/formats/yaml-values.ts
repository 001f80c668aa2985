// Converts the nodes of a YAML document to JSON values: keys become strings, an alias the value of its anchor. An
// anchored value exists once, however often it is used.
import { type Alias, type Document, isAlias, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from "yaml";
import { unread } from "../source.ts";
import { exactNumber } from "./exact.ts";
import type { Span, TextProblem } from "./format.ts";

/** The limit of values that aliases expand to, beyond those written in the file: far more than a person writes. */
const maxExpansion = 1_000_000;

export type Anchored = Exclude<ParsedNode, Alias>;

export interface ReadDocument {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Whether the aliases expand to too many values. */
  readonly bomb: boolean;
  /** The target of each alias; an alias without an anchor, or inside its anchored value, has none. */
  readonly targets: ReadonlyMap<Alias, Anchored>;
}

/** `length` is the length of the document's text. */
export function readDocument({ contents }: Document.Parsed, length: number): ReadDocument {
  const problems: TextProblem[] = [];
  const anchors = new Map<string, { readonly node: Anchored; readonly value: unknown; readonly size: number }>();
  const targets = new Map<Alias, Anchored>();
  let size = 0;
  let bomb = false;

  const read = (node: ParsedNode | null): unknown => {
    size++;
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node);
    const before = size;
    if (node.anchor !== undefined) anchors.set(node.anchor, { node, value: unread, size: 0 });
    const value = isScalar(node) ? scalarValue(node) : isSeq(node) ? node.items.map(read) : readMap(node);
    if (node.anchor !== undefined) anchors.set(node.anchor, { node, value, size: size - before });
    return value;
  };

  const readAlias = (alias: Alias.Parsed): unknown => {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined) problems.push(noAnchor(alias));
    else if (anchored.value === unread) problems.push(yamlOnly(alias, "values that hold themselves", "Write it out."));
    else targets.set(alias, anchored.node);
    size += anchored?.size ?? 0;
    if (!bomb && size > length + maxExpansion) {
      bomb = true;
      problems.push({ code: "too-many-aliases", span: spanOf(alias) });
    }
    return anchored?.value ?? unread;
  };

  const readMap = (map: YAMLMap.Parsed): Readonly<Record<string, unknown>> => {
    const entries = new Map<string | symbol, unknown>();
    const starts = itemStarts(map);
    if (starts.size > 0) entries.set(unread, true);
    for (const pair of map.items) {
      read(pair.key);
      const value = read(pair.value);
      const key = isAlias(pair.key) ? targets.get(pair.key) : pair.key;
      const name = key && keyText(key);
      if (key === undefined) entries.set(unread, value);
      else if (name === undefined) problems.push(yamlOnly(pair.key, "keys that are lists or objects", "Write a word."));
      else if (isMerge(key)) {
        problems.push(yamlOnly(key, "merge keys (<<)", "Write the fields out."));
        entries.set(unread, value);
      } else {
        if (starts.has(pair.key)) problems.push({ code: "missing-hyphen", span: spanOf(pair.key) });
        else if (starts.size === 0 && entries.has(name))
          problems.push({ code: "duplicate-key", span: spanOf(pair.key) });
        entries.set(name, value);
      }
    }
    return Object.fromEntries(entries);
  };

  const value = read(contents);
  return { value, problems, bomb, targets };
}

/**
 * A map may be several items without hyphens. The keys at which further items start: repeats of the first key, if other
 * keys are repeated, too.
 */
function itemStarts({ items }: YAMLMap.Parsed): ReadonlySet<ParsedNode> {
  const names = items.map(({ key }) => nameOf(key));
  const [first] = names;
  const starts = items.slice(1).flatMap(({ key }, index) => (names[index + 1] === first ? [key] : []));
  if (first === undefined || starts.length === 0) return none;
  return names.length - new Set(names).size > starts.length ? new Set(starts) : none;
}

const none: ReadonlySet<ParsedNode> = new Set();

const nameOf = (key: ParsedNode | undefined): string | undefined =>
  key === undefined || isAlias(key) ? undefined : keyText(key);

const scalarValue = ({ value, source }: Scalar): unknown =>
  typeof value === "number" && source !== undefined ? exactNumber(source, value) : value;

/** The JSON name of a key, as written: 3.10 is not 3.1. */
export function keyText(key: Anchored): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

const isMerge = (key: Anchored): boolean => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

export const spanOf = ({ range: [start, end] }: ParsedNode): Span => ({ start, end });

function noAnchor(alias: Alias.Parsed): TextProblem {
  const detail = `there is no anchor &${alias.source} before this alias`;
  return { code: "syntax", span: spanOf(alias), detail, hint: "Put a text that starts with * in quotes." };
}

const yamlOnly = (node: ParsedNode, detail: string, hint: string): TextProblem => ({
  code: "yaml-only",
  span: spanOf(node),
  detail,
  hint,
});
