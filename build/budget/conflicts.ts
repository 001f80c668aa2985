// Hosts that publish the same folder must not read the configuration of one another.
import type { Settings } from "../content/settings/chosen-settings.ts";
import { conflictAmong } from "../hosts/configuration.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Log, wholeBuild } from "../messages.ts";

/** Reports two of the hosts that cannot publish the same folder. */
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
