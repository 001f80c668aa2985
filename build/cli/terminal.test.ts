import { expect, it } from "vitest";
import { onEnd } from "./terminal.ts";

it("stops a program once, whatever else ends it meanwhile", () => {
  let stops = 0;
  onEnd(() => stops++);
  for (const signal of ["SIGPIPE", "SIGPIPE", "SIGHUP", "SIGTERM"] as const) process.emit(signal, signal);
  expect(stops).toBe(1);
});
