// The options that several commands share, and how a command ends.
import { statSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import type { Api } from "../../src/api.ts";
import type { HistoryOptions } from "../history/load.ts";
import { type HostName, hostNames } from "../hosts/names.ts";
import { MachineError } from "../machine-error.ts";
import { secondsNow } from "../seconds-now.ts";
import type { ReportFormat } from "./format.ts";

/** 0: done. 1: the content has faults, nothing was written. 2: wrong usage, or an error of the machine. */
export type ExitCode = 0 | 1 | 2;

/** Each command calls it once, with its exit code. */
export type End = (code: ExitCode) => void;

/** The options of commands that read content. */
export interface ContentArguments {
  readonly content: string;
  readonly config?: string;
  readonly deployment?: string;
  readonly host?: readonly string[];
  readonly all: boolean;
  readonly format: ReportFormat;
}

export const contentOption = () => new Option("--content <folder>", "the folder with the data").default("content");

export const outOption = (what: string) => new Option("--out <folder>", what).default("dist");

export const deploymentOption = () =>
  new Option(
    "--deployment <name>",
    "the deployment of the API (default: default_deployment of api.yaml, else edge)",
  ).env("DEPLOYMENT");

export const previousOption = () =>
  new Option(
    "--previous <folder|url|none>",
    "the build whose cursors stay valid: its folder or its published address (default: the out folder)",
  ).env("PREVIOUS");

export const previousRequiredOption = () =>
  new Option("--previous-required", "fail if the previous build cannot be read, instead of warning").default(false);

/** Throws MachineError if the previous build is neither an address nor a folder, or SOURCE_DATE_EPOCH is no time. */
export function chosenHistory(previous: string | undefined, out: string, isRequired: boolean): HistoryOptions {
  const now = secondsNow();
  if (previous !== "none") {
    // A workflow may set the variable to an empty text.
    if (previous) refuseUnknown(previous);
    return { from: previous || out, now, isExpected: Boolean(previous), isRequired };
  }
  if (!isRequired) return { from: undefined, now, isExpected: false };
  throw new MachineError(
    "--previous-required asks for a previous build, and --previous is none.",
    "Leave out one of them.",
  );
}

/** Throws MachineError if the text is neither an existing folder nor an address. */
function refuseUnknown(from: string): void {
  const isAddress = /^https?:\/\//i.test(from);
  if (isAddress ? URL.canParse(from) : statSync(from, { throwIfNoEntry: false })?.isDirectory()) return;
  // It may hold a password.
  const message = `The previous build, ${from.replace(/^.*@/s, "…@")}, is neither a folder nor an address.`;
  throw new MachineError(message, "An address starts with http:// or https://.");
}

/** The build settings of a host may set the variable to an empty text. */
export const chosenDeployment = ({ deployment }: Pick<ContentArguments, "deployment">): string | undefined =>
  deployment || undefined;

export const hostsOption = (what: string) =>
  new Option("--host <name...>", `${what} (default: hosts of api.yaml, else ${usualHost})`).choices(hostNames);

/** The host of content that names none. */
export const usualHost: HostName = "netlify";

/** The hosts that the user or api.yaml names. */
export const namedHosts = async (
  asked: readonly string[] | undefined,
  content: string,
  api: Api,
): Promise<readonly string[] | undefined> => asked ?? (await import("../content/content.ts")).hostsIn(content, api);

export const chosenHosts = async (
  asked: readonly string[] | undefined,
  content: string,
  api: Api,
): Promise<readonly string[]> => (await namedHosts(asked, content, api)) ?? [usualHost];

export const formatOption = () =>
  new Option("--format <format>", "how to report: for people or for programs")
    .choices(["text", "json"])
    .default("text");

export const allOption = () => new Option("--all", "report each fault separately").default(false);

export const portOption = () =>
  new Option("--port <number>", "the port to listen on; 0 selects any free port").argParser(portNumber).default(3000);

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("A port is an integer from 0 to 65535.");
  }
  return Number(text);
}
