import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../diagnostics.ts";
import type { Difference } from "../../../diff/difference.ts";
import type { ItemChange } from "../../../diff/items.ts";
import { differenceMarkdown, faultsMarkdown } from "./markdown.ts";
import { differenceAsData } from "./model.ts";
import { differenceText } from "./text.ts";

const amount = (files: number) => ({ files, bytes: files * 1_000 });

const files = { before: amount(10), after: amount(10), added: amount(0), removed: amount(0), changed: amount(0) };

const nothing: Difference = {
  before: "HEAD (1a2b3c4d5)",
  after: "content",
  earlier: { shown: [], omitted: [], uncompared: [], loaded: [] },
  reloads: [],
  deployments: ["edge"],
  breaking: [],
  announced: [],
  deprecated: [],
  operations: { added: [], removed: [] },
  lists: [{ operation: "things", noun: "thing", before: 2, after: 2, items: [] }],
  documents: [],
  declaration: [],
  settings: [],
  files,
  limits: [],
  cursors: { retired: 0, pages: 0, lifetime: 900 },
  warnings: [],
};

const changedTo = (after: unknown): ItemChange => ({
  kind: "changed",
  key: "a",
  fields: [{ field: "f", before: "x", after }],
});

const withItems = (items: readonly ItemChange[]): Difference => ({
  ...nothing,
  lists: nothing.lists.map((list) => ({ ...list, items })),
  files: { ...files, changed: amount(3) },
});

const plain = createColors(false);
const text = (difference: Difference, width?: number) => differenceText(difference, { colors: plain, width });

describe("a difference on a terminal", () => {
  it("is one line where nothing changes", () => {
    expect(text(nothing)).toBe("✓ HEAD (1a2b3c4d5) → content, deployment edge: nothing changes in the API.");
  });

  it("has breaking changes first, then what changed, then amounts", () => {
    const whole: Difference = {
      ...withItems([
        {
          kind: "added",
          key: "a",
          fields: [
            { field: "size", after: 1 },
            { field: "name", after: "Å b" },
          ],
        },
        changedTo(null),
        { kind: "removed", key: "c", fields: [{ field: "size", before: 1 }] },
      ]),
      breaking: [{ code: "item-removed", operations: ["things"], values: ["c"], message: "1 thing is gone:" }],
      operations: { added: ["others"], removed: [] },
      documents: [{ operation: "state", fields: [{ field: "status", before: "", after: "true" }] }],
      settings: [
        { field: "vocabulary.word[]", after: "new" },
        { field: "url", before: "https://a" },
      ],
      limits: [
        {
          host: "one",
          what: "files in one folder (x)",
          plan: "free",
          before: 1_000,
          after: 2_000,
          most: 3_000,
          source: "",
        },
        { host: "one", what: "rules", plan: undefined, before: undefined, after: 2, most: 3, source: "" },
      ],
      cursors: { retired: 1_200, pages: 1, lifetime: 900 },
      warnings: ["Something is left out."],
    };
    expect(text(whole)).toBe(`HEAD (1a2b3c4d5) → content, deployment edge

✗ 1 breaking change for consumers
  item-removed 1 thing is gone: c.

+ The operation others is new.

things
  + a: size 1, name Å b
  ~ a: f x → null
  − c

state
  ~ status "" → "true"

settings
  + vocabulary.word[] new
  − url https://a

        before  after  added  removed  changed
things       2      2      1        1        1
files       10     10                        3
size     10 kB  10 kB                     3 kB

limits                          before  after  at most
one: files in one folder, free   1,000  2,000    3,000
one: rules                                  2        3

1,200 cursors are retired: 1 more page answers them for 15 minutes.
! Something is left out.`);
  });

  it("has the first 20 changes of a list and counts the rest", () => {
    const items = Array.from(
      { length: 1_021 },
      (_, index): ItemChange => ({ kind: "removed", key: `k${index}`, fields: [] }),
    );
    const lines = text(withItems(items)).split("\n");
    expect(lines.filter((line) => line.startsWith("  − k"))).toHaveLength(20);
    expect(lines).toContain("  … and 1,001 more; --format json shows all of them");
  });

  it("wraps at the width of the terminal, with wide characters, too", () => {
    const fields = Array.from({ length: 12 }, (_, index) => ({
      field: `field${index}`,
      before: "漢字".repeat(20),
      after: "x",
    }));
    const lines = text(withItems([{ kind: "changed", key: "a", fields }]), 60).split("\n");
    const own = lines.filter((line) => /[漢字]/.test(line));
    expect(own.length).toBeGreaterThan(10);
    for (const line of own) expect([...line].length + (line.match(/[漢字]/g) ?? []).length).toBeLessThanOrEqual(60);
    expect(lines.join(" ")).toContain("and 2 more fields");
  });

  it("obeys nothing of the content", () => {
    const evil = "\u001b[2J\u202eevil\r\n\u0007";
    const shown = text({ ...withItems([changedTo(evil)]), before: evil });
    expect(shown).toContain("f x → \\u001b[2J\\u202eevil\\u000d\\u000a\\u0007\n");
    expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("a difference as Markdown", () => {
  it("starts with the mark by which its comment is found again", () => {
    expect(differenceMarkdown(nothing)).toBe(
      "<!-- stillapi diff -->\n### Nothing changes in the API\n\n`HEAD (1a2b3c4d5)` → `content`, deployment `edge`\n",
    );
  });

  it.each([
    ["a plain value", "<b>@you</b> #1 [a](b) | *c*", "`<b>@you</b> #1 [a](b) | *c*`"],
    ["backticks", "``` `x", "```` ``` `x ````"],
    ["a backtick alone", "`", "`` ` ``"],
    ["ends of lines", "a\n\n<!-- b", "`a\\u000a\\u000a<!-- b`"],
    ["nothing", "", '`""`'],
  ])("shows %s of the content as it is", (_, value, span) => {
    expect(differenceMarkdown(withItems([changedTo(value)]))).toContain(`- changed \`a\`: \`f\` \`x\` → ${span}\n`);
  });

  it("is never longer than a comment may be, and counts what it leaves out", () => {
    const items = Array.from(
      { length: 5_000 },
      (_, index): ItemChange => ({ ...changedTo("y".repeat(500)), key: `k${index}` }),
    );
    const large = withItems(items);
    const [list] = large.lists;
    if (list === undefined) throw new Error("There is no list.");
    const long = items.slice(0, 9).map(({ key }) => key.repeat(30));
    const breaking = items.map(({ key }) => ({
      code: "item-removed" as const,
      operations: [],
      values: [key, ...long],
      message: "Gone:",
    }));
    const shown = differenceMarkdown({
      ...large,
      breaking,
      lists: [list, list, { ...list, items: items.slice(0, 3) }],
    });
    expect(shown.length).toBeGreaterThan(40_000);
    expect(shown.length).toBeLessThan(65_536);
    const [first = "", ...sections] = shown.split("<details>");
    expect(counted(first, /^- Gone: `k/gm)).toBe(5_000);
    expect(sections.map((section) => counted(section, /^- changed/gm))).toEqual([5_000, 5_000, 3]);
    expect(shown.match(/<details>/g)).toHaveLength(shown.match(/<\/details>/g)?.length ?? 0);
  });

  it("is counted in bytes, because variables and arguments of a program are", () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ ...changedTo("漢".repeat(59)), key: `漢${index}` }));
    const names = items.slice(0, 9).map(({ key }) => key);
    const breaking = items.map(({ key }) => ({
      code: "item-removed" as const,
      operations: [],
      values: [key, ...names],
      message: "Gone:",
    }));
    const bytes = Buffer.byteLength(differenceMarkdown({ ...withItems(items), breaking }));
    expect(bytes).toBeGreaterThan(60_000);
    expect(bytes).toBeLessThan(65_536);
  });

  /** The lines of a form and those that a last line counts. */
  const counted = (part: string, form: RegExp): number =>
    (part.match(form) ?? []).length + Number(/^- … and ([\d,]+) more;/m.exec(part)?.[1]?.replaceAll(",", "") ?? 0);

  it("shows all changes of a short section", () => {
    const settings = [20, 50, 60].map((size) => ({ field: "page_sizes[]", after: size }));
    const shown = differenceMarkdown({ ...nothing, settings });
    expect(shown.match(/^- added `page_sizes\[\]` /gm)).toHaveLength(3);
    expect(shown).not.toContain(" more;");
  });

  it("tells of faults in as much room", () => {
    const fault: Diagnostic = {
      file: "HEAD:content/`a`.json",
      line: 1,
      column: 2,
      endLine: 1,
      endColumn: 2,
      code: "syntax",
      message: "It is `wrong`.",
      hint: "Mend it.",
    };
    expect(faultsMarkdown([fault], "1 fault in 1 file")).toBe(
      "<!-- stillapi diff -->\n### The content has faults\n\n1 fault in 1 file.\n\n" +
        "- ``HEAD:content/`a`.json:1:2`` ``It is `wrong`. Mend it.``\n",
    );
    const many = faultsMarkdown(
      Array.from({ length: 10_000 }, () => fault),
      "10,000 faults",
    );
    expect(many.length).toBeLessThan(65_536);
    expect(many).toMatch(/- … and [\d,]+ more;/);
  });
});

describe("faults of the earlier side", () => {
  const fault = (line: number): Diagnostic => ({
    file: "HEAD:content/a|`\u001b.json",
    line,
    column: 1,
    endLine: line,
    endColumn: 1,
    code: "missing-field",
    message: "It lacks x.",
  });
  const shown = [1, 2, 3, 4].map(fault);
  const omitted = [{ file: "HEAD:content/b.json", code: "missing-field", count: 157 } as const];
  const difference = { ...nothing, earlier: { shown, omitted, uncompared: ["things"], loaded: [] } };

  it("are counted and the first shown on a terminal, though nothing else changes", () => {
    expect(text(difference)).toContain(`deployment edge

! Under the current rules, the earlier side, HEAD (1a2b3c4d5), has 161 faults in 2 files, of which the first 4 were examined. Not compared: things. Amounts have today's on both sides. The first of them:
  HEAD:content/a|\`\\u001b.json:1:1 missing-field It lacks x.
  HEAD:content/a|\`\\u001b.json:2:1 missing-field It lacks x.
  HEAD:content/a|\`\\u001b.json:3:1 missing-field It lacks x.

! No breaking changes for consumers in what is compared.`);
  });

  it("are in Markdown, and all of them in JSON", () => {
    const markdown = differenceMarkdown(difference);
    expect(markdown).toContain(
      ":warning: Under the current rules, the earlier side, `HEAD (1a2b3c4d5)`, has 161 faults in 2 files",
    );
    expect(markdown).toContain("- ``HEAD:content/a|`\\u001b.json:3:1`` `It lacks x.`\n\n|");
    expect(differenceAsData(difference).earlier).toMatchObject({ total: 161, uncompared: ["things"], omitted });
    expect(differenceAsData(difference).earlier.faults).toHaveLength(4);
  });
});

it("names the hosts that have to load another configuration", () => {
  const difference = { ...withItems([changedTo("y")]), reloads: [{ host: "one", files: ["a.conf", "b.conf"] }] };
  const sentence =
    "one needs another configuration with these files: publish and load a.conf, b.conf, or some requests fail.";
  expect(text(difference)).toContain(`\n! ${sentence}`);
  expect(differenceMarkdown(difference)).toContain(`\n:warning: ${sentence}\n`);
  expect(differenceAsData(difference)).toMatchObject({ reloads: difference.reloads });
});

it("gives programs all of it", () => {
  const items = Array.from(
    { length: 100 },
    (_, index): ItemChange => ({ kind: "removed", key: `k${index}`, fields: [] }),
  );
  const values = items.map(({ key }) => key);
  const breaking = [{ code: "item-removed" as const, operations: ["things"], values, message: "Gone:" }];
  const data = differenceAsData({ ...withItems(items), breaking });
  expect(data).toMatchObject({
    faults: [],
    breaking: [{ code: "item-removed", values, message: "Gone: k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 90 more." }],
    items: { things: { before: 2, after: 2, changes: items } },
  });
});
