import type { HostAdapter } from "./host.ts";
import { netlify } from "./netlify.ts";
import { serve } from "./serve.ts";

/** Every host there is an adapter for, by the name that `--host` takes. */
export const hosts: ReadonlyMap<string, HostAdapter> = new Map([netlify].map((host) => [host.name, host]));

/** Written with every build, for looking at its files on one's own machine. */
export const local: HostAdapter = serve;
