import { describe, expect, it } from "vitest";
import { faultsOf, rightTree } from "../../test/content/folder.ts";

const region = { code: "lhr9", name: "London", zone: "europe-west", country: "GB", status: "ready" };

/**
 * The faults of a file `regions/r.json` with one region, some of whose fields are replaced, or omitted if undefined.
 */
const faultsWith = (fields: object): readonly string[] =>
  faultsOf({ "regions/r.json": JSON.stringify({ ...region, ...fields }) }).map((line) =>
    line.replace("regions/r.json:", ""),
  );

const faultsIn = (file: string, text: string): readonly string[] =>
  faultsOf({ ...rightTree, [file]: text }).map((line) => line.replace(`${file}:`, ""));

describe("validate", () => {
  it("finds nothing wrong with right fields in any order", () => {
    const reversed = Object.fromEntries(Object.entries(region).reverse());
    expect(faultsOf({ "regions/r.json": JSON.stringify(reversed) })).toEqual([]);
  });

  it.each([
    [null, "type", "empty (null)."],
    [[], "type", "an empty list."],
    [{}, "type", "an object."],
    [7, "type", 'the number 7. Put it in quotes: "7".'],
    ["\u00a0a ", "value", '"\\u00a0a ". Write "a".'],
    ["a\u2028\u202eb\ud800", "value", '"a\\u2028\\u202eb\\ud800".'],
  ])("tells values of a wrong type from wrong values: %j", (name, kind, is) => {
    expect(faultsWith({ name })).toEqual([
      `1:23 wrong-${kind} name must be one line of text, not empty, without spaces at its ends, but is ${is}`,
    ]);
  });

  it("reports every wrong field of an item, each at its value", () => {
    const faults = faultsWith({ code: "x", zone: "x", country: "x" });
    expect(faults.map((line) => line.split(" must ")[0])).toEqual([
      "1:9 wrong-value code",
      "1:36 wrong-value zone",
      "1:50 wrong-value country",
    ]);
  });

  it("counts columns in UTF-16 code units", () => {
    expect(faultsWith({ name: "😀", zone: "x" })).toEqual([expect.stringMatching(/^1:35 wrong-value zone must be /)]);
  });

  it.each([
    [
      "missing and unknown",
      { cöde: 1, code: undefined, foo: 1, zone: undefined },
      [
        "1:1 missing-field A region must have the field zone. Its value must be a lowercase area and direction joined by a hyphen, such as europe-north.",
        '1:50 unknown-field A region has no field "cöde". Did you mean "code"?',
        '1:59 unknown-field A region has no field "foo". Its fields are code, name, zone, country, status.',
      ],
    ],
    [
      "two that are misspelt",
      { zone: undefined, status: undefined, zoen: "europe-west", state: "ready" },
      [
        '1:47 unknown-field A region has no field "zoen". Did you mean "zone"?',
        '1:68 unknown-field A region has no field "state". Did you mean "status"?',
      ],
    ],
    [
      "names out of JavaScript",
      JSON.parse('{"__proto__":1,"constructor":1,"toString":1}'),
      [
        '1:85 unknown-field A region has no field "__proto__". Its fields are code, name, zone, country, status.',
        '1:99 unknown-field A region has no field "constructor". Its fields are code, name, zone, country, status.',
        '1:115 unknown-field A region has no field "toString". Its fields are code, name, zone, country, status.',
      ],
    ],
  ])("reports unknown and missing fields once, with what was meant: %s", (_, fields, lines) => {
    const own = Object.fromEntries([...Object.entries(region), ...Object.entries(fields)]);
    expect(faultsWith(own)).toEqual(lines);
  });

  it("names values inside lists and objects as a reader would point at them", () => {
    const fields =
      '[{"name":"a","type":"t","nullable":false},{"name":"a","type":5},"b",{"name":"c","tipe":"t","nullable":0}]';
    expect(faultsIn("schema/x.json", `{"name":"x","fields":${fields}}`)).toEqual([
      "1:64 missing-field fields[1] must have the field nullable. Its value must be true or false.",
      '1:72 wrong-value fields[1].name must be a name that nothing before it in the list has, but is "a".',
      "1:83 wrong-type fields[1].type must be a lowercase word, such as operational, but is the number 5.",
      '1:86 wrong-type fields[2] must be an object with the name, type and nullable of a field, but is "b".',
      '1:102 unknown-field fields[3] has no field "tipe". Did you mean "type"?',
      "1:124 wrong-type fields[3].nullable must be true or false, but is the number 0.",
    ]);
  });

  it("checks values against each other although another one is malformed", () => {
    const record = '{"id":"REC","created_at":"2026-01-02T00:00:00Z","revision":0,"updated_at":"2026-01-01T00:00:00Z"}';
    expect(faultsIn("records/os.json", record)).toEqual([
      '1:7 wrong-value id must be "rec_" followed by lowercase letters and digits, but is "REC".',
      '1:75 wrong-value updated_at must be no earlier than created_at, but is "2026-01-01T00:00:00Z".',
    ]);
  });

  it("says nothing of values that could not be read", () => {
    const fields = "name: a, zone: a-b, country: GB, status: ready";
    expect(faultsOf({ "regions.yaml": `- {code: *x, ${fields}}\n- *y\n- {code: aaa1, ${fields}}\n` })).toEqual([
      "regions.yaml:1:10 syntax This is not valid YAML: there is no anchor &x before this alias. Write the anchor before it, or put a value that starts with * in quotes.",
      "regions.yaml:2:3 syntax This is not valid YAML: there is no anchor &y before this alias. Write the anchor before it, or put a value that starts with * in quotes.",
    ]);
  });

  it("reports a fault within an aliased value at its anchor, and a fault in its use at the use", () => {
    const text =
      "- &a {code: lhr9, name: &n London, zone: x, country: GB, status: ready}\n- *a\n- {code: lhr8, name: *n, zone: a-b, country: *n, status: ready}\n";
    expect(faultsOf({ "regions.yaml": text })).toEqual([
      'regions.yaml:1:42 wrong-value zone must be a lowercase area and direction joined by a hyphen, such as europe-north, but is "x".',
      'regions.yaml:2:3 not-unique The code "lhr9" is taken by another region, at regions.yaml:1:13. Change one of them; case makes no difference.',
      'regions.yaml:3:46 wrong-value country must be a country code of two capital letters, such as GB, but is "London".',
    ]);
  });
});
