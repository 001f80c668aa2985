// Finds the changes since the last plan, once nothing was noticed for long enough.
import type { Apis } from "../../../src/model/api.ts";
import { isOutside } from "../../content/files.ts";
import { isContent } from "../../content/roles.ts";
import { changedFiles, type Snapshot, snapshotOf, snapshotOutside } from "./snapshot.ts";

/**
 * In milliseconds. Editors save in several steps, some of them by a file of another name, which they rename; a checkout
 * changes many files, with longer pauses between them.
 */
export const pauses = { afterSave: 10, afterOther: 150, afterCheckout: 400 };

/** More changes at a time count as a checkout. */
const maxSaved = 10;

/** What a plan starts from. */
export interface Inputs {
  readonly snapshot: Snapshot;
  /** Undefined if there are faults in the declaration. */
  readonly apis: Apis | undefined;
}

export interface DevChange {
  /** The state of the content after the change. */
  readonly snapshot: Snapshot;
  /** Whether the declaration, or a module that it imports, has changed. */
  readonly isDeclaration: boolean;
  /** The files that were added, changed or removed. */
  readonly files: readonly string[];
  /** Those that may be content. */
  readonly content: readonly string[];
}

export class DevChanges {
  readonly #folder: string;
  /** Whether the declaration has to be read again. */
  #isDeclaration = true;
  /** Whether something may have changed since the last wait or the last change. */
  #isNoticed = false;
  #isClosed = false;
  /** Ends the current wait. */
  #wake = (): void => undefined;

  /** `folder` has the content. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Something in the folder may have changed. */
  notice(): void {
    this.#isNoticed = true;
    this.#wake();
  }

  noticeDeclaration(): void {
    this.#isDeclaration = true;
    this.notice();
  }

  /** Waits for a change, and for the pause that it needs. Each notice starts the pause anew. Undefined: closed. */
  async next(last: Inputs): Promise<DevChange | undefined> {
    let pause = this.#isNoticed ? pauses.afterSave : undefined;
    while (!this.#isClosed) {
      await this.#wait(pause);
      if (this.#isNoticed) {
        pause = pauses.afterSave;
        continue;
      }
      const change = this.#since(last);
      const needed = pauseAfter(change);
      if (needed !== undefined && pause !== undefined && needed <= pause) return this.#taken(change);
      pause = needed;
    }
    return undefined;
  }

  /** What has changed, without a pause. */
  now(last: Inputs): DevChange {
    return this.#taken(this.#since(last));
  }

  /** Whether `next` will return a change. */
  areMore(last: Inputs): boolean {
    return pauseAfter(this.#since(last)) !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.notice();
  }

  #since({ snapshot: before, apis }: Inputs): DevChange {
    const snapshot = new Map([...snapshotOf(this.#folder), ...snapshotOutside(this.#folder, apis ?? [])]);
    const files = changedFiles(before, snapshot);
    const collections = (apis ?? []).flatMap((api) => api.collections);
    const content = files.filter((file) => isOutside(file) || isContent(file, { collections }));
    return { snapshot, isDeclaration: this.#isDeclaration, files, content };
  }

  #taken(change: DevChange): DevChange {
    this.#isDeclaration = false;
    this.#isNoticed = false;
    return change;
  }

  /** Ends with the next notice, or after a time in milliseconds. */
  #wait(length: number | undefined): Promise<void> {
    this.#isNoticed = false;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = length === undefined ? undefined : setTimeout(end, length);
      this.#wake = end;
    });
  }
}

/** Undefined if nothing has changed. */
function pauseAfter({ files, content, isDeclaration }: DevChange): number | undefined {
  if (files.length > maxSaved) return pauses.afterCheckout;
  if (isDeclaration || content.length > 0) return pauses.afterSave;
  return files.length === 0 ? undefined : pauses.afterOther;
}
