import getPort from "get-port";
import { MachineError } from "../../machine-error.ts";

export const portTaken = (port: number): MachineError =>
  new MachineError(
    `Port ${port} is in use.`,
    "Stop the program that listens there, or choose another port with --port.",
  );

/** The port, or any free one instead of port 0. Rejects if the port is in use on 127.0.0.1. */
export async function freePort(port: number): Promise<number> {
  const free = await getPort({ host: "127.0.0.1", ...(port !== 0 && { port }) });
  if (port !== 0 && free !== port) throw portTaken(port);
  return free;
}
