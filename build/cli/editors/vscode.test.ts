import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../../src/declare.ts";
import { slug } from "../../../src/forms.ts";
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

it("names the files of collections by their globs", () => {
  const declared = { purpose: "X.", schema: z.strictObject({ id: slug }), key: "id" } as const;
  const collections = {
    notes: defineCollection({ ...declared, files: ["notes/{id}", "more.json"] }),
    pages: defineCollection({ ...declared, files: "pages/*.md" }),
    raw: defineCollection({ ...declared, transform: (each) => each }),
  };
  const { "yaml.schemas": yaml, "json.schemas": json } = JSON.parse(
    vscodeSettings(completeApi(defineApi({ collections }))),
  );
  expect(Object.keys(yaml).map((file) => file.replace(/.*\//, ""))).toEqual([
    "notes.json",
    "deployments.json",
    "api.json",
  ]);
  expect(json[0]).toEqual({
    fileMatch: ["content/notes/*.json", "content/notes/*/**/*.json", "content/more.json"],
    url: "./.schemas/notes.json",
  });
});
