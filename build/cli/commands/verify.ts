import { existsSync } from "node:fs";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import type { Api } from "../../../src/api.ts";
import type { Dataset } from "../../check/dataset.ts";
import type { Reported } from "../../diagnostics.ts";
import { hostNames } from "../../hosts/names.ts";
import { configOption, type DeclarationChoice, withApi } from "../declared.ts";
import { reportFaults } from "../faults.ts";
import type { Format } from "../format.ts";
import { chosenDeployment, deploymentOption, type ExitCode, formatOption, namedHosts } from "../options.ts";
import { out, widthOf, wrapped } from "../terminal.ts";

export const verifyCommand = (end: (code: ExitCode) => void) =>
  new Command("verify")
    .description("check that a published API answers as the contract says")
    .addArgument(new Argument("<url>", "the address of the published API").argParser(address))
    .addOption(
      new Option(
        "--host <name>",
        "the host, whose known deviations are accepted (default: hosts of api.yaml, unless <url> is on this machine)",
      ).choices(hostNames),
    )
    .option("--content <folder>", "the expected data (default: the data that the API lists)")
    .addOption(configOption())
    .addOption(deploymentOption())
    .option("--out <folder|none>", "the expected build (default: dist, if it holds one)")
    .option("--all", "send all requests instead of a sample", false)
    .addOption(formatOption())
    .action(async (url: URL, options: Arguments) => end(await withApi(options, (api) => run(api, url, options))));

interface Arguments extends DeclarationChoice {
  readonly host?: string;
  readonly content?: string;
  readonly deployment?: string;
  readonly out?: string;
  readonly all: boolean;
  readonly format: Format;
}

function address(text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new InvalidArgumentError("The URL starts with http:// or https://.");
  return url;
}

async function run(
  api: Api,
  url: URL,
  { content, out: folder, all, format, ...options }: Arguments,
): Promise<ExitCode> {
  const host = options.host ?? (await publishedHost(url, content ?? "content", api));
  const { adapters } = await import("../../hosts/hosts.ts");
  const [adapter] = adapters(host === undefined ? [] : [host]);
  const [dataset, ...faults] = content === undefined ? [undefined] : await datasetIn(api, content, host, options);
  if (content !== undefined && dataset === undefined)
    return reportFaults(content, [faults[0] ?? [], faults[1] ?? []], format);
  const [{ openClient }, { readBuild }, { verify }, report] = await Promise.all([
    import("../../address/client.ts"),
    import("../../check/verify/files.ts"),
    import("../../check/verify/verify.ts"),
    import("../../check/verify/report.ts"),
  ]);
  const build = folder === "none" ? undefined : readBuild(folder ?? "dist", folder !== undefined);
  const client = openClient(url, api.base);
  try {
    const verified = await verify(client, { api, dataset, host: adapter, build, all });
    process.stdout.write(
      format === "json"
        ? `${JSON.stringify(report.verifiedAsData(client.root, verified))}\n`
        : report.verifiedText(client.root, host, verified, out, (text) => wrapped(text, widthOf(process.stdout))),
    );
    return report.hasDifferences(verified) ? 1 : 0;
  } finally {
    client.close();
  }
}

/** The host of api.yaml, if it names one. Undefined for an address on this machine, at which the preview answers. */
export async function publishedHost(url: URL, content: string, api: Api): Promise<string | undefined> {
  if (/^(?:localhost|127\..*|\[::1\])$/.test(url.hostname) || !existsSync(content)) return undefined;
  const named = await namedHosts(undefined, content, api);
  return named?.length === 1 ? named[0] : undefined;
}

/** The data that a build of the content publishes. */
async function datasetIn(
  api: Api,
  content: string,
  host: string | undefined,
  options: Pick<Arguments, "deployment">,
): Promise<Reported<Dataset | undefined>> {
  const [{ planBuild }, { datasetOf }] = await Promise.all([
    import("../../build.ts"),
    import("../../check/dataset.ts"),
  ]);
  const { adapters } = await import("../../hosts/hosts.ts");
  const hosts = adapters(host === undefined ? [] : [host]);
  const [plan, ...faults] = await planBuild({
    api,
    content,
    deployment: chosenDeployment(options),
    hosts,
  });
  if (plan === undefined) return [undefined, ...faults];
  return [datasetOf(plan.catalog, plan.deployment, plan.documents), [], []];
}
