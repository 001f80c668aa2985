import { existsSync } from "node:fs";
import path from "node:path";
import { Argument, Option } from "commander";
import { MachineError } from "../../files/machine-error.ts";
import type { HostAdapter } from "../../hosts/host.ts";
import { hostNames } from "../../hosts/names.ts";
import { isHere, parseAddress, publishRoot } from "../../published/place.ts";
import type { Verified } from "../../verify/verify.ts";
import { command, oneHost, options } from "../command.ts";
import type { VerifyOutput } from "../report/json-output.ts";
import { printJson } from "../report/print-messages.ts";
import type { ExitCode } from "../report-error.ts";
import type { ReportFormat } from "../report-format.ts";
import { out as colors, widthOf, wrapped } from "../terminal.ts";

const { stdout } = process;

export const verifyCommand = command(
  "verify",
  "check that a build is published, and that every kind of request is answered as the contract says",
  [
    new Argument("<url>", "the address of the published API"),
    options.out,
    oneHost(
      "the host whose known deviations are accepted (default: the host that the build is for, or none if <url> is on this machine)",
      hostNames,
      "One host answers at an address: name that one.",
    ),
    new Option("--all", "send every request instead of a sample").default(false),
    options.format,
  ],
  run,
);

interface VerifyOptions {
  readonly host?: string;
  readonly out: string;
  readonly all: boolean;
  readonly format: ReportFormat;
}

/** The parser of an argument would print an address without a valid form, with its password. */
async function run(address: string, { host: named, out, all: sendsAll, format }: VerifyOptions): Promise<ExitCode> {
  const url = parseAddress(address);
  const { hosts } = await import("../../hosts/hosts.ts");
  const { configurationFolder } = await import("../../output/location.ts");
  const { openBuild } = await import("../../published/build.ts");
  const { verify } = await import("../../verify/verify.ts");
  const { verifiedText } = await import("../../verify/report.ts");
  const build = openBuild(out);
  const isFor = ({ name, files }: HostAdapter): boolean =>
    existsSync(path.join(configurationFolder(out), name)) ||
    (files?.(build.tables()) ?? []).some(({ file }) => build.has(file));
  const host = named === undefined ? hostAt(url, [...hosts.values()].filter(isFor)) : hosts.get(named);
  const tables = build.tables();
  const bases = tables.map(({ base }) => base);
  const root = new URL(publishRoot(url.href, bases));
  const apis: (Verified & { readonly base: string })[] = [];
  for (const table of tables)
    apis.push({ base: table.base, ...(await verify(root, build, { host, all: sendsAll }, table)) });
  if (format === "json") {
    printJson<VerifyOutput>({ folder: out, host: host?.name, apis });
  } else {
    const wrap = (line: string) => wrapped(line, widthOf(stdout));
    for (const { base, ...verified } of apis) {
      if (apis.length > 1) stdout.write(`${colors.bold(base)}\n`);
      stdout.write(verifiedText(verified, build, host?.name, colors, wrap));
    }
  }
  return apis.some(({ different }) => different > 0) ? 1 : 0;
}

/**
 * The host of a build that answers at an address. Undefined for an address on this machine, at which the preview answers.
 * Throws MachineError if it may be one of several.
 */
export function hostAt(url: URL, builtFor: readonly HostAdapter[]): HostAdapter | undefined {
  if (isHere(url)) return undefined;
  const [host, ...others] = builtFor.filter(({ publishing }) => publishing !== undefined);
  if (host === undefined || others.length === 0) return host;
  const names = [host, ...others].map(({ name }) => name).join(", ");
  throw new MachineError(
    "The build is for several hosts, and the deviations of one of them are accepted.",
    `Name one with --host: ${names}.`,
  );
}
