// The readers of the formats.
import type { FileFormat } from "../../../src/declare/declare.ts";
import { csv } from "./csv.ts";
import type { ContentFormat } from "./format.ts";
import { json, jsonc } from "./json.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { wholeText } from "./text.ts";
import { toml } from "./toml.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FileFormat, ContentFormat>> = {
  yaml,
  json,
  jsonc,
  ndjson,
  csv,
  markdown,
  toml,
  text: wholeText,
};
