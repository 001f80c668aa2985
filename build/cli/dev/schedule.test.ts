import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSchedule, type Schedule } from "./schedule.ts";

let runs: number;
let pause: number | undefined;
/** Ends the run, if it is to take its time. */
let end: (() => void) | undefined;
let wasRequested: boolean[];
let errors: unknown[];
let schedule: Schedule;

beforeEach(() => {
  vi.useFakeTimers();
  runs = 0;
  pause = 10;
  end = undefined;
  wasRequested = [];
  errors = [];
  schedule = openSchedule({
    async task(isRequested) {
      runs++;
      if (end !== undefined) await new Promise<void>((resolve) => (end = resolve));
      wasRequested.push(isRequested());
    },
    firstPause: 10,
    pause: () => pause,
    onError: (error) => errors.push(error),
  });
});

afterEach(() => vi.useRealTimers());

it("runs once after many changes, when no further one comes for the pause that they need", async () => {
  pause = 100;
  for (let change = 0; change < 5; change++) {
    schedule.request();
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
});

it("does not run if nothing has changed", async () => {
  pause = undefined;
  schedule.request();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(0);
});

it("runs once more after changes during a run, never twice at a time, and tells the run of them", async () => {
  end = () => undefined;
  const first = schedule.run();
  schedule.request();
  schedule.request();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  end();
  end = undefined;
  await first;
  await vi.advanceTimersByTimeAsync(1_000);
  expect({ runs, wasRequested }).toEqual({ runs: 2, wasRequested: [true, false] });
});

it("rejects if the first run fails, and goes on after others that do", async () => {
  const failing = openSchedule({
    task: () => Promise.reject(new Error(`Run ${++runs} fails.`)),
    firstPause: 10,
    pause: () => 10,
    onError: (error) => errors.push(error),
  });
  await expect(failing.run()).rejects.toThrow("Run 1 fails.");
  for (const _ of [2, 3]) {
    failing.request();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(errors.map(String)).toEqual(["Error: Run 2 fails.", "Error: Run 3 fails."]);
});

it("waits for the run when it stops, and starts no other", async () => {
  end = () => undefined;
  void schedule.run();
  schedule.request();
  let isStopped = false;
  const stopping = schedule.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isStopped).toBe(false);
  end();
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
});
