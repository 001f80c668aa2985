// Whether the hosts can publish the content: together, below its mount, to the readers that it names, and so that no SVG beside
// the data can run anything.
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Settings } from "../content/settings/chosen-settings.ts";
import { conflictAmong } from "../hosts/configuration.ts";
import { noPolicies } from "../hosts/gaps.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Log, wholeBuild } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { listed } from "../text/words.ts";

/** Reports two of the hosts that cannot publish the same folder: one would read the configuration of the other. */
export function checkConflicts({ placeOf }: Settings, hosts: readonly HostAdapter[], log: Log): void {
  const text = conflictAmong(hosts);
  if (text === undefined) return;
  log.report({
    code: "hosts-conflict",
    at: placeOf("hosts") ?? wholeBuild,
    text,
    hint: "Keep one of them here, and build for the other one with --host and --out, into a folder of its own.",
  });
}

/** Reports a mount if one of the hosts has rules, which are written for the paths of an origin. */
export function checkMount({ mount, placeOf }: Settings, hosts: readonly HostAdapter[], log: Log): void {
  const host = hosts.find(({ servesOnlyFiles }) => !servesOnlyFiles);
  if (mount === "" || host === undefined) return;
  const setting = placeOf("mount") === undefined ? "url" : "mount";
  log.report({
    code: "mount-with-rules",
    at: placeOf(setting) ?? wholeBuild,
    text: `The API is below the path ${mount}, but ${host.name} publishes at the root of an origin.`,
    hint: `${setting === "url" ? "Write the address without a path" : "Remove mount"}, or build for plain alone.`,
  });
}

/** Warns of each host that gives the files of an API with readers to everybody. */
export function warnOfAccess({ access, placeOf }: Settings, hosts: readonly HostAdapter[], log: Log): void {
  if (access === undefined) return;
  for (const { name, servesOnlyFiles } of hosts) {
    if (!servesOnlyFiles) continue;
    log.report({
      code: "everybody-reads",
      at: placeOf("access") ?? wholeBuild,
      text: `${name} only serves files, and everybody can read them.`,
      hint: "Publish to a host that asks who reads.",
    });
  }
}

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
