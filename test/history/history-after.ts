// The history of a build without a folder.
import type { Catalog, Deployment } from "../../build/content/catalog.ts";
import { derivedBuilds } from "../../build/history/earlier.ts";
import { type HistoryBasis, historyOf } from "../../build/history/history.ts";
import type { Found, FoundState } from "../../build/history/previous.ts";
import { parseState } from "../../build/history/state.ts";
import { openLog } from "../../build/messages.ts";
import { answersOf } from "../../build/pages/answers.ts";

export const noBuild: Found = { kind: "none" };

type Options = Pick<HistoryBasis, "now"> & Partial<HistoryBasis>;

/** The history of a build after another one, with its messages and what it leaves for the next build. */
export async function historyAfter(catalog: Catalog, deployment: Deployment, previous: Found, options: Options) {
  const log = openLog();
  const answers = answersOf(catalog, deployment);
  const usual = { from: undefined, maxBytes: Number.POSITIVE_INFINITY };
  const history = await historyOf({ catalog, deployment, ...answers, ...usual, ...options }, previous, log);
  const { shown } = log.messages();
  if (history === undefined) throw new Error(JSON.stringify(shown));
  const bytes = Buffer.concat(history.documents.flatMap(({ parts }) => [...parts()]));
  return { ...history, state: foundState(bytes), warnings: shown.map(({ code, text }) => ({ code, text })) };
}

/** The state of a whole build, whose dumps are not there. */
export const foundState = (bytes: Buffer): FoundState => ({
  kind: "state",
  bytes,
  isInterrupted: false,
  readDumps: noDumps,
});

async function* noDumps() {
  // There are none.
}

/** The collections of the builds whose cursors a build still answers, newest first, from the state that it leaves. */
export function earlierIn(bytes: Buffer, deployment: string) {
  const state = parseState(bytes, deployment);
  if (!("last" in state)) throw new Error(state.reason);
  return Array.from(derivedBuilds(state.last.collections, state.earlier), ({ earlier }) => earlier);
}
