// A path before the paths of an API, which only hosts of files can have.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeSample } from "../../test/check/sample.ts";
import { temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { lineOf, messagesOfPlan } from "../../test/plan.ts";
import { nginx } from "../hosts/nginx/index.ts";
import { plain } from "../hosts/plain/index.ts";

const content = temporaryFolder();
afterAll(() => rmSync(content, { recursive: true }));

it.each([
  ["url: https://name.example.com/my-api", "1:6", "Write the address without a path, or build for plain alone."],
  ["mount: /my-api", "1:8", "Remove mount, or build for plain alone."],
])("%s is for hosts that only serve files", async (setting, place, hint) => {
  writeSample(content, { count: 3, pageSizes: [10] });
  writeFileSync(path.join(content, "api.yaml"), `${setting}\n`);
  expect(await messagesOfPlan({ api: edgeNetwork, content, hosts: [plain] })).toEqual([]);
  const messages = await messagesOfPlan({ api: edgeNetwork, content, hosts: [plain, nginx] });
  const text = "The API is below the path /my-api, but nginx publishes at the root of an origin.";
  expect(messages.map(lineOf)).toEqual([expect.stringContaining(`api.yaml:${place} mount-with-rules ${text} ${hint}`)]);
});
