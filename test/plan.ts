// Compiles content and plans builds for tests. They throw the messages of the log.
import type * as z from "zod";
import { type BuildOptions, build, type PlanOptions, planContents } from "../build/build.ts";
import { type Content, compileContents, readContents } from "../build/content/content.ts";
import type { Discovery } from "../build/content/files.ts";
import { loadToml } from "../build/content/formats/toml.ts";
import { valuesIn } from "../build/content/formats/values.ts";
import { type Loaded, loadAll } from "../build/content/make/load.ts";
import { calledBy, validator } from "../build/content/validate.ts";
import { type Declaration, type DeclarationOptions, openDeclaration } from "../build/declaration/declaration.ts";
import { noProgram, type Program } from "../build/declaration/program.ts";
import { isInFile, type Log, type Message, openLog } from "../build/messages.ts";
import type { PlannedApi } from "../build/plan/api.ts";
import type { BuildPlan } from "../build/plan/plan.ts";
import type { Api } from "../src/model/api.ts";
import { Failure } from "../src/model/failure.ts";
import { foundFile } from "./content/found-file.ts";

type Optional = "deployment" | "hosts" | "today";

export type TestPlanOptions = Omit<PlanOptions, Optional> &
  Partial<Pick<PlanOptions, Optional>> & { readonly api: Api };

/** The plan of a build of one API. */
export type TestPlan = PlannedApi & BuildPlan;

export const planOfOne = (plan: BuildPlan): TestPlan => ({ ...plan.apis[0], ...plan });

const usual = { deployment: undefined, hosts: [], today: "2026-01-01" };

/** Plans a build, for no host if none is named. */
export async function planned(options: TestPlanOptions): Promise<TestPlan> {
  const log = openLog();
  return (await planOf(options, log)) ?? refuse(log);
}

async function planOf(options: TestPlanOptions, log: Log): Promise<TestPlan | undefined> {
  const contents = await readContents(options.content, [options.api], log);
  const plan = await planContents(contents, { ...usual, ...options }, log);
  return plan && planOfOne(plan);
}

/** The errors and warnings of a plan. */
export async function messagesOfPlan(options: TestPlanOptions): Promise<readonly Message[]> {
  const log = openLog();
  await planOf(options, log);
  return log.messages().shown;
}

export type TestBuildOptions = TestPlanOptions & Pick<BuildOptions, "out" | "replaces">;

const quiet = {
  onRead: () => Promise.resolve(),
  onPlan: () => undefined,
  onChange: () => undefined,
  onWait: () => undefined,
};

/** Builds, for no host if none is named. */
export const built = async ({ api, ...options }: TestBuildOptions): Promise<TestPlan> =>
  planOfOne(await builtSeveral({ ...options, apis: [api] }));

export type SeveralOptions = Omit<TestBuildOptions, "api"> & Pick<BuildOptions, "apis">;

/** Builds several APIs, for no host if none is named. */
export async function builtSeveral(options: SeveralOptions): Promise<BuildPlan> {
  const log = openLog();
  const result = await build({ ...usual, ...options }, log, quiet);
  return result?.plan ?? refuse(log);
}

/** Builds, and returns the errors and warnings. */
export async function messagesOfBuild({ api, ...options }: TestBuildOptions): Promise<readonly Message[]> {
  const log = openLog();
  await build({ ...usual, ...options, apis: [api] }, log, quiet);
  return log.messages().shown;
}

// As `discoverFor` does before TOML is read.
await loadToml();

/** The content of one API, which may be wrong. */
export const compileContent = (discovery: Discovery, api: Api, log: Log, folder = "", loaded?: Loaded): Content =>
  compileContents(discovery, [api], log, { folder, ...(loaded && { loaded: [loaded] }) })[0];

/** Valid content. */
export function compiled(discovery: Discovery, api: Api, loaded?: Loaded): Content {
  const log = openLog();
  const content = compileContent(discovery, api, log, "", loaded);
  return log.hasErrors() ? refuse(log) : content;
}

/** Valid content of a folder. */
export async function contentOf(folder: string, api: Api): Promise<Content> {
  const log = openLog();
  const [content] = await readContents(folder, [api], log);
  return log.hasErrors() ? refuse(log) : content;
}

function refuse(log: Log): never {
  throw new Error(`There are errors: ${JSON.stringify(log.messages().shown, undefined, 1)}`);
}

/** `file:line:column code text hint`, without a place that is in no file. */
export const lineOf = ({ place, code, text, hint }: Message): string => {
  const { file, line, column } = place;
  return `${isInFile(place) ? `${file}:${line}:${column} ` : ""}${code} ${text}${hint === undefined ? "" : ` ${hint}`}`;
};

/** The errors in a log, a line each. */
export const errorsIn = (log: Log): readonly string[] =>
  log
    .messages()
    .shown.filter(({ severity }) => severity === "error")
    .map(lineOf);

interface Compiled {
  readonly content: Content;
  readonly errors: readonly Message[];
}

/** Content that may be wrong, and its errors. */
export function compiledWithErrors(discovery: Discovery, api: Api, loaded?: Loaded): Compiled {
  const log = openLog();
  const content = compileContent(discovery, api, log, "", loaded);
  return { content, errors: log.messages().shown.filter(isError) };
}

/** The same, with the items that collections load. */
export async function loadedWithErrors(discovery: Discovery, api: Api): Promise<Compiled> {
  const log = openLog();
  const content = compileContent(discovery, api, log, "", (await loadAll([api], log))[0]);
  return { content, errors: log.messages().shown.filter(isError) };
}

interface Opened {
  /** With the first API. */
  readonly declaration: Declaration & { readonly api: Api | undefined };
  readonly errors: readonly Message[];
}

/** A declaration that may be wrong, and its errors. */
export async function openedWithErrors(options: DeclarationOptions): Promise<Opened> {
  const log = openLog();
  const declaration = await openDeclaration(options, log);
  return { declaration: { ...declaration, api: declaration.apis?.[0] }, errors: log.messages().shown.filter(isError) };
}

const isError = ({ severity }: Message): boolean => severity === "error";

/** The errors of an item in JSON, which nothing but its schema checks. Its file is `a.json`. */
export function errorsOfItem(schema: z.ZodType, text: string): readonly Message[] {
  const log = openLog();
  const validate = validator(schema, calledBy("thing"));
  for (const { data, at } of valuesIn(foundFile("a.json", text), log))
    validate(data, (path, part) => at.spot(path, part), log.report);
  return log.messages().shown;
}

/** A program to which everything that functions of a declaration throw is thrown at `api.config.ts:3:9`. */
export const programOfTests: Program = {
  ...noProgram,
  today: () => "2026-11-20",
  failureOf: (error) =>
    new Failure({ file: "api.config.ts", line: 3, column: 9, endLine: 3, endColumn: 12 }, textOf(error)),
};

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
