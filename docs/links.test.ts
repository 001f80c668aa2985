// Links between the pages, to other files of the repository, and to headings. Those to other sites are not followed.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf, pageFiles, readPage } from "./pages.ts";

describe.each(pageFiles)("%s", (file) => {
  const page = readPage(file);

  it("links to files and headings that are there", () => {
    const broken = linksOf(page)
      .filter((address) => !/^[a-z]+:/.test(address))
      .filter((address) => !leadsSomewhere(file, address));
    expect(broken).toEqual([]);
  });

  it("has one heading of the first level", () => {
    expect(page.replaceAll(/^( *)```.*?^\1```$/gms, "").match(/^# .*/gm)).toHaveLength(1);
  });
});

it("has no page that no other one leads to", () => {
  const linked = new Set(
    pageFiles.flatMap((file) =>
      linksOf(readPage(file)).map((address) => path.join(path.dirname(file), address.replace(/#.*/, ""))),
    ),
  );
  const entrances = ["README.md", "docs/hosts/README.md"];
  expect(pageFiles.filter((file) => !entrances.includes(file) && !linked.has(file))).toEqual([]);
});

/** Whether a link of a page leads to a file, and to a heading if it names one. */
function leadsSomewhere(from: string, address: string): boolean {
  const [to = "", anchor] = address.split("#");
  const target = to === "" ? from : path.join(path.dirname(from), to);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  return statSync(target).isFile() && anchorsOf(readPage(target)).includes(anchor);
}
