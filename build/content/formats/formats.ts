import type { FormatName } from "../source.ts";
import type { Format } from "./format.ts";
import { json, ndjson } from "./json.ts";
import { yaml } from "./yaml.ts";

export const formats: Readonly<Record<FormatName, Format>> = { yaml, json, ndjson };
