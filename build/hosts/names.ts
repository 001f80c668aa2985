/** The names of all hosts, for those who need no more of them: the adapters take longer to load. */
export const hostNames = [
  "apache",
  "caddy",
  "cloudflare-pages",
  "cloudflare-workers",
  "netlify",
  "nginx",
  "vercel",
  "cloudfront",
  "plain",
] as const;

export type HostName = (typeof hostNames)[number];
