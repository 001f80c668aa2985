// The readers of the formats.
import type { FileFormat } from "../../../src/declare/declare.ts";
import { csv } from "./csv.ts";
import type { ContentFormat } from "./format.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { ndjson } from "./ndjson.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FileFormat, ContentFormat>> = { yaml, json, ndjson, csv, markdown };
