import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import { cloudflarePages, cloudflareWorkers } from "./cloudflare/index.ts";
import { cloudfront } from "./cloudfront/index.ts";
import type { HostAdapter } from "./host.ts";
import { type HostName, hostNames } from "./names.ts";
import { netlify } from "./netlify/index.ts";
import { nginx } from "./nginx/index.ts";
import { plain } from "./plain/index.ts";
import { serve } from "./serve/index.ts";
import { vercel } from "./vercel/index.ts";

const byName: Readonly<Record<HostName, HostAdapter>> = {
  apache,
  caddy,
  "cloudflare-pages": cloudflarePages,
  "cloudflare-workers": cloudflareWorkers,
  netlify,
  nginx,
  vercel,
  cloudfront,
  plain,
  serve,
};

/** All hosts, by the name that `--host` takes. */
export const hosts: ReadonlyMap<string, HostAdapter> = new Map(hostNames.map((name) => [name, byName[name]]));

export const adapters = (names: readonly string[]): readonly HostAdapter[] =>
  [...new Set(names)].flatMap((name) => hosts.get(name) ?? []);

/** The size in bytes of the largest file that all of the hosts accept. */
export const largestFile = (hosts: readonly HostAdapter[]): number =>
  Math.min(
    ...hosts
      .flatMap(({ limits = [] }) => limits.filter(({ what }) => what === "bytes in one file"))
      .map(({ max }) => max),
  );
