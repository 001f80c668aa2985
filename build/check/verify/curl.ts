import type { Request } from "../../hosts/host.ts";

/** The shell command that repeats a request and shows the whole answer. */
export function curl(root: string, { method, path, query, headers = {} }: Request): string {
  const encoding = Object.keys(headers).includes("accept-encoding") ? [] : ["--compressed"];
  const options = [
    ...(method === "HEAD" ? ["-I"] : ["-i"]),
    "-g",
    ...(method === "GET" || method === "HEAD" ? [] : ["-X", method]),
    "--path-as-is",
    ...encoding,
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)]),
  ];
  return ["curl", ...options, quoted(root + path + (query === "" ? "" : `?${query}`))].join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
