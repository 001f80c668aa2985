import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { obeyKeys } from "./keys.ts";

class Terminal extends EventEmitter {
  readonly calls: string[] = [];
  setRawMode = (isRaw: boolean) => this.calls.push(`raw ${isRaw}`);
  resume = () => this.calls.push("resume");
  pause = () => this.calls.push("pause");
}

function started(isServed = true) {
  const terminal = new Terminal();
  const done: string[] = [];
  const stop = obeyKeys(terminal, {
    preview: () =>
      isServed ? { origin: "http://127.0.0.1:3000", paths: ["/api/v1/docs/", "/api/v1/nodes"] } : undefined,
    print: (text) => done.push(text),
    end: () => done.push("end"),
    open: (address) => done.push(`open ${address}`),
  });
  return { terminal, done, stop };
}

it.each([
  ["h", ["  http://127.0.0.1:3000/api/v1/docs/\n  http://127.0.0.1:3000/api/v1/nodes\n"]],
  ["o", ["open http://127.0.0.1:3000/api/v1/docs/"]],
  ["q", ["end"]],
  ["\u0003", ["end"]],
  ["x", []],
  ["oq", ["open http://127.0.0.1:3000/api/v1/docs/", "end"]],
])("obeys %j", (keys, expected) => {
  const { terminal, done } = started();
  terminal.emit("data", Buffer.from(keys));
  expect(done).toEqual(expected);
});

it("only ends while nothing is served", () => {
  const { terminal, done } = started(false);
  terminal.emit("data", "hoq");
  expect(done).toEqual(["end"]);
});

it("reads keys one by one, and gives them back", () => {
  const { terminal, stop } = started();
  stop();
  expect(terminal.calls).toEqual(["raw true", "resume", "raw false", "pause"]);
});
