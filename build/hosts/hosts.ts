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

/** Every host, by the name that `--host` takes. */
export const hosts: ReadonlyMap<string, HostAdapter> = new Map(
  [apache, caddy, cloudflarePages, cloudflareWorkers, netlify, nginx, vercel, cloudfront, plain].map((host) => [
    host.name,
    host,
  ]),
);

/** Its configuration is part of every build, so that `npm run serve` can serve it on this machine. */
export const local: HostAdapter = serve;
