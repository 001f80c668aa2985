// The pages of the documentation as data: their titles and texts, blocks of code and links.
import { readFileSync } from "node:fs";
import glob from "fast-glob";

/** The pages that people read, by their paths from the root of the repository. */
export const pageFiles: readonly string[] = glob.sync(["*.md", "docs/**/*.md"], { ignore: ["CHANGELOG.md"] }).sort();

export interface Block {
  readonly language: string;
  readonly text: string;
  /** In the page, from 1. */
  readonly line: number;
  /** The text of the comment before it, if there is one. */
  readonly mark: string | undefined;
}

export const readPage = (file: string): string => readFileSync(file, "utf8");

/** The fenced blocks of a page, in order. */
export const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(/^(?: *<!-- ([^\n]*) -->\n)?( *)```([^\n]*)\n(.*?)^\2```$/gms)].map(
    ({ index, 1: mark, 2: indent = "", 3: language = "", 4: text = "" }) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: page.slice(0, index).split("\n").length + (mark === undefined ? 0 : 1),
      mark,
    }),
  );

/** The comment before a block that quotes what the commands before it print. */
export const outputMark = "output";

/** Whether a block quotes what a command prints, or an answer. Other text in a block has a language, such as `text`. */
export const isQuotation = ({ language }: Block): boolean => ["", "json", "http"].includes(language);

/** The quotations that are marked with the file of a test, `compared by FILE`: nothing on their page makes them. */
export const quotationsFor = (test: string): readonly string[] =>
  pageFiles.flatMap((file) =>
    blocksOf(readPage(file)).flatMap(({ mark, text }) => (mark === `compared by ${test}` ? [text] : [])),
  );

/** A page without its blocks and spans of code, in which nothing is a heading or a link. */
const proseOf = (page: string): string => page.replaceAll(/^( *)```.*?^\1```$/gms, "").replaceAll(/`[^`]*`/g, "");

/** The addresses of links and pictures, as they are written. */
export const linksOf = (page: string): readonly string[] => {
  const prose = proseOf(page);
  return [/\]\(([^)\s]+)\)/g, /\b(?:src|srcset)="([^"]+)"/g].flatMap((form) =>
    [...prose.matchAll(form)].map(([, address = ""]) => address),
  );
};

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): readonly string[] {
  const seen = new Map<string, number>();
  const headings = [...page.replaceAll(/^( *)```.*?^\1```$/gms, "").matchAll(/^#{1,6} (.*)$/gm)];
  return headings.map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
