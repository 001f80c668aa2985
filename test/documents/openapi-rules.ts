// Checks an OpenAPI document by the official schema and by the linters that consumers use.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

export const isValidOpenapi = async (document: unknown): Promise<boolean> => {
  const copy = JSON.parse(JSON.stringify(document));
  return (await validate("https://spec.openapis.org/oas/3.1/schema-base", copy, "BASIC")).valid;
};

/** What Redocly and Spectral complain about. `folder` is for a copy of the document. */
export async function complaintsAbout(document: unknown, folder: string): Promise<readonly unknown[]> {
  const text = JSON.stringify(document);
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[Object(rulesets.oas), "recommended"]] });
  const results = await linter.run(JSON.parse(text));
  const file = path.join(folder, "openapi.json");
  writeFileSync(file, text);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { encoding: "utf8", env, cwd: folder, stdio: "pipe" } as const;
  const report = execFileSync("redocly", ["lint", file, "--format", "json"], options);
  return [
    ...results.map(({ code, message, path: at }) => `${code} ${message} ${at.join(".")}`),
    ...JSON.parse(report.slice(report.indexOf("{"))).problems,
  ];
}
