// Recognises the hosts that answers may come from by their headers.
import type { Response } from "../../address/ask.ts";
import { hosts } from "../../hosts/hosts.ts";

/** A header by which a host's servers name themselves. */
const signatures: Readonly<Record<string, readonly [header: string, value: RegExp]>> = {
  apache: ["server", /^Apache/i],
  caddy: ["server", /^Caddy/i],
  "cloudflare-pages": ["server", /^cloudflare/i],
  "cloudflare-workers": ["server", /^cloudflare/i],
  cloudfront: ["x-amz-cf-id", /./],
  netlify: ["x-nf-request-id", /./],
  nginx: ["server", /^nginx/i],
  plain: ["server", /^(?:GitHub\.com|SurgeCDN)/i],
  vercel: ["x-vercel-id", /./],
};

export function hostsBehind(answers: readonly (Response | string)[]): readonly string[] {
  return [...hosts.keys()].filter((name) => {
    const [header, value] = signatures[name] ?? [];
    if (header === undefined || value === undefined) return false;
    return answers.some((answer) => typeof answer !== "string" && value.test(answer.headers[header] ?? ""));
  });
}
