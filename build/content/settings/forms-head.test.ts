import { expect, it } from "vitest";
import { faultsOf } from "../../../test/content/folder.ts";

const backend = "backend: { name: git-gateway }\n";
const folders = "media_folder: api/content/photos\npublic_folder: /photos\n";
const closed =
  "1:1 syntax No key can follow this text, so the collections cannot be added. Write each key at the start of a line, without braces around all of them.";

it.each([
  [`${backend}${folders}locale: fr\n`, []],
  [
    `${backend}${folders}collections: []\n`,
    ["4:14 wrong-value collections must be left out, because the declaration has them, but is an empty list."],
  ],
  [
    `${backend}media_folder: static/photos\npublic_folder: /photos\n`,
    [
      '2:15 wrong-value media_folder must be the content folder and public_folder, such as content/photos with /photos, but is "static/photos".',
    ],
  ],
  [folders, ["1:1 missing-field decap.yml must have the key backend. Its value must be an object with name."]],
  [
    "- backend: { name: github }\n  media_folder: content/a\n  public_folder: /a\n",
    [
      "1:1 not-one This file must hold a single object with the backend of an editor, but holds a list. Keep one, without a list around it.",
    ],
  ],
  ["# Later.\n", ["1:1 empty-file The file is empty. Remove it, or write its fields into it."]],
  ["backend: [", [expect.stringMatching(/^1:11 syntax This is not valid YAML: /)]],
  [`{ ${backend.trim()}, media_folder: content/b, public_folder: /b }\n`, [closed]],
  [`${backend}${folders}...\n`, [closed]],
  [
    `${backend}media_folder: /content/photos/\npublic_folder: photos\n`,
    [
      '2:15 wrong-value media_folder must be a path without slashes at its ends, but is "/content/photos/".',
      '3:16 wrong-value public_folder must be a path such as /photos, but is "photos".',
    ],
  ],
])("says what is wrong with decap.yml: %j", (text, faults) => {
  expect(faultsOf({ "decap.yml": text }).map((fault) => fault.replace("decap.yml:", ""))).toEqual(faults);
});
