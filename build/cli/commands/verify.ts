import { existsSync } from "node:fs";
import path from "node:path";
import { Argument, Option } from "commander";
import type { HostAdapter } from "../../hosts/host.ts";
import { hostNames } from "../../hosts/names.ts";
import { isHere, parseAddress, publishRoot } from "../../published/place.ts";
import { listed } from "../../text/words.ts";
import type { Verified } from "../../verify/verify.ts";
import { command, oneHost, options } from "../command.ts";
import type { ExitCode } from "../explain.ts";
import type { VerifyOutput } from "../report/json-output.ts";
import { envelopeOf } from "../report/messages.ts";
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
      "the host whose known deviations are accepted (default: the host of the build that fits best, or none if <url> is on this machine)",
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
  const { adapters, hosts } = await import("../../hosts/hosts.ts");
  const { besideFolder } = await import("../../output/location.ts");
  const { openBuild } = await import("../../published/build.ts");
  const { verify, verifyOneOf } = await import("../../verify/verify.ts");
  const { verifiedText } = await import("../../verify/report.ts");
  const build = openBuild(out);
  const isFor = ({ name, files }: HostAdapter): boolean =>
    existsSync(path.join(besideFolder(out), name)) ||
    (files?.(build.tables()) ?? []).some(({ file }) => build.has(file));
  const builtFor = named === undefined ? [...hosts.values()].filter(isFor) : [];
  const [first, ...others] = named === undefined ? hostsAt(url, builtFor) : adapters([named]);
  const [table, ...otherTables] = build.tables();
  const tables = [table, ...otherTables];
  const bases = tables.map(({ base }) => base);
  const root = new URL(publishRoot(url.href, bases));
  // One host answers for all APIs.
  const { host, verified: ofFirst } =
    first === undefined || others.length === 0
      ? { host: first, verified: await verify(root, build, { host: first, all: sendsAll }) }
      : await verifyOneOf(root, build, [first, ...others], { all: sendsAll });
  const all: Verified[] = [ofFirst];
  for (const other of otherTables) all.push(await verify(root, build, { host, all: sendsAll }, other));
  const isDifferent = all.some(({ different }) => different > 0);
  const hint = isDifferent ? hostHint(host, builtFor) : undefined;
  if (format === "json") {
    const ofApis = all.map((verified, index) => ({ base: bases[index] ?? "", ...verified }));
    const verified = all.length === 1 ? ofFirst : { apis: ofApis };
    const envelope = envelopeOf({ shown: [], omitted: [] });
    const output: VerifyOutput = { ...envelope, folder: out, host: host?.name, ...verified, hint };
    stdout.write(`${JSON.stringify(output)}\n`);
  } else {
    const wrap = (line: string) => wrapped(line, widthOf(stdout));
    for (const [index, verified] of all.entries()) {
      // The hint is about the host of all.
      const lastHint = index === all.length - 1 ? hint : undefined;
      if (all.length > 1) stdout.write(`${colors.bold(bases[index] ?? "")}\n`);
      stdout.write(verifiedText(verified, build, host?.name, lastHint, colors, wrap));
    }
  }
  return isDifferent ? 1 : 0;
}

/** The hosts of a build that may answer at an address. None for an address on this machine, at which the preview answers. */
export const hostsAt = (url: URL, builtFor: readonly HostAdapter[]): readonly HostAdapter[] =>
  isHere(url) ? [] : builtFor.filter(({ publishing }) => publishing !== undefined);

/** Advice for differences that may be deviations of a host that was not named. `builtFor` is empty if a host was named. */
export function hostHint(host: HostAdapter | undefined, builtFor: readonly HostAdapter[]): string | undefined {
  if (builtFor.length === 0) return undefined;
  const names = listed(builtFor.map(({ name }) => name));
  if (host !== undefined && builtFor.length > 1) {
    return `The build is for ${names}, and the answers fit ${host.name} best, so its deviations were accepted. If another host answers here, name it with --host.`;
  }
  if (host !== undefined) {
    return `The build is for ${host.name}, so its deviations were accepted. If another host answers here, build for that one, and name it with --host.`;
  }
  const answers = builtFor.length === 1 ? "it answers" : "one of them answers";
  return `No deviation of a host was accepted. The build is for ${names}: if ${answers} here, name it with --host.`;
}
