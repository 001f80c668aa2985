import type { Reload } from "../../hosts/configuration.ts";

/** A sentence for each host that needs another configuration than before. */
export const reloadTexts = (reloads: readonly Reload[]): readonly string[] =>
  reloads.map(
    ({ host, files }) =>
      `${host} needs another configuration with these files: publish and load ${files.join(", ")}, or some requests fail.`,
  );
