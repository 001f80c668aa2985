import { expect, it } from "vitest";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { loadVercel } from "../../../test/hosts/vercel-emulator.ts";
import { makeTable } from "../../routing/table.ts";
import { vercel } from "./index.ts";
import { routes } from "./print.ts";

const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
const names = edgeNetwork.operations.map(({ name }) => name);
const table = makeTable(edgeNetwork, names, () => [...odd, 100]);

it("stays within Vercel's number of routes with the page sizes that take the most", () => {
  const limit = vercel.limits?.find(({ what }) => what === "routes") ?? expect.fail();
  expect(routes([table]).length).toBeLessThan(limit.max);
});

it("lets only well-formed values into a path", () => {
  const [config] = vercel.files?.([table]) ?? [];
  const emulator = loadVercel(Buffer.concat([...(config?.parts() ?? [])]).toString(), (file) => file.endsWith(".json"));
  const values = [
    "..",
    ".",
    "",
    "%2e%2e",
    "..%2F..%2Fstatus",
    "../../status",
    "..%5C..",
    "lhr1/..",
    "lhr1%00",
    "$limit",
  ];
  const pairs = ["region", "cursor"].flatMap((param) => values.map((value) => `${param}=${value}`));
  const answers = pairs
    .flatMap((pair) => [pair, `${pair}&limit=5`, `limit=5&${pair}`])
    .map((query) => emulator.answer({ method: "GET", path: "/api/v1/nodes", query }));
  expect(new Set(answers.map(({ status, file }) => `${status} ${file}`))).toEqual(
    new Set(["400 api/v1/errors/nodes/invalid_region.json", "400 api/v1/errors/nodes/invalid_cursor.json"]),
  );
});

it("finds no file with headers of its own at another spelling of its path", () => {
  const document = { path: "/", file: "index.html", contentType: "text/html", cacheControl: "no-store" };
  const headers = { "Content-Security-Policy": "sandbox" };
  const svgs = {
    path: "/api/v1/files/{part1}.svg",
    file: "api/v1/files/{part1}.svg",
    contentType: "image/svg+xml",
    cacheControl: "no-store",
    headers,
  };
  const [config] = vercel.files?.([makeTable(edgeNetwork, names, () => [100], [document], [svgs])]) ?? [];
  const sameFile = (file: string) => new URL(file.replace(/\/+/g, "/"), "http://localhost").pathname.slice(1);
  const exists = (file: string) =>
    file.startsWith("api/v1/errors/") ||
    file === "404.html" ||
    decodeURIComponent(sameFile(file)) === "api/v1/files/a.svg";
  const emulator = loadVercel(Buffer.concat([...(config?.parts() ?? [])]).toString(), exists);
  const answer = (method: string, path: string) => emulator.answer({ method, path, query: "" });
  expect(answer("GET", "/api/v1/files/a.svg")).toMatchObject({ status: 200, headers });
  for (const path of ["/files/a%2Esvg", "/%66iles/a.svg", "//files/a.svg", "/./files/a.svg", "/x/../files/a.svg"]) {
    expect([path, answer("GET", `/api/v1${path}`).status]).toEqual([path, 404]);
    expect([path, answer("POST", `/api/v1${path}`).status]).toEqual([path, 405]);
  }
});
