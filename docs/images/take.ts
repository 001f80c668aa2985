// Takes the pictures of the README: the reference and the network page of the example, in both colour schemes.
//
//     npm run pictures
import { writeFileSync } from "node:fs";
import path from "node:path";
import { documentPaths } from "../../build/documents/describe/addresses.ts";
import { operationAnchor } from "../../build/routing/paths.ts";
import { paramsOf } from "../../test/check/requests.ts";
import { isSkipped, launchBrowser, openPage, serve } from "../../test/documents/browser.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { planned } from "../../test/plan.ts";

const { operations } = edgeNetwork;

const folder = import.meta.dirname;

/** The operation with the most parameters has the most to show. */
const [operation] = operations.toSorted((a, b) => paramsOf(b).length - paramsOf(a).length);
const shown = operation && operationAnchor(operation);

/** The name of each picture, what it shows, and how much of it in CSS pixels. */
const places = {
  reference: { path: `${documentPaths(edgeNetwork.base).reference}#${shown}`, height: 800 },
  network: { path: `${edgeNetwork.base}/docs/network`, height: 1240 },
};

/** In CSS pixels: the reference has its three columns. */
const width = 1280;

if (isSkipped) throw new Error("Chromium is not installed. To get it: apt-get install chromium");
const plan = await planned({ api: edgeNetwork, content: "content" });

const site = await serve(plan.documents);
const browser = await launchBrowser();
try {
  for (const [name, { path: place, height }] of Object.entries(places)) {
    for (const scheme of ["light", "dark"] as const) {
      const page = await openPage(browser, `${site.origin}${place}`, { width, scheme }, []);
      await page.setViewport({ width, height });
      const bytes = await page.screenshot({ type: "webp", quality: 80 });
      const file = path.join(folder, `${name}-${scheme}.webp`);
      writeFileSync(file, bytes);
      process.stdout.write(`${path.relative(process.cwd(), file)}: ${Math.round(bytes.length / 1000)} kB\n`);
      await page.close();
    }
  }
} finally {
  await browser.close();
  await site.stop();
}
