import type { Reload } from "../../hosts/configuration.ts";

/** A sentence about a host that has to load another configuration. */
export const reloadText = ({ host, files }: Reload): string =>
  `${host} needs another configuration with these files: publish and load ${files.join(", ")}, or some requests fail.`;
