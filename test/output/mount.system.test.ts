import { afterEach, expect, it, vi } from "vitest";
import { mount, temporaryFolder } from "./folder.ts";

afterEach(() => vi.unstubAllEnvs());

it("a mount that cannot be made fails its test, unless a variable says that it may be skipped", () => {
  const skipped: string[] = [];
  const skip = (why: string): never => {
    skipped.push(why);
    throw new Error("skipped");
  };
  const attempt = () => mount(skip, temporaryFolder(), "-t", "no-such-type", "none");
  vi.stubEnv("STILLAPI_MAY_SKIP_MOUNTS", "");
  expect(attempt).toThrow("Run the test as root, or skip it with STILLAPI_MAY_SKIP_MOUNTS=1.");
  expect(skipped).toEqual([]);
  vi.stubEnv("STILLAPI_MAY_SKIP_MOUNTS", "1");
  expect(attempt).toThrow("skipped");
  expect(skipped).toEqual([expect.stringContaining("Nothing can be mounted here")]);
});
