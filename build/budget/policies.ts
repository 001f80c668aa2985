// Checks that no SVG beside the data can run anything: on most hosts, its Content-Security-Policy prevents it.
import type { Catalog, Deployment } from "../content/catalog.ts";
import { noPolicies } from "../hosts/gaps.ts";
import type { HostAdapter } from "../hosts/host.ts";
import type { Log } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";

/**
 * Reports each item of a deployment that names an SVG that may run something, if a host sends it without the header. An item
 * that is made from one that names the file is not reported again.
 */
export function checkPolicies(
  { svgs }: Pick<Catalog, "svgs">,
  { operations }: Deployment,
  hosts: readonly HostAdapter[],
  log: Log,
): void {
  const names = hosts.filter(({ gaps }) => gaps.includes(noPolicies)).map(({ name }) => name);
  if (names.length === 0) return;
  const all = operations.flatMap((name) => svgs?.get(name) ?? []);
  const written = new Set(all.filter(({ isMade }) => !isMade).map(({ asset }) => asset.file));
  for (const { asset, at, isMade } of all) {
    if (isMade && written.has(asset.file)) continue;
    // Reads the whole file.
    const harm = asset.harm();
    if (harm === undefined) continue;
    log.report({
      code: "wrong-file",
      at,
      text: `${quote(asset.file)} ${harm}, and ${listed(names)} cannot send the header that prevents it.`,
      hint: "Remove it, or publish to other hosts.",
    });
  }
}
