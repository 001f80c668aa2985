// DNS rebinding: a page of another site gives its name the address 127.0.0.1 and reads what is served there as if it were
// of the same origin. The browser still sends the name of the site as the Host.
import { hostname } from "node:os";

/** Whether the value of a Host header names this machine. Browsers always send one; without one, the answer is yes. */
export function isLocalName(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return ["localhost", "127.0.0.1", "[::1]", hostname().toLowerCase()].includes(name);
}
