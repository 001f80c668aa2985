import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openBrowser } from "./browser.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-browser-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("gives the address to the system's opener", async () => {
  const told = path.join(folder, "told");
  const script = `require("node:fs").writeFileSync(${JSON.stringify(told)}, process.argv[1])`;
  await openBrowser("http://127.0.0.1:3000/", [process.execPath, "-e", script]);
  await vi.waitFor(() => expect(readFileSync(told, "utf8")).toBe("http://127.0.0.1:3000/"), { timeout: 10_000 });
});

it("says which opener is missing", async () => {
  await expect(openBrowser("http://127.0.0.1:3000/", [path.join(folder, "none")])).rejects.toMatchObject({
    message: expect.stringMatching(/none cannot be run, so no browser was opened\.$/),
    hint: "Open http://127.0.0.1:3000/ yourself.",
  });
});
