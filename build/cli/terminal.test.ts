import { expect, it, onTestFinished, vi } from "vitest";
import { onEnd, progressLine, watchOutput, widthOf } from "./terminal.ts";

it("stops a program once, whatever else ends it meanwhile", () => {
  let stops = 0;
  onEnd(() => stops++);
  for (const signal of ["SIGPIPE", "SIGPIPE", "SIGHUP", "SIGTERM"] as const) process.emit(signal, signal);
  expect(stops).toBe(1);
});

it("stops a program whose output nobody reads, even if the system sends no signal", () => {
  for (const stream of [process.stdout, process.stderr]) {
    const before = stream.listeners("error");
    onTestFinished(() => {
      stream.removeAllListeners("error");
      for (const listener of before) stream.on("error", (error) => listener(error));
    });
  }
  let stops = 0;
  watchOutput();
  onEnd(() => stops++);
  process.stdout.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  expect(stops).toBe(1);
});

it("stops a program whose output failed before it could be stopped", () => {
  vi.spyOn(process.stdout, "errored", "get").mockReturnValue(new Error("write EPIPE"));
  let stops = 0;
  onEnd(() => stops++);
  expect(stops).toBe(1);
});

it.each([
  { isTTY: true, columns: 100, width: 100 },
  { isTTY: true, columns: 0, width: 80 },
  { isTTY: false, columns: 0, width: undefined },
])("takes $width columns for the width of a stream with %j", ({ width, ...stream }) => {
  expect(widthOf(stream)).toBe(width);
});

/** What is on the line after each of ten files, one of which takes `milliseconds`. */
function progressOf(milliseconds: number): readonly string[] {
  let now = 0;
  let line = "";
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    line = String(text).replace("\r\u{1b}[K", "");
    return true;
  });
  const progress = progressLine(true);
  progress.start(10);
  return Array.from({ length: 10 }, () => {
    now += milliseconds;
    progress.step();
    return line;
  });
}

it("says how many seconds a long build takes yet, and nothing of one that ends at once", () => {
  expect(progressOf(1_500)).toEqual([
    "1 of 10 files, 14 s left",
    "2 of 10 files, 12 s left",
    "3 of 10 files, 11 s left",
    "4 of 10 files, 9 s left",
    "5 of 10 files, 8 s left",
    "6 of 10 files, 6 s left",
    "7 of 10 files, 5 s left",
    "8 of 10 files, 3 s left",
    "9 of 10 files, 2 s left",
    "10 of 10 files, 0 s left",
  ]);
  expect(new Set(progressOf(90))).toEqual(new Set([""]));
});
