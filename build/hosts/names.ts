/** The names of all hosts, for modules that need only the names: the adapters take longer to load. */
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
