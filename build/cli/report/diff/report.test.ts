import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { alone, type DifferenceOfOne } from "../../../../test/diff/compared.ts";
import type { ItemChange } from "../../../diff/changes.ts";
import { type Message, wholeBuild } from "../../../messages.ts";
import { differencesMarkdown, errorsMarkdown } from "./markdown.ts";
import { differencesText } from "./text.ts";

const amount = (files: number) => ({ files, bytes: files * 1_000 });

const files = { before: amount(10), after: amount(10), added: amount(0), removed: amount(0), changed: amount(0) };

const nothing: DifferenceOfOne = {
  before: "HEAD (1a2b3c4d5)",
  after: "content",
  uncompared: [],
  reloads: [],
  deployments: ["edge"],
  breaking: [],
  announced: [],
  deprecated: [],
  operations: { added: [], removed: [] },
  items: { things: { before: 2, after: 2, changes: [] } },
  documents: [],
  declaration: [],
  settings: [],
  files,
  limits: [],
  cursors: { retired: 0, pages: 0, lifetime: 900 },
  notes: [],
  warnings: [],
};

const changedTo = (after: unknown, key = "a"): ItemChange => ({
  kind: "changed",
  key,
  fields: [{ field: "f", before: "x", after }],
});

const withItems = (changes: readonly ItemChange[]): DifferenceOfOne => ({
  ...nothing,
  items: { things: { before: 2, after: 2, changes } },
  files: { ...files, changed: amount(3) },
});

const losing = (values: readonly string[]) => ({
  code: "item-removed" as const,
  operations: ["things"],
  values,
  message: `Gone: ${values.join(", ")}.`,
});

const differenceMarkdown = (difference: DifferenceOfOne): string => differencesMarkdown(alone(difference));

const text = (difference: DifferenceOfOne, width?: number) =>
  differencesText(alone(difference), createColors(false), width);

describe("a difference on a terminal", () => {
  it("is one line if nothing changes", () => {
    expect(text(nothing)).toBe("✓ HEAD (1a2b3c4d5) → content, deployment edge: nothing changes in the API.");
  });

  it("has breaking changes first, then what changed, then amounts", () => {
    const added = [
      { field: "size", after: 1 },
      { field: "name", after: "Å b" },
    ];
    const limit = { host: "one", most: 3_000, source: "" };
    const whole: DifferenceOfOne = {
      ...withItems([
        { kind: "added", key: "a", fields: added },
        changedTo(null),
        { kind: "removed", key: "c", fields: [{ field: "size", before: 1 }] },
      ]),
      breaking: [losing(["c"])],
      operations: { added: ["others"], removed: [] },
      documents: [{ operation: "state", fields: [{ field: "status", before: "", after: "true" }] }],
      settings: [
        { field: "vocabulary.word[]", after: "new" },
        { field: "url", before: "https://a" },
      ],
      limits: [
        { ...limit, what: "files in one folder", plan: "free", before: 1_000, after: 2_000 },
        { ...limit, what: "rules", plan: undefined, before: undefined, after: 2 },
      ],
      cursors: { retired: 1_200, pages: 1, lifetime: 900 },
      reloads: [{ host: "one", files: ["a.conf", "b.conf"] }],
      notes: ["Something is left out."],
    };
    expect(text(whole)).toBe(`HEAD (1a2b3c4d5) → content, deployment edge

✗ 1 breaking change for consumers
  item-removed Gone: c.

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
one: rules                                  2    3,000

Retired cursors: 1,200, which a build answers for 15 minutes, with 1 more page.
! Something is left out.
! one needs a new configuration: publish and load a.conf, b.conf, or some requests fail.`);
    expect(text({ ...whole, cursors: { retired: 1, pages: 0, lifetime: 0 } })).toContain("1, which expire at once.\n");
  });

  it("has the first 20 changes of a list and counts the rest", () => {
    const items = Array.from({ length: 1_021 }, (_, index): ItemChange => {
      return { kind: "removed", key: `k${index}`, fields: [] };
    });
    const lines = text(withItems(items)).split("\n");
    expect(lines.filter((line) => line.startsWith("  − k"))).toHaveLength(20);
    expect(lines).toContain("  … and 1,001 more; --format json shows all of them");
  });

  it("shows the change of a file beside the data in one clause", () => {
    const address = (name: string, digit: string) => `/v1/files/${name}?v=${digit.repeat(16)}`;
    const field = (path: string, before: unknown, after: unknown) => ({ field: path, before, after });
    const lineOf = (...fields: ReturnType<typeof field>[]) =>
      text(withItems([{ kind: "changed", key: "a", fields }]), 200)
        .split("\n")
        .find((line) => line.startsWith("  ~ a"));
    const url = field("photo.url", address("a.jpg", "1"), address("a.jpg", "2"));
    expect(lineOf(url)).toBe("  ~ a: photo: other bytes");
    expect(lineOf(field("photos", 1, 2), url)).toBe("  ~ a: photos 1 → 2, photo: other bytes");
    const size = [
      field("photo.bytes", 1_200_000, 900),
      field("photo.width", 1600, 800),
      field("photo.height", 1200, 600),
    ];
    expect(lineOf(field("name", "x", "y"), url, ...size)).toBe(
      "  ~ a: name x → y, photo: 1.2 MB → 900 B, 1600 × 1200 → 800 × 600",
    );
    expect(lineOf(field("photo.url", address("a.jpg", "1"), address("b.jpg", "2")), field("photo.width", 1, 2))).toBe(
      "  ~ a: photo: /v1/files/a.jpg → /v1/files/b.jpg, width 1 → 2",
    );
    expect(lineOf(field("link.url", "https://example.com/a", "https://example.com/b"))).toBe(
      "  ~ a: link.url https://example.com/a → https://example.com/b",
    );
  });

  it("wraps at the width of the terminal, with wide characters, too", () => {
    const field = { before: "漢字".repeat(20), after: "x" };
    const fields = Array.from({ length: 12 }, (_, index) => ({ ...field, field: `field${index}` }));
    const lines = text(withItems([{ kind: "changed", key: "a", fields }]), 60).split("\n");
    const values = lines.filter((line) => /[漢字]/.test(line));
    expect(values.length).toBeGreaterThan(10);
    for (const line of values) expect([...line].length + (line.match(/[漢字]/g) ?? []).length).toBeLessThanOrEqual(60);
    expect(lines.join(" ")).toContain("and 2 more fields");
  });

  it("obeys nothing of the content", () => {
    const evil = "\u001b[2J\u202eevil\r\n\u0007";
    const shown = text({ ...withItems([changedTo(evil)]), before: evil, breaking: [losing([evil])] });
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

  it("starts with the APIs that are gone, if there are any", () => {
    const { apis, ...others } = alone(nothing);
    const two = { ...others, apis: [...apis, ...apis.map((api) => ({ ...api, base: "/api/v2" }))] };
    expect(differencesMarkdown(two)).toMatch(/^<!-- stillapi diff -->\n\n## `\/api\/v1`\n/);
    const gone = {
      code: "api-removed" as const,
      operations: [],
      values: ["/api"],
      message: "The API /api is removed.",
    };
    expect(differencesMarkdown({ ...two, breaking: [gone, gone] })).toMatch(
      /^<!-- stillapi diff -->\n### 2 APIs removed\n\n- The API /,
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

  it("has no markup of the names in a sentence", () => {
    const shown = differenceMarkdown({ ...nothing, breaking: [losing(["<b>a_b|*c*\n"])], files: undefined });
    expect(shown).toContain("\n- Gone: \\<b\\>a\\_b\\|\\*c\\*\\\\u000a.\n");
  });

  /** The lines of a form and those that a last line counts. */
  const counted = (part: string, form: RegExp): number =>
    (part.match(form) ?? []).length + Number(/^- … and ([\d,]+) more;/m.exec(part)?.[1]?.replaceAll(",", "") ?? 0);

  it.each(["y", "漢"])(
    "has less bytes than a comment and a variable may have, and counts the rest, of %s",
    (letter) => {
      const items = Array.from({ length: 5_000 }, (_, index) => changedTo(letter.repeat(500), `${letter}${index}`));
      const list = { before: 2, after: 2, changes: items };
      const short = { before: 2, after: 2, changes: items.slice(0, 3) };
      const breaking = items.map(({ key }) => losing([key, ...Array(9).fill(letter.repeat(50))]));
      const shown = differenceMarkdown({ ...nothing, breaking, items: { a: list, b: list, c: short } });
      expect(Buffer.byteLength(shown)).toBeGreaterThan(40_000);
      expect(Buffer.byteLength(shown)).toBeLessThan(65_536);
      const [first = "", ...sections] = shown.split("<details>");
      expect(counted(first, /^- Gone: /gm)).toBe(5_000);
      expect(sections.map((section) => counted(section, /^- changed/gm))).toEqual([5_000, 5_000, 3]);
      expect(sections[2]).toContain("<summary>c: 3 changed</summary>");
      expect(shown.match(/<details>/g)).toHaveLength(shown.match(/<\/details>/g)?.length ?? 0);
    },
  );

  it("tells of errors in as much room", () => {
    const place = { file: "HEAD:content/`a`.json", line: 1, column: 2, endLine: 1, endColumn: 2 };
    const error: Message = { severity: "error", code: "syntax", place, text: "It is `wrong`.", hint: "Mend it." };
    const warning: Message = { severity: "warning", code: "sunset", place, text: "It has passed." };
    expect(errorsMarkdown({ shown: [warning, error], omitted: [] })).toBe(
      "<!-- stillapi diff -->\n### The content has faults\n\n1 fault in 1 file.\n\n" +
        "- ``HEAD:content/`a`.json:1:2`` ``It is `wrong`. Mend it.``\n",
    );
    const many = errorsMarkdown({ shown: Array(10_000).fill(error), omitted: [] });
    expect(many.length).toBeLessThan(65_536);
    expect(many).toMatch(/- … and [\d,]+ more;/);
  });
});

it("has the new warnings as Markdown, with which nothing else is printed", () => {
  const warning: Message = { severity: "warning", code: "sunset", place: wholeBuild, text: "It *has* passed." };
  expect(differenceMarkdown({ ...nothing, warnings: [warning] })).toContain("\n\n:warning: It \\*has\\* passed.\n");
});

it("says that nothing changes only in what is compared, and what is not", () => {
  const partly = { ...nothing, uncompared: ["things"], notes: ["Not compared: things."] };
  expect(text(partly)).toMatch(/^! .*: nothing changes in what is compared\.\n! Not compared: things\.$/);
  expect(differenceMarkdown(partly)).toMatch(
    /### Nothing changes in what is compared\n\n.*\n\n:warning: Not compared: /,
  );
  const moved = { ...partly, ...withItems([changedTo("y")]), uncompared: ["things"] };
  expect(text(moved)).toContain("\n! No breaking changes for consumers in what is compared.\n");
});
