import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import { cloudflarePages } from "./cloudflare-pages/index.ts";
import { cloudflareWorkers } from "./cloudflare-workers/index.ts";
import { cloudfront } from "./cloudfront/index.ts";
import type { HostAdapter } from "./host.ts";
import { netlify } from "./netlify/index.ts";
import { nginx } from "./nginx/index.ts";
import { plain } from "./plain/index.ts";
import { serve } from "./serve/index.ts";
import { vercel } from "./vercel/index.ts";

/** Every host there is an adapter for, by the name that `--host` takes. */
export const hosts: ReadonlyMap<string, HostAdapter> = new Map(
  [apache, caddy, cloudflarePages, cloudflareWorkers, netlify, nginx, vercel, cloudfront, plain].map((host) => [
    host.name,
    host,
  ]),
);

/** Written with every build, for looking at its files on one's own machine. */
export const local: HostAdapter = serve;
