// Checks HTML pages without a browser: elements are closed in order, ids are unique, and links lead somewhere.

const voids = new Set(["meta", "link", "wbr", "br", "input"]);

/** The elements that are closed out of order or not at all, and repeated ids. */
export function mistakesIn(page: string): readonly string[] {
  const open: string[] = [];
  const mistakes: string[] = [];
  const ids = new Set<string>();
  const body = page.replace(/^<!doctype html>/, "");
  for (const [tag, end, name = "", attributes = ""] of body.matchAll(
    /<(\/?)([a-z0-9]+)((?: [a-z-]+(?:="[^"<]*")?)*)>/g,
  )) {
    const [, id] = / id="([^"]*)"/.exec(attributes) ?? [];
    if (id !== undefined && (ids.has(id) || /\s/.test(id))) mistakes.push(tag);
    if (id !== undefined) ids.add(id);
    if (end === "" && !voids.has(name)) open.push(name);
    if (end !== "" && open.pop() !== name) mistakes.push(tag);
  }
  const rest = body.replaceAll(/<\/?[a-z0-9]+(?: [a-z-]+(?:="[^"<]*")?)*>/g, "");
  return [...mistakes, ...open, ...(rest.match(/[<>].*/g) ?? [])];
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The text that a browser shows for escaped text. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? "");

/** The targets of all links. */
export const linksIn = (page: string): readonly string[] =>
  [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href));

export const hasAnchor = (page: string, anchor: string): boolean => page.includes(` id="${anchor}"`);

/** The links within a page that lead nowhere, and anchors that are there twice. */
export function deadAnchorsIn(page: string): readonly string[] {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
  const targets = linksIn(page).filter((href) => href.startsWith("#"));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index),
    ...targets.filter((href) => !ids.includes(href.slice(1))),
  ];
}
