// The names of all hosts, for modules that need only the names: the adapters take longer to load.

/** The hosts to which `init` publishes. */
export const publishedHosts = [
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

export const hostNames = [...publishedHosts, "serve"] as const;

export type HostName = (typeof hostNames)[number];

/** The host of content that names none. */
export const usualHost: HostName = "netlify";
