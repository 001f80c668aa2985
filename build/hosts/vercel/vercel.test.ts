import { expect, it } from "vitest";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { loadVercel } from "../../../test/hosts/vercel-emulator.ts";
import { makeTable } from "../../routing/table.ts";
import { vercel } from "./index.ts";
import { routes } from "./routes.ts";

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
