import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { allItems } from "./catalog.ts";
import { compileContent } from "./content.ts";
import { discovered, rightTree } from "./fixture.ts";
import { isSlow, linesOf } from "./slow-format.ts";

const image = (id: number) => ({
  id: `med_${id}`,
  created_at: "2026-01-01T00:00:00Z",
  content_type: "image/png",
  bytes: 1,
  width: 1,
  height: 1,
  status: "ready",
});

const found = (file: string, text: string) => ({ file, bytes: new TextEncoder().encode(text) });
const large = stringify(Array.from({ length: 100 }, (_, index) => image(index)));

describe("files in a slow format", () => {
  it.each([
    ["images.yaml", large, true],
    ["images/a.yml", large, true],
    ["images.yaml", "[]", false],
    ["images.json", large, false],
    ["api.yaml", large, false],
    ["deployments/edge.yaml", large, false],
    ["nonsense.yaml", large, false],
  ])("%s", (file, text, slow) => {
    expect(isSlow(found(file, text))).toBe(slow);
  });

  it("have their items on a line each", () => {
    const text = "- {id: med_1, status: NO}\n- &a [1, 1e3, -0, '3.10', ~, {b: true}]\n- *a\n";
    const list = '[1,1000,0,"3.10",null,{"b":true}]';
    expect(Buffer.from(linesOf(found("images.yaml", text)) ?? []).toString()).toBe(
      `{"id":"med_1","status":"NO"}\n${list}\n${list}\n`,
    );
    expect(Buffer.from(linesOf(found("images/1.yaml", "id: med_1\n")) ?? []).toString()).toBe('{"id":"med_1"}\n');
  });

  it.each([
    "",
    "- a: 1\n  a: 2",
    "- [",
    "---\n[]\n---\n[]",
    "- !!set {a}",
    "- *a",
    "- {<<: {a: 1}}",
    "%YAML 1.1\n---\n[]",
  ])("have none where anything is wrong: %j", (text) => {
    expect(linesOf(found("images.yaml", text))).toBeUndefined();
  });

  it("give the same catalog and the same faults as without their lines", () => {
    const value = fc.oneof(
      fc.constantFrom(1, 0, 1.5, "image/png", "NO", null, true, "2026-02-30T00:00:00Z", "MED_1", [], {}),
      fc.string(),
      fc.integer(),
    );
    const wrong = fc.record({ field: fc.constantFrom(...Object.keys(image(0)), "extra"), value });
    const items = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.option(wrong, { freq: 8 })), { maxLength: 12 });
    fc.assert(
      fc.property(items, (some) => {
        const list = some.map(([id, change]) => ({ ...image(id), ...(change && { [change.field]: change.value }) }));
        const file = found("images.yaml", stringify(list));
        const discovery = { files: [...discovered(rightTree).files, file], obstacles: [] };
        const lines = linesOf(file);
        if (lines === undefined) throw new Error("It is right YAML.");
        const [slow, faults] = compileContent(discovery);
        const [quick, others] = compileContent(discovery, new Map([[file.file, lines]]));
        expect(others).toEqual(faults);
        if (faults.length === 0)
          expect(allItems(quick.items.get("images"))).toEqual(allItems(slow.items.get("images")));
      }),
      { numRuns: 300 },
    );
  });
});
