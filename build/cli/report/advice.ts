// Sentences about the consequences of a build, for the reports of build and diff.
import type { Reload } from "../../hosts/configuration.ts";

/** A sentence for each host that has to load another configuration. */
export const reloadTexts = (reloads: readonly Reload[]): readonly string[] =>
  reloads.map(
    ({ host, files }) =>
      `${host} needs another configuration with these files: publish and load ${files.join(", ")}, or some requests fail.`,
  );
