// Calls the worker of a table.
import type { TableData } from "../data.ts";
import type { TableWork } from "./table-work.ts";
import type { CallResult, TableCall } from "./table-worker.ts";

/** The worker starts with the first call. */
export function callsOf(data: TableData): TableWork {
  const waiting = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }
  >();
  let worker: Worker | undefined;
  let calls = 0;

  function start(): Worker {
    const started = new Worker(new URL("table-worker.js", import.meta.url), { type: "module" });
    started.onmessage = ({ data: { id, value, error } }: MessageEvent<CallResult>) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.resolve(value as never);
      else call?.reject(new Error(error));
    };
    started.onerror = () => {
      for (const { reject } of waiting.values()) reject(new Error("the script of the table cannot be loaded."));
      waiting.clear();
      worker = undefined;
    };
    return started;
  }

  const caller =
    <Method extends keyof TableWork>(method: Method) =>
    (...parameters: Parameters<TableWork[Method]>): ReturnType<TableWork[Method]> => {
      worker ??= start();
      const call: TableCall = { id: calls++, data, method, parameters };
      worker.postMessage(call);
      return new Promise((resolve, reject) => {
        waiting.set(call.id, { resolve, reject });
      }) as ReturnType<TableWork[Method]>;
    };

  return {
    load: caller("load"),
    view: caller("view"),
    opened: caller("opened"),
    placeOf: caller("placeOf"),
    csv: caller("csv"),
  };
}
