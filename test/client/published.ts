// A plan as a client sees it, without a server.

import { bytesOf } from "../../build/files/file.ts";
import { resolve, settle, splitTarget } from "../../build/routing/resolve.ts";
import type { TestPlan } from "../plan.ts";

export const origin = "https://api.example.com";

/** Answers from the plan that is published at the moment. `asked` are the targets of the requests, in order. */
export function published(plan: () => TestPlan) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    const target = String(url).slice(origin.length);
    asked.push(target);
    const {
      table,
      files: { find },
    } = plan();
    const answer = settle(
      resolve(table, { method: "GET", ...splitTarget(target) }),
      (file) => find(file) !== undefined,
    );
    const file = answer.file === undefined ? undefined : find(answer.file);
    return new Response(file && new Uint8Array(bytesOf(file)), { status: answer.status });
  };
  return { fetch, asked };
}
