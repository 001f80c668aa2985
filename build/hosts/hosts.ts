import { apache } from "./apache.ts";
import { caddy } from "./caddy.ts";
import { cloudflarePages } from "./cloudflare-pages.ts";
import { cloudflareWorkers } from "./cloudflare-workers.ts";
import { cloudfront } from "./cloudfront.ts";
import type { HostAdapter } from "./host.ts";
import { netlify } from "./netlify.ts";
import { nginx } from "./nginx.ts";
import { plain } from "./plain.ts";
import { serve } from "./serve.ts";
import { vercel } from "./vercel.ts";

/** Every host there is an adapter for, by the name that `--host` takes. */
export const hosts: ReadonlyMap<string, HostAdapter> = new Map(
  [apache, caddy, cloudflarePages, cloudflareWorkers, netlify, nginx, vercel, cloudfront, plain].map((host) => [
    host.name,
    host,
  ]),
);

/** Written with every build, for looking at its files on one's own machine. */
export const local: HostAdapter = serve;
