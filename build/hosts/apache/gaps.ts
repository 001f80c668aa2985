// Requests that Apache answers before it applies any rule of the API.

import { longRequest, unknownExpectation } from "../gaps.ts";
import type { Gap, Request } from "../host.ts";

const invalidEncoding = /%(?![0-9a-f]{2})/i;

/** The longest name of a file, in bytes, of most file systems. */
const longestName = 255;

export const gaps: readonly Gap[] = [
  longRequest("Apache", "LimitRequestLine"),
  unknownExpectation("Apache"),
  {
    requests: "paths with %2F or %00, with invalid encoding, or that lead above the root",
    happens: "404 or 400 with Apache's error page",
    reason: "Apache refuses these paths before it looks for the folder and its rules",
    covers({ path }: Request) {
      const resolved = resolvedPath(path);
      return invalidEncoding.test(path) || resolved === undefined || /%(?:2f|00)/i.test(resolved);
    },
  },
  {
    requests: "TRACE",
    happens: "the request is echoed, or refused with Apache's error page if the server has `TraceEnable off`",
    reason: "Apache answers TRACE before it applies the rules of a folder",
    covers: ({ method }) => method === "TRACE",
  },
  {
    requests: `a path with a step of more than ${longestName} bytes`,
    happens: "403 with Apache's error page",
    reason: "the file system refuses the name while Apache looks for the folder and its rules",
    covers: ({ path }) => path.split("/").some((step) => step.length > longestName),
  },
];

/** Undefined if a path leads above the root. Apache decodes dots, merges slashes and resolves `..` before it decodes the rest. */
function resolvedPath(path: string): string | undefined {
  const steps: string[] = [];
  for (const step of path.replace(/%2e/gi, ".").split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.join("/");
}
