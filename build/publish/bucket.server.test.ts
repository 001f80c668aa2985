// After any interruption of `publish` to a bucket: exit code 0 means that the bucket holds the build. After any other exit code,
// each cursor on a page that a reader can reach leads to a page, the live function answers every limit, and the next
// upload completes the publication.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { maxLimit } from "../../src/model/paging.ts";
import { deadEnds } from "../../test/check/dead-ends.ts";
import { run } from "../../test/cli/run-command.ts";
import { edgeNetwork, edgeNetworkAt } from "../../test/edge-network.ts";
import { loadCloudFront } from "../../test/hosts/cloudfront-emulator.ts";
import {
  buildEdited,
  type Change,
  type Cloud,
  filesIn,
  newCloud,
  upload,
  writeCommands,
} from "../../test/hosts/upload.ts";
import { withoutPrivileges } from "../../test/output/privileges.ts";
import { earlyIn } from "../../test/output/publication.ts";
import { rounds, seed } from "../../test/seed.ts";
import { listKey } from "../hosts/cloudfront/index.ts";
import { locate } from "../output/location.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-upload-"));
afterAll(() => rmSync(folder, { recursive: true }));

const textOf = (root: string) => (file: string) => [file, readFileSync(path.join(root, file), "utf8")] as const;

const objectsOf = ({ objects }: Cloud): Readonly<Record<string, string>> =>
  Object.fromEntries(filesIn(objects).map(textOf(objects)));

/** The contents of the bucket after the upload of a build, without the list. */
const publishedOf = (dist: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesIn(dist)
      .filter((file) => /^(api\/|index\.html$|llms\.txt$|\.well-known\/)/.test(file))
      .map(textOf(dist)),
  );

/** A reader reaches pages from first pages. */
const firstPages = (files: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(files).filter((file) => !file.includes("/cursor/"));

const limits = Array.from({ length: maxLimit }, (_, index) => index + 1);

/** The limits that the live function answers with an error. `lowest` is the smallest page size of all builds. */
function refusedLimits(cloud: Cloud, dists: readonly string[], lowest: number): readonly string[] {
  const live = readFileSync(path.join(cloud.folder, "deployed"), "utf8").trim();
  const templates = dists.map((dist) => readFileSync(`${dist}.hosts/cloudfront/template.json`, "utf8"));
  const template = templates.find((text) => text.includes(`"${live}"`)) ?? "";
  const get = (key: string) => {
    const file = path.join(cloud.objects, key);
    return existsSync(file) ? { headers: {}, body: () => "" } : undefined;
  };
  const send = loadCloudFront(template, { get }, (script) => runInContext(script, createContext({})));
  const requests = edgeNetwork.lists
    .filter(({ paged }) => paged)
    .flatMap(({ name }) => limits.filter((limit) => limit >= lowest).map((limit) => [name, `limit=${limit}`] as const));
  return requests
    .filter(([name, query]) => send({ method: "GET", path: `/api/v1/${name}`, query }).status !== 200)
    .map(([name, query]) => `${name}?${query}`);
}

/** The lists of changes that were sent. Each was sent when everything else was, and the caches were empty. */
function changesSentIn(changes: readonly Change[]): readonly string[] {
  const isList = (key: string) => /^api\/v1\/(?:docs\/)?changes[.]/.test(key);
  const lines = changes.map(({ verb, key }) => `${verb} ${key}`);
  const sent = changes.filter(({ verb, key }) => verb === "put" && key !== listKey).map(({ key }) => key);
  const lists = sent.filter(isList);
  if (lists.length === 0) return [];
  expect(sent.slice(-lists.length)).toEqual(lists);
  const others = sent.filter((key) => !isList(key));
  const between = lines.slice(lines.indexOf(`put ${others.at(-1)}`) + 1, lines.indexOf(`put ${lists[0]}`));
  expect(between.filter((line) => !line.startsWith("deploy"))).toEqual(["invalidate /*", "wait I1"]);
  return lists.toSorted();
}

/** An `aws` that records each call in $CALLS, and breaks the call number AT once, in the way that BREAK names. */
const breaking = `#!/bin/sh
PATH=$REST
echo aws >>"$CALLS"
number=0
[ -e "$CALLS.broken" ] || while read -r _; do number=$((number + 1)); done <"$CALLS"
if [ $number -ge "$AT" ] && mkdir "$CALLS.broken" 2>/dev/null; then
  if [ "$BREAK" = kill ]; then HALF=1 aws "$@"; kill -9 0; fi
  HALF=1 aws "$@" | head -n 1
  exit 1
fi
exec aws "$@"
`;

let clouds = 0;
const freshCloud = (from?: Cloud): Cloud => newCloud(path.join(folder, `cloud-${clouds++}`), from);

describe("publishing to a bucket", () => {
  let dists: readonly [string, string, string];
  let start: Cloud;

  beforeAll(async () => {
    const one = await buildEdited(path.join(folder, "one"), [1], [2, 5]);
    const two = await buildEdited(path.join(folder, "two"), [3, 6], [2, 3], one);
    dists = [one, two, await buildEdited(path.join(folder, "three"), [1, 4], [2, 4], two)];
    start = freshCloud();
    expect(await upload(one, start)).toMatchObject({ code: 0 });
  });

  const holds = (cloud: Cloud, dist: string) => {
    const { [listKey]: _, ...objects } = objectsOf(cloud);
    expect(objects).toEqual(publishedOf(dist));
  };

  const isSound = (cloud: Cloud, when: object): void => {
    const objects = objectsOf(cloud);
    expect({ ...when, dead: deadEnds(objects, firstPages(objects)), refused: refusedLimits(cloud, dists, 2) }).toEqual({
      ...when,
      dead: [],
      refused: [],
    });
  };

  it("keeps its promise whichever of its commands fails, and wherever it is killed", async () => {
    const commands = writeCommands(path.join(folder, "breaking"), { aws: breaking });
    const [, two, three] = dists;
    const runBroken = async (dist: string, cloud: Cloud, how: "fail" | "kill" | "never", at: number) => {
      const calls = path.join(cloud.folder, `calls-${how}`);
      const REST = `${path.join(cloud.folder, "bin")}:/usr/bin:/bin`;
      const env = { BREAK: how, AT: String(at), CALLS: calls, REST };
      const { code, printed, changes } = await upload(dist, cloud, { commands, env, isApart: how === "kill" });
      isSound(cloud, { how, at, printed });
      if (code === 0) holds(cloud, dist);
      return { code, changes, calls: readFileSync(calls, "utf8").trim().split("\n") };
    };
    const before = objectsOf(start);
    const after = publishedOf(two);
    const { code, calls, changes } = await runBroken(two, freshCloud(start), "never", 1_000_000);
    expect(code).toBe(0);
    expect(changesSentIn(changes)).toEqual(["api/v1/changes.json", "api/v1/changes.xml", "api/v1/docs/changes.html"]);
    let broken = 0;
    // One in so many calls, from one that the seed chooses.
    const skip = Math.ceil(8 / rounds);
    for (let at = 1 + (seed % skip); at <= calls.length; at += skip) {
      const cloud = freshCloud(start);
      const failed = await runBroken(two, cloud, "fail", at);
      expect({ at, early: earlyIn(objectsOf(cloud), before, after) }).toEqual({ at, early: [] });
      changesSentIn(failed.changes);
      const ends = [failed, await runBroken(three, cloud, "kill", at)];
      broken += ends.filter((end) => end.code !== 0).length;
      expect(await upload(three, cloud), `after break ${at}`).toMatchObject({ code: 0 });
      isSound(cloud, { at });
      holds(cloud, three);
      rmSync(cloud.folder, { recursive: true });
    }
    expect(broken).toBeGreaterThan(calls.length / skip);
  }, 600_000);

  /** Runs the upload of a copy of the second build with replaced commands. */
  async function uploadWith(commands: Readonly<Record<string, string>>, isApart = false) {
    const dist = path.join(folder, `copy-${clouds}`, "dist");
    for (const suffix of ["", ".hosts"]) cpSync(`${dists[1]}${suffix}`, `${dist}${suffix}`, { recursive: true });
    const cloud = freshCloud(start);
    const bin = writeCommands(path.join(cloud.folder, "odd"), commands);
    const env = { REST: `${path.join(cloud.folder, "bin")}:/usr/bin:/bin`, DIST: dist, OTHER: dists[2] };
    return { dist, cloud, uploaded: await upload(dist, cloud, { commands: bin, env, isApart }) };
  }

  async function uploadWithout(gone: string) {
    const dist = path.join(folder, `copy-${clouds}`, "dist");
    for (const suffix of ["", ".hosts"]) cpSync(`${dists[1]}${suffix}`, `${dist}${suffix}`, { recursive: true });
    rmSync(path.join(dist, gone), { recursive: true });
    const cloud = freshCloud(start);
    return { cloud, uploaded: await upload(dist, cloud) };
  }

  const instead = (name: string, first: string) => ({ [name]: `#!/bin/sh\nPATH=$REST\n${first}\nexec ${name} "$@"\n` });

  const edit = `sed 's/"data"/ "data"/' "$DIST/api/v1/nodes.json" >"$DIST/edited"; cat "$DIST/edited" >"$DIST/api/v1/nodes.json"`;

  const describing = (command: string) => instead("aws", `case "$*" in *describe-stacks*) ${command} ;; esac`);

  it.each([
    ["a page is edited in place", describing(edit)],
    ["a build replaces all files", describing('mv "$DIST" "$DIST.old"; cp -R "$OTHER" "$DIST"')],
    ["a build begins to write", describing('mkdir -p "$DIST/../.dist.staging"')],
    ["a build begins to write into a folder that it cannot rename", describing('mkdir "$DIST/.staging"')],
  ])("sends nothing if %s", async (_, commands) => {
    const { cloud, uploaded } = await uploadWith(commands);
    expect(uploaded).toMatchObject({ code: 2, changes: [] });
    expect(objectsOf(cloud)).toEqual(objectsOf(start));
  });

  it.each([
    ["a long name", "a-name-that-is-longer-than-the-name-of-a-lock-may-be"],
    ["a name of few characters and many bytes", "ausführlicherprüfübungsgrößenäöü"],
  ])("finds the lock of a build with %s", async (_, name) => {
    const dist = path.join(folder, "long", name);
    for (const suffix of ["", ".hosts"]) cpSync(`${dists[1]}${suffix}`, `${dist}${suffix}`, { recursive: true });
    const cloud = freshCloud(start);
    mkdirSync(locate(dist).staging);
    expect(await upload(dist, cloud)).toMatchObject({
      code: 2,
      changes: [],
      printed: expect.stringContaining("A build"),
    });
    rmSync(locate(dist).staging, { recursive: true });
    // Locks of other builds.
    for (const other of [`${name}2`, `2${name}`]) mkdirSync(locate(path.join(folder, "long", other)).staging);
    expect(await upload(dist, cloud)).toMatchObject({ code: 0 });
  });

  it("uploads a build on Windows, where paths and the output of aws are written otherwise", async () => {
    const cloud = freshCloud(start);
    const preload = path.join(cloud.folder, "windows.mjs");
    writeFileSync(
      preload,
      `import fs from "node:fs";
       import path from "node:path";
       const { relative } = path;
       const { rmSync } = fs;
       path.sep = "\\\\";
       path.relative = (from, to) => relative(from, to).replaceAll("/", "\\\\");
       // Node's own rmSync uses it.
       fs.rmSync = (...args) => { path.sep = "/"; rmSync(...args); path.sep = "\\\\"; };`,
    );
    const printsText = `case "$1" in s3) ;; *) aws "$@" | sed 's/$/\r/'; exit ;; esac`;
    const commands = writeCommands(path.join(cloud.folder, "odd"), instead("aws", printsText));
    const REST = `${path.join(cloud.folder, "bin")}:/usr/bin:/bin`;
    const options = { commands, env: { REST, NODE_OPTIONS: `--import=${preload}` }, isApart: true };
    const first = await upload(dists[0], cloud, options);
    expect(first, first.printed).toMatchObject({ code: 0, changes: [] });
    expect(await upload(dists[1], cloud, options)).toMatchObject({ code: 0 });
    holds(cloud, dists[1]);
    isSound(cloud, {});
  });

  it.each([
    ["everything", "api"],
    ["a document", "api/v1/openapi.json"],
    ["an operation", "api/v1/status.json"],
  ])("removes nothing if %s of the build is gone", async (_, gone) => {
    const { cloud, uploaded } = await uploadWithout(gone);
    expect(uploaded).toMatchObject({ code: 2, changes: [] });
    expect(uploaded.printed).toMatch(
      /is not a whole build: it has no .* Nothing was sent\. Run: npm run build -- --host cloudfront/,
    );
    expect(objectsOf(cloud)).toEqual(objectsOf(start));
  });

  // The overview of the second has the path of a page of the API in the bucket.
  it.each(["/api/v2", "/api/v1/nodes"])(
    "names an API of another base than %s that it would remove, and removes it with --replace",
    async (base) => {
      const cloud = freshCloud(start);
      const dist = await buildEdited(path.join(folder, `other${base}`), [1], [2, 5], undefined, edgeNetworkAt(base));
      const refused = await upload(dist, cloud);
      expect(refused).toMatchObject({ code: 2, changes: [] });
      expect(refused.printed).toBe(
        `✗ s3://stack-bucket holds /api/v1, and nothing of this build of ${base}, which would remove all of it. ` +
          "Nothing was sent. Publish to another stack, or remove it with --replace.\n",
      );
      expect(objectsOf(cloud)).toEqual(objectsOf(start));
      expect(await upload(dist, cloud, { replaces: true })).toMatchObject({ code: 0 });
      holds(cloud, dist);
    },
  );

  it.each(["--reload", "--back", "--check-command=true"])("refuses %s, which is for servers", async (option) => {
    expect(await run(["publish", "cloudfront", "stack", "--out", dists[0], option])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("A bucket gets a new configuration in any case."),
    });
  });

  it("refuses a folder that is no build, and a build for another host", async () => {
    const empty = await upload(folder, start);
    expect(empty.printed).toContain(`${folder} contains no build.`);
    const dist = path.join(folder, "without", "dist");
    cpSync(dists[1], dist, { recursive: true });
    const { code, printed } = await upload(dist, start);
    expect(code).toBe(2);
    expect(printed).toContain(`${dist}.hosts/cloudfront is not the configuration of the build in ${dist}.`);
  });

  it("stops at once if it is told to end", async () => {
    const told = instead("aws", `case "$*" in *describe-stacks*) kill -TERM $PPID; sleep 0.2 ;; esac`);
    const { cloud, uploaded } = await uploadWith(told, true);
    expect(uploaded).toMatchObject({ code: null, changes: [], printed: "" });
    expect(objectsOf(cloud)).toEqual(objectsOf(start));
  });

  it("records the bytes that it has sent, whatever dist holds then", async () => {
    const { dist, cloud, uploaded } = await uploadWith(instead("aws", `case "$*" in *text/plain*) ${edit} ;; esac`));
    expect(uploaded).toMatchObject({ code: 0 });
    holds(cloud, dists[1]);
    expect(await upload(dist, cloud)).toMatchObject({ code: 0, printed: expect.stringContaining("1 changed") });
    holds(cloud, dist);
  });

  it.for([
    ["file", "api/v1/nodes.json"],
    ["folder", "api/v1/nodes"],
  ] as const)("sends nothing if a %s of the build cannot be read", async ([kind, unreadable], { skip }) => {
    chmodSync(folder, 0o755);
    const cloud = freshCloud(start);
    const dist = path.join(folder, `unreadable-${kind}`, "dist");
    for (const suffix of ["", ".hosts"]) cpSync(`${dists[1]}${suffix}`, `${dist}${suffix}`, { recursive: true });
    const prefix = withoutPrivileges(skip, [process.execPath, inject("program")]);
    const tmp = path.join(cloud.folder, "tmp");
    mkdirSync(tmp);
    execFileSync("chmod", ["-R", "a+rwX", cloud.folder]);
    const options = { prefix, env: { TMPDIR: tmp } };
    const full = path.join(dist, unreadable);
    const { mode } = statSync(full);
    chmodSync(full, 0);
    const { code, printed } = await upload(dist, cloud, options);
    expect(code, printed).not.toBe(0);
    expect(printed).toContain("Permission denied");
    expect(objectsOf(cloud)).toEqual(objectsOf(start));
    chmodSync(full, mode);
    expect(await upload(dist, cloud, options)).toMatchObject({ code: 0 });
  });

  it("uploads a whole build or nothing while builds write into the folder", async () => {
    const at = path.join(folder, "busy");
    const dist = await buildEdited(at, [1], [2, 5]);
    const cloud = freshCloud();
    expect(await upload(dist, cloud)).toMatchObject({ code: 0 });
    for (const gone of [[2], [3, 4], [5], [1, 6]]) {
      const [, { code, printed }] = await Promise.all([
        buildEdited(at, gone, [2, 5]),
        upload(dist, cloud, { isApart: true }),
      ]);
      isSound(cloud, { gone, printed });
      expect(printed).toMatch(
        code === 0
          ? /stale files|up to date/
          : /A build is writing|A build has changed|not a whole build|is not the configuration|No such file/,
      );
    }
    expect(await upload(dist, cloud)).toMatchObject({ code: 0 });
    holds(cloud, dist);
  });

  it("leaves old and new files if the configuration cannot be deployed, and deploys it next time", async () => {
    const cannot = 'case "$1 $2" in "cloudformation deploy") exit 1 ;; esac';
    const { dist, cloud, uploaded } = await uploadWith(instead("aws", cannot));
    expect(uploaded.code).toBe(2);
    isSound(cloud, {});
    expect(uploaded.changes.filter(({ verb, key }) => verb === "rm" && key !== listKey)).toEqual([]);
    expect(await upload(dist, cloud)).toMatchObject({ code: 0 });
    holds(cloud, dist);
    isSound(cloud, {});
  });
});
