// Runs a task repeatedly, one run at a time, each after a pause without changes.

export interface Schedule {
  /** Runs the task at once. Rejects if the task does. */
  run(): Promise<void>;
  /** Reports that something may have changed. Each request restarts the pause before the next run. */
  request(): void;
  /** Waits for the task if it is running, and forgets later changes. */
  stop(): Promise<void>;
}

interface Scheduled {
  /** `isRequested` returns whether something may have changed since the run started. */
  readonly task: (isRequested: () => boolean) => Promise<void>;
  /** In milliseconds, the shortest of all. */
  readonly firstPause: number;
  /** Called after a pause without changes. Returns how long it has to be, undefined if there is nothing to do. */
  readonly pause: () => number | undefined;
  /** Called with the errors of all runs except those that `run` starts. */
  readonly onError: (error: unknown) => void;
}

export function openSchedule({ task, firstPause, pause, onError }: Scheduled): Schedule {
  let isRequested = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    isRequested = false;
    try {
      await task(() => isRequested);
    } finally {
      running = undefined;
      if (isRequested) request();
    }
  }

  function request(): void {
    isRequested = true;
    wait(firstPause);
  }

  function wait(length: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The end of the run requests the next one.
      if (running !== undefined) return;
      const needed = pause();
      if (needed === undefined) isRequested = false;
      else if (needed > length) wait(needed);
      else running = run().catch(onError);
    }, length);
  }

  return {
    run() {
      running = run();
      return running;
    },
    request,
    async stop() {
      await running;
      clearTimeout(timer);
    },
  };
}
