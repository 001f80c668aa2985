import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { Request } from "../hosts/host.ts";
import { curl } from "./findings.ts";

it.each<[Request, string]>([
  [
    { method: "GET", path: "/api/v1/../x", query: "limit=[5]" },
    "curl -i -g --path-as-is --compressed 'http://h/api/v1/../x?limit=[5]'",
  ],
  [{ method: "HEAD", path: "/a", query: "" }, "curl -I -g --path-as-is --compressed 'http://h/a'"],
  [{ method: "POST", path: "/a", query: "" }, "curl -i -g -X POST --path-as-is --compressed 'http://h/a'"],
  [
    { method: "GET", path: "/a", query: "", headers: { "if-none-match": `"it's"`, "accept-encoding": "br" } },
    `curl -i -g --path-as-is -H 'if-none-match: "it'\\''s"' -H 'accept-encoding: br' 'http://h/a'`,
  ],
])("repeats %j", (request, command) => {
  expect(curl("http://h", request)).toBe(command);
});

it("survives the quoting of a shell", () => {
  const command = curl("http://h", { method: "GET", path: "/a'b$HOME`id`", query: "x=*" });
  const { stdout } = spawnSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8" });
  expect(stdout.split("\n")).toContain("http://h/a'b$HOME`id`?x=*");
});
