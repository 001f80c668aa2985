// A path before the paths of an API is for hosts that only serve files: rules are written for the paths of an origin.
import type { Settings } from "../content/settings/chosen-settings.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Log, wholeBuild } from "../messages.ts";

/** Reports a mount if one of the hosts has rules. */
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
