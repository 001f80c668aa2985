// The worker of a table: it answers the calls of the page one after the other.
import type { TableData } from "../data.ts";
import { LoadingTable, type TableWork } from "./table-work.ts";

export interface TableCall {
  readonly id: number;
  readonly data: TableData;
  readonly method: keyof TableWork;
  readonly parameters: readonly unknown[];
}

export interface CallResult {
  readonly id: number;
  readonly value?: unknown;
  /** Why the call failed. */
  readonly error?: string;
}

let work: TableWork | undefined;

self.onmessage = async ({ data: { id, data, method, parameters } }: MessageEvent<TableCall>) => {
  work ??= new LoadingTable(data);
  const call = work[method].bind(work) as (...parameters: readonly unknown[]) => Promise<unknown>;
  const result = await call(...parameters).then(
    (value): CallResult => ({ id, value }),
    (error: unknown): CallResult => ({ id, error: error instanceof Error ? error.message : String(error) }),
  );
  postMessage(result);
};
