// What answers the conformance list: the routing table, the preview, emulators of hosts, and servers in each configuration
// with different rules. The table says what each is asked in `npm test`, and what in CI.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "vitest";
import { apache } from "../../build/hosts/apache/index.ts";
import { caddy } from "../../build/hosts/caddy/index.ts";
import { cloudflarePages, cloudflareWorkers, gaps as workerGaps } from "../../build/hosts/cloudflare/index.ts";
import { cloudfront } from "../../build/hosts/cloudfront/index.ts";
import type { Gap, HostAdapter, Request } from "../../build/hosts/host.ts";
import { netlify } from "../../build/hosts/netlify/index.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { plain } from "../../build/hosts/plain/index.ts";
import { vercel } from "../../build/hosts/vercel/index.ts";
import { openBuild } from "../../build/published/build.ts";
import type { RoutingTable } from "../../build/routing/table.ts";
import { requestsTo } from "../../build/verify/requests.ts";
import { type Built, buildForTest } from "../check/built.ts";
import { isListed, type Subject } from "../check/conform.ts";
import type { Dataset } from "../check/dataset.ts";
import { everything, unnamedFiles, writeEverything } from "../check/everything.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { serverRequests } from "../check/server-requests.ts";
import { caddySite, included, nginxSite, ownVirtualHost, served, withoutRoot } from "../hosts/configurations.ts";
import * as emulated from "../hosts/emulated.ts";
import type { TestPlan } from "../plan.ts";
import { temporaryFolder } from "../temporary.ts";

/** The whole list, or one request of each kind that `verify` sends, alone or with those that only servers get. */
type Share = "list" | "kinds" | "kinds and odd ones" | "none";

export interface Row {
  readonly title: string;
  readonly npmTest: Share;
  readonly ci: Share;
  readonly gaps: readonly Gap[];
  readonly start: emulated.Start;
  /** Whose files the build needs. */
  readonly host?: HostAdapter;
  /** A program of others. */
  readonly isServer?: true;
  /** Why it cannot be started on this machine. */
  readonly lack?: string | undefined;
  /** Whether the site also serves other files than the API's. */
  readonly isShared?: true;
}

const { base } = everything;

/** With .htaccess files, in a site that serves other content too and has its .htaccess at the document root. */
const outsideGap: Gap = {
  requests: `documents outside of ${base}, with .htaccess, in a site that serves other things`,
  happens: "answered as any other file of the site, if at all",
  reason: "their rules have to be in the document root's .htaccess, which belongs to the site",
  covers: ({ request: { path } }) => path !== base && !path.startsWith(`${base}/`),
};

/** It includes the files of the API that another row of the same server includes. */
const inSite = { npmTest: "none", ci: "kinds and odd ones", isShared: true } as const;

export const rows: readonly Row[] = [
  { title: "the routing table", npmTest: "list", ci: "list", gaps: [], start: emulated.resolved },
  { title: "the preview", npmTest: "kinds", ci: "list", gaps: [], start: emulated.preview },
  { title: "Netlify", npmTest: "kinds", ci: "list", ...emulator(netlify, emulated.netlify) },
  { title: "Vercel", npmTest: "kinds", ci: "list", ...emulator(vercel, emulated.vercel) },
  { title: "CloudFront", npmTest: "kinds", ci: "list", ...emulator(cloudfront, emulated.cloudfront) },
  { title: "Cloudflare's worker", npmTest: "kinds", ci: "list", gaps: workerGaps, start: emulated.worker },
  { title: "a plain file server", npmTest: "kinds", ci: "list", gaps: plain.gaps, start: emulated.plain },
  { title: "nginx", npmTest: "kinds", ci: "list", ...served(nginx) },
  { title: "nginx with other files", ...inSite, ...served(nginx, nginxSite) },
  { title: "Caddy", npmTest: "kinds", ci: "list", ...served(caddy) },
  { title: "Caddy with other files", ...inSite, ...served(caddy, caddySite) },
  { title: "Apache with .htaccess", npmTest: "kinds", ci: "list", ...served(apache) },
  {
    title: "Apache with .htaccess and other files",
    ...inSite,
    ...served(apache, withoutRoot),
    gaps: [...apache.gaps, outsideGap],
  },
  { title: "Apache with an included file", ...inSite, ...served(apache, included), npmTest: "kinds" },
  { title: "Apache with a virtual host", npmTest: "none", ci: "list", ...served(apache, ownVirtualHost) },
  // Cloudflare's runtime takes a hundred times as long as other servers. The worker is its script.
  { title: "Cloudflare Pages", npmTest: "none", ci: "kinds", ...served(cloudflarePages) },
  { title: "Cloudflare Workers", npmTest: "none", ci: "kinds", ...served(cloudflareWorkers) },
];

function emulator(host: HostAdapter, start: emulated.Start) {
  return { host, gaps: host.gaps, start };
}

/** A row that runs. */
export interface Running {
  readonly row: Row;
  readonly dist: string;
  readonly built: () => Built;
  readonly subject: () => Subject;
  readonly requests: () => readonly ConformanceRequest[];
  readonly answering: () => emulated.Answering;
}

/**
 * Builds an API with everything for the hosts whose files do not conflict, starts what a row names, and adds the tests
 * of it. `prepare` changes the build of the servers before they start. `settings` are further lines of api.yaml.
 */
export function describeRows(
  shareOf: (row: Row) => Share,
  addTests: (running: Running) => void,
  prepare: (dist: string) => void = () => undefined,
  settings = "",
): void {
  const folder = temporaryFolder();
  const content = path.join(folder, "content");
  writeEverything(content, settings);
  const asked = rows.filter((row) => shareOf(row) !== "none");
  describe.each([
    ["servers", asked.filter(({ isServer }) => isServer)],
    ["others", asked.filter(({ isServer }) => !isServer)],
  ] as const)("%s", (name, group) => {
    const dist = path.join(folder, name);
    let build: Built;
    let kinds: readonly ConformanceRequest[];

    beforeAll(async () => {
      const hosts = new Set(group.flatMap(({ host }) => host ?? []));
      build = await buildForTest(content, dist, [...hosts], everything);
      kinds = oneOfEachKind(dist, build.plan.table);
      if (name !== "servers") return;
      prepare(dist);
      // Apache's ETag of a file is weak until the file is a second old.
      await sleep(1_000);
    });

    describe.each(group)("$title", (row) => {
      if (row.lack !== undefined) return it.skip(`is skipped, because ${row.lack}`);
      let answering: emulated.Answering;
      beforeAll(async () => {
        answering = await row.start(dist, [build.plan.table]);
      });
      afterAll(() => answering?.stop());

      const { gaps } = row;
      const requestsOf = (share: Share): readonly ConformanceRequest[] => {
        if (share === "list") return listFor(row, build);
        return share === "kinds" ? kinds : [...kinds, ...serverRequests(build.dataset)];
      };
      addTests({
        row,
        dist,
        built: () => build,
        answering: () => answering,
        subject: () => ({ dataset: build.dataset, dist, gaps, send: (request) => answering.send(request) }),
        requests() {
          const all = requestsOf(shareOf(row));
          return row.isShared ? all.filter((request) => isOfApi(build.plan, request)) : all;
        },
      });
    });
  });
}

/** One request of each kind that `verify` sends to an API of a build. */
export function oneOfEachKind(dist: string, table: RoutingTable): readonly ConformanceRequest[] {
  const listed = requestsTo(table, openBuild(dist).files(table));
  return [...new Map(listed.toReversed().map(({ kind, request }) => [kind, request])).values()];
}

/** The list, and requests for redirects, pages of outputs, and the files beside the data that no item names. */
function listFor({ isServer }: Row, { dataset, plan }: Built): readonly ConformanceRequest[] {
  const unnamed = unnamedFiles.flatMap((file) =>
    ["GET", "HEAD", "OPTIONS", "POST"].map((method) => ({ ...get(`${base}/files/${file}`), method })),
  );
  return [
    ...conformanceRequests(dataset),
    ...unnamed,
    ...plan.table.redirects.map((redirect) => get(redirect.path)),
    ...(isServer ? [...serverRequests(dataset), ...pagesOfOutputs(dataset)] : []),
    ...(isServer ? plan.documents.map(({ file }) => get(`/${file}`)) : []),
  ];
}

/** The paths of all outputs that are HTML, and those at which servers answer pages, too. */
const pagesOfOutputs = ({ outputs, published }: Dataset): readonly ConformanceRequest[] =>
  [...outputs.flatMap(({ texts }) => [...texts.keys()]), ...published.map((document) => document.path)]
    .filter((asked) => asked.endsWith(".html") && !asked.startsWith(`${base}/docs/`))
    .flatMap((asked) => [
      get(asked),
      get(asked.replace(/\.html$/, "")),
      get(asked.replace(/\.html$/, "/")),
      get(asked.replace(/\/index\.html$/, "")),
      get(asked.replace(/\/index\.html$/, "/")),
    ]);

/** The contract covers neither the other paths of a site nor paths with invalid encoding. */
const isOfApi = ({ table }: TestPlan, { path: asked }: Request): boolean =>
  (asked === base || asked.startsWith(`${base}/`) || isListed(table, asked)) &&
  !/\/(?:\.|%2e){2}|%(?:00|(?![0-9a-f]{2}))/i.test(asked);

export const get = (target: string, query = ""): ConformanceRequest => ({ method: "GET", path: target, query });
