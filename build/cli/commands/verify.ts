import { existsSync } from "node:fs";
import path from "node:path";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import type { HostAdapter } from "../../hosts/host.ts";
import { hostNames } from "../../hosts/names.ts";
import type { ReportFormat } from "../format.ts";
import { type ExitCode, formatOption, outOption } from "../options.ts";
import { out as colors, widthOf, wrapped } from "../terminal.ts";

export const verifyCommand = (end: (code: ExitCode) => void) =>
  new Command("verify")
    .description("check that a build is published, and that every kind of request is answered as the contract says")
    .addArgument(new Argument("<url>", "the address of the published API").argParser(address))
    .addOption(outOption("the build that should be published"))
    .addOption(
      new Option(
        "--host <name>",
        "the host, whose known deviations are accepted (default: the one that the build is for, unless <url> is on this machine)",
      ).choices(hostNames),
    )
    .option("--all", "send every request instead of a sample", false)
    .addOption(formatOption())
    .action(async (url: URL, options: Arguments) => end(await run(url, options)));

interface Arguments {
  readonly host?: string;
  readonly out: string;
  readonly all: boolean;
  readonly format: ReportFormat;
}

function address(text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new InvalidArgumentError("The URL starts with http:// or https://.");
  return url;
}

async function run(url: URL, { host: named, out, all, format }: Arguments): Promise<ExitCode> {
  const [{ hosts }, { besideFolder }, { readBuild }, { verify }, { verifiedText }] = await Promise.all([
    import("../../hosts/hosts.ts"),
    import("../../output/location.ts"),
    import("../../verify/build.ts"),
    import("../../verify/verify.ts"),
    import("../../verify/report.ts"),
  ]);
  const build = readBuild(out);
  const isFor = ({ name, owns }: HostAdapter): boolean =>
    existsSync(path.join(besideFolder(out), name)) || owns(build.table.base).some(build.exists);
  const host = named === undefined ? onlyHost(url, [...hosts.values()].filter(isFor)) : hosts.get(named);
  const verified = await verify(url, build, { host, all });
  const text =
    format === "json"
      ? `${JSON.stringify({ faults: [], folder: out, ...verified })}\n`
      : verifiedText(verified, build, host?.name, colors, (line) => wrapped(line, widthOf(process.stdout)));
  process.stdout.write(text);
  return verified.different > 0 ? 1 : 0;
}

/** The host that a build is for. Undefined for an address on this machine, at which the preview answers. */
export function onlyHost({ hostname }: URL, hosts: readonly HostAdapter[]): HostAdapter | undefined {
  const isHere = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return isHere || hosts.length !== 1 ? undefined : hosts[0];
}
