// The effect of a change on the files of the publish root. Only the entries of files are compared; no file is
// generated.
import type { BuildPlan } from "../build-plan.ts";
import type { OutputEntry } from "../file.ts";

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface FileChanges {
  readonly before: Amount;
  readonly after: Amount;
  readonly added: Amount;
  readonly removed: Amount;
  /** The bytes are those after the change. */
  readonly changed: Amount;
}

export function fileChanges(before: BuildPlan, after: BuildPlan): FileChanges {
  const olds = new Map<string, OutputEntry>();
  const amounts = { before: none(), after: none(), added: none(), removed: none(), changed: none() };
  for (const entry of entriesOf(before)) {
    olds.set(entry.file, entry);
    count(amounts.before, entry);
  }
  for (const entry of entriesOf(after)) {
    const old = olds.get(entry.file);
    olds.delete(entry.file);
    count(amounts.after, entry);
    if (old === undefined) count(amounts.added, entry);
    else if (old.length !== entry.length || old.digest !== entry.digest) count(amounts.changed, entry);
  }
  for (const entry of olds.values()) count(amounts.removed, entry);
  return amounts;
}

function* entriesOf({ files, marker }: BuildPlan): Generator<OutputEntry> {
  for (const { entry } of files) yield entry;
  yield marker.entry;
}

const none = () => ({ files: 0, bytes: 0 });

function count(amount: ReturnType<typeof none>, { length }: OutputEntry): void {
  amount.files++;
  amount.bytes += length;
}
