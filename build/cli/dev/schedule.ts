// Runs a task again and again, one run at a time, each once no further change comes.

export interface Schedule {
  /** Runs the task at once. Rejects if the task does. */
  run(): Promise<void>;
  /** Something may have changed. Each change starts the pause before the next run anew. */
  request(): void;
  /** Waits for the task if it is running, and forgets later changes. */
  stop(): Promise<void>;
}

interface Scheduled {
  /** `isRequested` returns whether something may have changed since the run started. */
  readonly task: (isRequested: () => boolean) => Promise<void>;
  /** In milliseconds, the shortest of all. */
  readonly firstPause: number;
  /** Called after a pause without changes: how long it has to be. Undefined if there is nothing to do. */
  readonly pause: () => number | undefined;
  /** For all runs but those of `run`. */
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
