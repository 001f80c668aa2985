// The list of changes, and the states of the API that it names.
import type { Change, Changes } from "../answers.ts";
import { ApiError, type Sender } from "./send.ts";
import type { CallOptions, ChangesOptions } from "./types.ts";

/** The content of a build. */
export interface ApiState {
  readonly at: string;
  readonly build: string;
}

// biome-ignore lint/style/noRestrictedGlobals: caches and servers may answer with an older state for a time
export const clock = Date;

/** The list, and the time of the request in milliseconds. */
export const askChanges = (root: string, sender: Sender, options?: CallOptions) =>
  sender.ask(`${root}/changes.json`, options, (body, headers): { readonly list: Changes; readonly asked: number } => ({
    list: { ...body, data: [...body.data] },
    // Scripts of other origins cannot read the header of every server.
    asked: clock.parse(headers.get("date") ?? "") || clock.now(),
  }));

export const isSameState = (a: ApiState, b: ApiState): boolean => a.at === b.at && a.build === b.build;

/** The state of the newest build in the list. */
export const newestIn = ({ since, build, data }: Changes): ApiState => data[0] ?? { at: since, build };

/** The changes after a state, the newest first; undefined if the list does not name the state. */
export function changesAfter({ since, build, data }: Changes, state: ApiState): readonly Change[] | undefined {
  const states: readonly ApiState[] = [...data, { at: since, build }];
  const end = states.findIndex((other) => isSameState(other, state));
  return end < 0 ? undefined : data.slice(0, end);
}

export const changesOf = (root: string, sender: Sender) =>
  async function* changes({ since = "", ...options }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    const { list } = await askChanges(root, sender, options);
    // A time, or the text of one or more states.
    const [at = "", build = ""] = since.split(/[/ ]/);
    const found = build ? changesAfter(list, { at, build }) : list.data.filter((change) => change.at > at);
    if (!found || (at && at < list.since))
      throw new ApiError(`Changes are known since ${list.since}.`, {
        url: `${root}/changes.json`,
        code: "changes_expired",
      });
    yield* [...found].reverse();
  };
