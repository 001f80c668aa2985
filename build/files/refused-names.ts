// Names that no file has whose path an author chooses: hosts read such a file as their configuration, run it, or hide it.

/** Of the hosts that the program has adapters for. A test compares the list with what they read. */
const configuration: readonly string[] = [
  "404.html",
  "_config.yml",
  "_headers",
  "_redirects",
  "_routes.json",
  "_worker.js",
  "auth",
  "cname",
  "cors",
  "netlify.toml",
  "now.json",
  "package.json",
  "router",
  "serve.json",
  "vercel.json",
];

/** Servers run files with these endings. */
const runs = /\.(?:php\d?|phtml|phar|cgi|pl|py|shtml|aspx?|jspx?)$/i;

/** Whether a file must not have a name, in any folder. */
export const isRefusedName = (name: string): boolean =>
  name.startsWith(".") || runs.test(name) || configuration.includes(name.toLowerCase());
