// Actions of people and their tools on an out folder, for the model test. Every action may happen at any time, and may
// have no effect.
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { contentsOf } from "./folder.ts";

/** The folder that holds dist/ and its saved copy. */
export interface World {
  readonly parent: string;
  readonly random: () => number;
}

export type Action = (world: World) => void;

export const pick = <T>(random: () => number, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];

/** A tool may refuse, for example to copy a file onto itself. */
const run =
  (script: string): Action =>
  ({ parent }) => {
    spawnSync("sh", ["-c", script], { cwd: parent, stdio: "ignore" });
  };

const has = (tool: string): boolean => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

const namesIn = ({ parent }: World, isFolder: boolean): string[] =>
  existsSync(path.join(parent, "dist"))
    ? Object.keys(contentsOf(path.join(parent, "dist")))
        .filter((name) => name.endsWith("/") === isFolder)
        .map((name) => path.join(parent, "dist", name))
    : [];

/** Applies an action to a file or a folder of dist. */
const toOne =
  (isFolder: boolean, act: (full: string, world: World) => void): Action =>
  (world) => {
    const full = pick(world.random, namesIn(world, isFolder));
    if (full !== undefined) act(full, world);
  };

function exchange(a: string, b: string): void {
  if (a === b || a.startsWith(b) || b.startsWith(a)) return;
  renameSync(a, `${path.resolve(a)}~`);
  renameSync(b, a);
  renameSync(`${path.resolve(a)}~`, b);
}

/** Needs saved/, an older dist. The folder dist may be a mount, which cannot be removed. */
const restore =
  (script: string): Action =>
  (world) => {
    if (!existsSync(path.join(world.parent, "saved")) || !existsSync(path.join(world.parent, "dist"))) return;
    run(script)(world);
  };

const one = (act: (from: string, to: string) => void): Action =>
  toOne(false, (full, { parent }) => {
    const from = path.join(parent, "saved", path.relative(path.join(parent, "dist"), full));
    if (lstatSync(from, { throwIfNoEntry: false })?.isFile()) act(from, full);
  });

const git = (command: string) =>
  restore(
    `export GIT_DIR=$PWD/git GIT_WORK_TREE=$PWD/dist; [ -d git ] || git init -q; git config gc.auto 0; ${command}; rm -f git/index.lock`,
  );
const commit = "git add -A; git -c user.name=a -c user.email=a@b commit -qm a --allow-empty";

export const actions: Readonly<Record<string, Action>> = {
  "save dist": run("if [ -d dist ]; then rm -rf saved; cp -a dist saved; fi"),
  "save dist by links": run("if [ -d dist ]; then rm -rf saved; cp -al dist saved; fi"),
  "restore by cp": restore("cp -a saved/. dist"),
  "restore by cp, without times": restore("cp -r saved/. dist"),
  "restore by tar": restore("tar -C saved -c . | tar -C dist -x"),
  ...(has("rsync") && {
    "restore by rsync": restore("rsync -a --delete saved/ dist"),
    "restore by rsync in place": restore("rsync -a --inplace saved/ dist"),
  }),
  "restore by links": restore("cp -alf saved/. dist"),
  "restore as another folder": restore("mv dist old && cp -a saved dist; rm -rf old"),
  "move a saved api/ in": restore("if [ -d saved/api ]; then rm -rf dist/api; mv saved/api dist/api; fi"),
  "exchange dist and saved": restore("mv dist x && mv saved dist && mv x saved"),
  "move dist away and back": restore("mv dist x && mv x dist"),
  "copy a saved file": one((from, to) => spawnSync("cp", ["-a", from, to])),
  "move a saved file in": one((from, to) => spawnSync("mv", [from, to])),
  "link a saved file": one((from, to) => spawnSync("ln", ["-f", from, to])),
  "exchange two files": toOne(false, (full, world) =>
    exchange(full, pick(world.random, namesIn(world, false)) ?? full),
  ),
  "exchange two folders": toOne(true, (full, world) =>
    exchange(full, pick(world.random, namesIn(world, true)) ?? full),
  ),
  "copy a folder": toOne(true, (full) => spawnSync("cp", ["-a", full, `${path.resolve(full)}-copy`])),
  "copy a page": toOne(false, (full) => spawnSync("cp", ["-a", full, full.replace(/(\.json)?$/, "0.json")])),
  "touch a file": toOne(false, (full) => utimesSync(full, new Date(), new Date())),
  "edit a file": toOne(false, (full) => edit(full)),
  "edit a file, whose time stays": toOne(false, (full) => {
    const { atime, mtime } = lstatSync(full);
    edit(full);
    utimesSync(full, atime, mtime);
  }),
  "empty a file": toOne(false, (full) => writeFileSync(full, "")),
  "remove a file": toOne(false, (full) => rmSync(full)),
  "remove a folder": toOne(true, (full) => rmSync(full, { recursive: true })),
  "remove dist": run("rm -rf dist"),
  "git commit": git(commit),
  "git checkout": git(`${commit}; git checkout -qf "$(git rev-list HEAD | tail -1)"`),
  "git stash": git(`[ -f git/index ] || { ${commit}; }; git -c user.name=a -c user.email=a@b stash -q -u`),
  "git stash pop": git("git checkout -qf stash@{0} -- ."),
};

/** An empty file is only rewritten. */
function edit(full: string): void {
  const bytes = readFileSync(full);
  if (bytes.length > 0) bytes.set([(bytes[0] ?? 0) ^ 1]);
  writeFileSync(full, bytes);
}

/** Mounts that hide dist and show it again, for privileged users. `end` removes all mounts. */
export function mounts({ parent, random }: World): { readonly actions: typeof actions; readonly end: () => void } {
  const dist = path.join(parent, "dist");
  let count = 0;
  const unmount = () => {
    if (count === 0) return;
    execFileSync("umount", [dist]);
    count--;
  };
  const mountOver = (...args: readonly string[]) => {
    if (count > 0) return;
    mkdirSync(dist, { recursive: true });
    execFileSync("mount", [...args, dist], { stdio: "ignore" });
    count++;
  };
  const volume = (name: string) => path.join(parent, "volumes", name);
  let made = 0;
  return {
    actions: {
      unmount,
      "mount a volume": () => {
        unmount();
        const name = random() < 0.5 ? "one" : "two";
        if (!existsSync(volume(name))) {
          mkdirSync(volume(name), { recursive: true });
          execFileSync("mount", ["-t", "tmpfs", "tmpfs", volume(name)], { stdio: "ignore" });
          made++;
        }
        mountOver("--bind", volume(name));
      },
      "mount an empty volume": () => mountOver("-t", "tmpfs", "tmpfs"),
    },
    end() {
      while (count > 0) unmount();
      if (made > 0)
        for (const name of readdirSync(path.join(parent, "volumes"))) execFileSync("umount", [volume(name)]);
    },
  };
}

export function mayMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}
