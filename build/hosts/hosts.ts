import { MachineError } from "../machine-error.ts";
import { type Encoding, encodings } from "../routing/sidecar.ts";
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
export const hosts: ReadonlyMap<string, HostAdapter> = byName(
  ...[apache, caddy, cloudflarePages, cloudflareWorkers, netlify, nginx, vercel, cloudfront, plain],
);

function byName(...all: readonly HostAdapter[]): ReadonlyMap<string, HostAdapter> {
  return new Map(all.map((host) => [host.name, host]));
}

/** Its configuration is part of every build, so that `npm run serve` can serve it on this machine. */
export const local: HostAdapter = serve;

/** The encodings of precompressed pages that at least one of the hosts sends. Throws where none does. */
export function chooseEncodings(chosen: readonly HostAdapter[]): readonly Encoding[] {
  const wanted = encodings.filter((encoding) => chosen.some(({ sidecars }) => sidecars?.includes(encoding)));
  if (wanted.length > 0) return wanted;
  const able = [...hosts.values()].filter(({ sidecars }) => sidecars !== undefined).map(({ name }) => name);
  throw new MachineError(
    `None of the chosen hosts sends precompressed files; ${able.join(", ")} do.`,
    "Choose one of them with --host, or leave out --precompress.",
  );
}

/** The largest file that every one of the hosts takes, in bytes. */
export const largestFile = (hosts: readonly HostAdapter[]): number =>
  Math.min(
    ...hosts
      .flatMap(({ limits = [] }) => limits.filter(({ what }) => what === "bytes in one file"))
      .map(({ most }) => most),
  );
