import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { vscodeExtensions, vscodeSettings } from "./vscode.ts";

it("is what the repository's settings say: npm run generate writes them", async () => {
  const settings = readFileSync(".vscode/settings.json", "utf8");
  // An operation that was added may be missing until someone writes the settings again.
  const named =
    process.env["npm_lifecycle_event"] === "generate"
      ? edgeNetwork.lists
      : edgeNetwork.lists.filter(({ name }) => settings.includes(`"./.schemas/${name}.json"`));
  await expect(vscodeSettings({ ...edgeNetwork, lists: named })).toMatchFileSnapshot("../../../.vscode/settings.json");
});

it("recommends what the repository does", () => {
  expect(JSON.parse(vscodeExtensions())).toEqual(JSON.parse(readFileSync(".vscode/extensions.json", "utf8")));
});
