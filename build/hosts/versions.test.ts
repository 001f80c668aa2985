// Workflows publish with the versions that the tests run.
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import tools from "../../test/tools/package.json" with { type: "json" };
import { cloudflareWorkers } from "./cloudflare/index.ts";
import { netlify } from "./netlify/index.ts";

it.each([
  ["netlify-cli", netlify, manifest.devDependencies["netlify-cli"].replace("^", "")],
  ["wrangler", cloudflareWorkers, tools.dependencies.wrangler],
])("publishes with the version of %s that the tests run", (name, host, version) => {
  expect(host.publishing?.run("my-api").join()).toContain(`npx --yes --ignore-scripts ${name}@${version} `);
});
