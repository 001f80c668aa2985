// The tables of hosts in the README and in docs/hosts, generated from the declarations of the adapters.
import { markdownTable } from "markdown-table";
import type { HostAdapter, Limit, Use } from "../build/hosts/host.ts";
import { integer, plural } from "../build/text/words.ts";
import { behaviourTitles, type Deviation, deviationsOf, type Survey } from "../test/check/behaviours.ts";

/** A host with its page, docs/hosts/NAME.md. */
export interface DescribedHost {
  readonly host: HostAdapter;
  /** Its heading. */
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
}

/** In Markdown, for the README: a row for each host. `folder` holds the pages of the hosts. */
export const hostsTable = (hosts: readonly DescribedHost[], site: Survey, folder: string): string =>
  table(
    ["host", "`--host`", "description", "deviations"],
    hosts.map(({ host, title, summary }) => {
      const page = `${folder}/${host.name}.md`;
      const missing = deviationsOf(host, site).filter(({ all }) => all);
      const deviations = `[${plural(host.gaps.length, "deviation")}](${page}#gaps) on ${requestsText(missing)}`;
      return [`[${title}](${page})`, `\`${host.name}\``, summary, deviations];
    }),
  );

function requestsText(missing: readonly Deviation[]): string {
  if (missing.length === 0) return "unusual requests";
  return missing.length === behaviourTitles.length ? "all requests" : missing.map(({ title }) => title).join(", ");
}

/** In Markdown, for docs/hosts: a row for each host, a column for each kind of answer. */
export const behavioursTable = (hosts: readonly DescribedHost[], site: Survey): string =>
  table(
    ["", ...behaviourTitles],
    hosts.map(({ host }) => [
      `[${host.name}](${host.name}.md)`,
      ...deviationsOf(host, site).map(({ gaps, all }) => {
        const numbers = gaps.map((gap) => host.gaps.indexOf(gap) + 1).join(", ");
        if (gaps.length === 0) return "✓";
        return `${all ? "✗" : "✓ but"} [${numbers}](${host.name}.md#gaps)`;
      }),
    ]),
  );

/** In Markdown, for the page of the host: its gaps, its limits and what is not proven. */
export const gapsText = ({ gaps, unproven = [], limits = [], uses }: HostAdapter, site: Survey): string =>
  [
    "Requests whose answers differ from the contract:",
    gaps.map((gap, index) => `${index + 1}. ${gap.requests}: ${gap.happens}, because ${gap.reason}.`).join("\n"),
    ...limitsText([...limits, ...(uses?.(site.table) ?? [])]),
    ...unprovenText(unproven),
  ].join("\n\n");

function limitsText(limits: readonly (Limit | Use)[]): readonly string[] {
  if (limits.length === 0) return [];
  const rows = limits.map((limit) => [
    `[${limit.what}](${limit.source})`,
    integer(limit.most),
    ("plan" in limit && limit.plan) || "",
  ]);
  return [
    "### Limits",
    "`build` and `check --host` report how much of these limits the API uses. They warn if a limit of one plan is exceeded, and fail if any other limit is.",
    table(["limit", "at most", "of the plan"], rows),
  ];
}

function unprovenText(unproven: readonly string[]): readonly string[] {
  if (unproven.length === 0) return [];
  const relied = "The configuration relies on these facts, and only the servers of the host can prove them:";
  return ["### Not proven", relied, unproven.map((each) => `- ${each}`).join("\n")];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable([head, ...rows], { alignDelimiters: false });
