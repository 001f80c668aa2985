// A browser opens SVGs beside the data at their addresses.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { image } from "../../src/declare/assets.ts";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { pictures } from "../../test/content/pictures.ts";
import { isSkipped, openBrowser } from "../../test/documents/browser.ts";
import { built } from "../../test/plan.ts";
import { listen } from "../../test/serve.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { startPreview } from "../cli/preview/preview.ts";
import { completeApi } from "../declaration/complete.ts";

const png = `data:image/png;base64,${Buffer.from(pictures.png).toString("base64")}`;
const mark = "document.documentElement.setAttribute('data-ran', 'yes')";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" onload="${mark}">
<style>rect { fill: rgb(1, 2, 3) }</style>
<rect width="9" height="9"/>
<image id="inside" href="${png}"/>
<script>${mark}</script>
<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.${mark}&lt;/script&gt;"/></foreignObject>
</svg>`;

describe.skipIf(isSkipped)("in Chromium, an SVG that is opened at its address", () => {
  /** Whether it ran anything, the colour of the rectangle, and the width of the picture. */
  async function shown(address: string) {
    const page = await (await openBrowser()).newPage();
    onTestFinished(() => page.close());
    await page.goto(address, { waitUntil: "networkidle0" });
    return page.evaluate(`({
      hasRun: document.documentElement.hasAttribute("data-ran"),
      colour: getComputedStyle(document.querySelector("rect")).fill,
      width: document.querySelector("#inside").getBBox().width,
    })`);
  }

  it("runs nothing, and has its styles and the pictures within", async () => {
    const folder = temporaryFolder();
    const content = path.join(folder, "content");
    const out = path.join(folder, "dist");
    mkdirSync(content);
    writeFileSync(path.join(content, "photos.json"), JSON.stringify([{ id: "a", photo: "a.svg" }]));
    writeFileSync(path.join(content, "a.svg"), svg);
    const schema = z.strictObject({ id: z.string(), photo: image() });
    const photos = defineCollection({ purpose: "Photos.", schema, key: "id" });
    await built({ api: completeApi(defineApi({ collections: { photos } })), content, out });
    const preview = await startPreview(out, 0);
    onTestFinished(() => preview.stop());
    expect(await shown(`${preview.origin}/api/v1/files/a.svg`)).toEqual({
      hasRun: false,
      colour: "rgb(1, 2, 3)",
      width: 3,
    });
  });

  it("would run its scripts without the policy", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(svg);
    });
    const { origin, stop } = await listen(server);
    onTestFinished(() => stop());
    expect(await shown(origin)).toMatchObject({ hasRun: true });
  });
});
