// Actions of people and their tools on an out folder, for the model test. Every action may happen at any time, and may
// have no effect.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
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

/** Needs saved/, an older dist. */
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

export const actions: Readonly<Record<string, Action>> = {
  "save dist": run("if [ -d dist ]; then rm -rf saved; cp -a dist saved; fi"),
  "save dist by links": run("if [ -d dist ]; then rm -rf saved; cp -al dist saved; fi"),
  "restore by cp": restore("cp -a saved/. dist"),
  "restore by links": restore("cp -alf saved/. dist"),
  "restore as another folder": restore("mv dist old && cp -a saved dist; rm -rf old"),
  "move a saved api/ in": restore("if [ -d saved/api ]; then rm -rf dist/api; mv saved/api dist/api; fi"),
  "exchange dist and saved": restore("mv dist x && mv saved dist && mv x saved"),
  "copy a saved file": one((from, to) => spawnSync("cp", ["-a", from, to])),
  "link a saved file": one((from, to) => spawnSync("ln", ["-f", from, to])),
  "exchange two files": toOne(false, (full, world) =>
    exchange(full, pick(world.random, namesIn(world, false)) ?? full),
  ),
  "exchange two folders": toOne(true, (full, world) =>
    exchange(full, pick(world.random, namesIn(world, true)) ?? full),
  ),
  "copy a folder": toOne(true, (full) => spawnSync("cp", ["-a", full, `${path.resolve(full)}-copy`])),
  "copy a page": toOne(false, (full) => spawnSync("cp", ["-a", full, full.replace(/(\.json)?$/, "0.json")])),
  "edit a file, whose time stays": toOne(false, (full) => {
    const { atime, mtime } = lstatSync(full);
    const bytes = readFileSync(full);
    if (bytes.length > 0) bytes.set([(bytes[0] ?? 0) ^ 1]);
    writeFileSync(full, bytes);
    utimesSync(full, atime, mtime);
  }),
  "empty a file": toOne(false, (full) => writeFileSync(full, "")),
  "remove a file": toOne(false, (full) => rmSync(full)),
  "remove a folder": toOne(true, (full) => rmSync(full, { recursive: true })),
  "remove dist": run("rm -rf dist"),
};
