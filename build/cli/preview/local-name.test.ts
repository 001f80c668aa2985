import { hostname } from "node:os";
import { expect, it } from "vitest";
import { isLocalName } from "./local-name.ts";

it.each([
  [undefined, true],
  ["localhost", true],
  ["LOCALHOST:3000", true],
  ["127.0.0.1:3000", true],
  ["[::1]:3000", true],
  [`${hostname()}:3000`, true],
  ["", false],
  ["example.com", false],
  ["localhost.example.com:3000", false],
  ["127.0.0.1.example.com", false],
  ["example.com:3000:127.0.0.1", false],
])("%j: %j", (host, isLocal) => expect(isLocalName(host)).toBe(isLocal));
