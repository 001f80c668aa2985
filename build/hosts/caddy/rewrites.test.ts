// A requirement of newer versions of Caddy, tested without one.
import { expect, it } from "vitest";
import { everyPageSize } from "../../../src/model/paging.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { makeTable } from "../../routing/table.ts";
import { apiName } from "../view.ts";
import { caddy } from "./index.ts";

const { operations } = edgeNetwork;

const document = { path: "/", file: "index.html", contentType: "text/html", cacheControl: "no-store" };
const table = makeTable(
  edgeNetwork,
  operations.map(({ name }) => name),
  () => everyPageSize,
  [document],
);

/** The number of rewrites in each block, without nested blocks. */
function rewritesOfBlocks(lines: readonly string[]): readonly number[] {
  const open: number[] = [];
  const closed: number[] = [];
  for (const line of lines.map((text) => text.trim())) {
    if (line.endsWith(" {")) open.push(0);
    else if (line === "}") closed.push(open.pop() ?? Number.NaN);
    else if (line.startsWith("rewrite ")) open.push((open.pop() ?? Number.NaN) + 1);
  }
  return closed;
}

it("has one rewrite in a block, because since Caddy 2.6.3 others would be passed over", () => {
  const snippets = caddy.configuration?.([table]).find(({ file }) => file === `${apiName(edgeNetwork.base)}.caddy`);
  const rewrites = rewritesOfBlocks(
    Buffer.concat([...(snippets?.parts() ?? [])])
      .toString()
      .split("\n"),
  );
  expect(Math.max(...rewrites)).toBe(1);
});
