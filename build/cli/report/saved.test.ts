import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { filesText, savedText } from "./saved.ts";

const plain = createColors(false);

describe("what a save changed", () => {
  it("is a line: the time, the files, the items, and what it cost", () => {
    const head = filesText(new Date(2026, 0, 1, 14, 3, 21), ["nodes/europe.ndjson"], "content", plain);
    expect(savedText(head, [{ name: "nod_a", kind: "changed", fields: ["status"] }], 181, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: nod_a changed status in 0.2 s",
    );
    const changes = ["a", "b", "c", "d", "e"].map((name) => ({ name, kind: "added" as const, fields: [] }));
    expect(savedText(head, changes, 2_000, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: a added, b added, c added and 2 more in 2.0 s",
    );
    expect(savedText(head, [], 0, plain)).toBe("14:03:21 nodes/europe.ndjson: no item changed in 0.0 s");
  });

  it("names a few files, and the folder if none is known", () => {
    const time = new Date(2026, 0, 1, 4, 3, 2);
    expect(filesText(time, ["a", "b", "c", "d"], "content", plain)).toBe("04:03:02 a, b, c and 1 other file");
    expect(filesText(time, [], "my/content", plain)).toBe("04:03:02 content");
  });
});
