// The state of dev, and the steps from one state to the next: after a change, the declaration is read again if it has
// changed, and the content is read and planned.
import path from "node:path";
import type { Api } from "../../../src/model/api.ts";
import { planContents } from "../../build.ts";
import type { Measurements } from "../../content/assets/assets.ts";
import { type Contents, readContents } from "../../content/content.ts";
import { isOutside } from "../../content/files.ts";
import { dotNamesIn, isHidden } from "../../content/globs.ts";
import { dayOf } from "../../declaration/deprecations.ts";
import { secondsNow } from "../../declaration/seconds-now.ts";
import type { Log } from "../../messages.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import { type ContentOptions, chosenTarget, openApis } from "../command.ts";
import type { DevChange, Inputs } from "./changes.ts";
import { snapshotOf, snapshotOutside } from "./snapshot.ts";
import type { Followed } from "./watch.ts";

export interface DevOptions extends Omit<ContentOptions, "format"> {
  readonly port: number;
}

/** Faults as open pages show them. */
export interface ShownFaults {
  readonly title: string;
  /** May have colours of a terminal. */
  readonly text: string;
}

/** `snapshot` and `apis` are those of the last pass, whether its plan is valid or not. */
export interface DevState extends Inputs {
  /** The modules of the declaration, and files of the content that its watcher ignores. */
  readonly followed: Followed;
  /** Of pictures and other files beside the data, so that a save reads only those that have changed. */
  readonly measurements: Measurements;
  /** The last valid plan, which is served. */
  readonly plan: BuildPlan | undefined;
  /** The number of valid plans. */
  readonly plans: number;
  /** The faults of saves after the plan that is served, as open pages show them. */
  readonly faults: ShownFaults | undefined;
  /** The warnings of the plan that is served. */
  readonly warnings: string;
}

export const stateAtStart = (): DevState => ({
  snapshot: new Map(),
  apis: undefined,
  followed: { files: [], since: 0 },
  measurements: new Map(),
  plan: undefined,
  plans: 0,
  faults: undefined,
  warnings: "",
});

/** If the declaration has changed, nothing is planned with the one before. */
export const withChange = (state: DevState, { snapshot, isDeclaration }: DevChange): DevState => ({
  ...state,
  snapshot,
  apis: isDeclaration ? undefined : state.apis,
});

/** Reads the declaration, unless its APIs are known. */
export async function withDeclaration(state: DevState, options: DevOptions, log: Log): Promise<DevState> {
  if (state.apis !== undefined) return state;
  const since = Date.now();
  const { apis, files } = await openApis(options, log);
  const { content } = options;
  // Only the declaration says which files outside of the content folder are read.
  const inside = [...state.snapshot].filter(([file]) => !isOutside(file));
  return {
    ...state,
    snapshot: new Map([...inside, ...snapshotOutside(content, apis ?? [])]),
    apis,
    followed: { files: [...files, ...dotFilesIn(content, apis ?? [])], since },
  };
}

interface Planned {
  readonly state: DevState;
  /** Undefined if the content was not read, because there are faults in the declaration. */
  readonly contents?: Contents;
}

/** Plans the content. If it has faults, the state keeps the last valid plan. */
export async function withPlan(state: DevState, options: DevOptions, log: Log): Promise<Planned> {
  const { apis, measurements } = state;
  if (apis === undefined) return { state };
  const { content } = options;
  const target = await chosenTarget(options);
  const now = secondsNow();
  const contents = await readContents(content, apis, log, measurements);
  const planOptions = { content, ...target, history: { from: undefined, now }, today: dayOf(now) };
  const plan = await planContents(contents, planOptions, log);
  if (plan === undefined) return { state, contents };
  return { state: { ...state, plan, plans: state.plans + 1, faults: undefined }, contents };
}

/** The files of a content folder that its watcher ignores, because they or folders above them have names that start with a dot. */
function dotFilesIn(content: string, apis: readonly Api[]): readonly string[] {
  const isDotName = dotNamesIn(apis.flatMap(({ collections }) => collections));
  const files = [...snapshotOf(content, isDotName).keys()].filter(isHidden);
  return files.map((file) => path.join(content, file));
}
