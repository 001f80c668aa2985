// Whenever publish.sh is killed, whoever reads its target is on pages whose cursors lead to pages, and running it again
// does the rest.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { nginx } from "../nginx/index.ts";
import {
  buildAt,
  deadEnds,
  filesOf,
  missing,
  pathsOf,
  publishedOf,
  type Run,
  run,
  scriptOf,
  writeCommand,
  writeEdited,
} from "./fixture.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-publish-kill-"));
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
afterAll(() => rmSync(folder, { recursive: true }));

const calls = at("calls");

/** Without the second between two changes, which only entity tags need. */
const quick = { PATH: `${at("quick")}:${process.env.PATH}` };

/** In place of a command: from its call number KILL_AT on, all of the script is killed while the command runs. */
const killing = (command: string) => `printf x >>'${calls}'
n=$(wc -c <'${calls}')
PATH=$OLD_PATH
if [ "$n" -ge "$KILL_AT" ]; then
  [ "$KILL_AFTER" = 0 ] || { ${command} "$@" & sleep "$KILL_AFTER"; }
  kill -9 0
fi
exec ${command} "$@"`;

async function runKilled(dist: string, args: readonly string[], call: number, after: number): Promise<Run> {
  writeFileSync(calls, "");
  const env = {
    PATH: `${at("bin")}:${process.env.PATH}`,
    OLD_PATH: process.env.PATH ?? "",
    KILL_AT: String(call),
    KILL_AFTER: String(after),
  };
  return await run(scriptOf(dist, nginx), args, { env });
}

/** Sidecars that are not of the pages beside them. */
const strays = (target: string): readonly string[] =>
  pathsOf(target).filter((file) => {
    const unpack = file.endsWith(".gz") ? gunzipSync : file.endsWith(".br") ? brotliDecompressSync : undefined;
    if (unpack === undefined) return false;
    const own = unpack(readFileSync(path.join(target, file)));
    return !own.equals(readFileSync(path.join(target, file.replace(/\.(?:gz|br)$/, ""))));
  });

it.skipIf(missing !== undefined)(
  "every cursor leads to a page and every copy is that of its page wherever publish.sh is killed",
  async () => {
    for (const command of ["rsync", "xargs"]) writeCommand(at("bin"), command, killing(command));
    for (const bin of ["bin", "quick"]) writeCommand(at(bin), "sleep", "exit 0");
    writeEdited(at("a"), 12, [1], [2, 5]);
    writeEdited(at("b"), 12, [3, 7], [2, 3]);
    const [one, two] = [at("one", "dist"), at("two", "dist")];
    await buildAt(at("a"), one, { host: nginx, precompress: true });
    await buildAt(at("b"), two, { host: nginx, precompress: true, previous: one, now: 1_700_000_060 });
    const [before, after] = [publishedOf(one), publishedOf(two)];
    const seen = (target: string, when: object) => {
      const files = filesOf(target);
      expect({ ...when, dead: deadEnds(files), strays: strays(target) }).toEqual({ ...when, dead: [], strays: [] });
      return files;
    };
    const finish = async (...args: readonly string[]) =>
      expect(await run(scriptOf(two, nginx), args, { env: quick })).toMatchObject({ code: 0, stderr: "" });
    await finish(at("start"));
    rmSync(at("start"), { recursive: true });
    await run(scriptOf(one, nginx), [at("start")]);
    expect(filesOf(at("start"))).toEqual(before);

    let halfway = 0;
    for (const [title, steps, source, start, end] of [
      ["publish", [], two, before, after],
      ["way back", ["--back"], two, after, before],
    ] as const) {
      if (title === "way back") await finish(at("start"));
      let wasKilled = true;
      for (let call = 1; wasKilled; call++) {
        const delay = Math.random() < 0.3 ? 0 : Math.random() * 0.05;
        const target = at(`target ${title} ${call}`);
        cpSync(at("start"), target, { recursive: true, preserveTimestamps: true });
        const { code } = await runKilled(source, [...steps, target], call, delay);
        wasKilled = code !== 0;
        const files = seen(target, { title, call, delay });
        const isStart = JSON.stringify(files) === JSON.stringify(start);
        const isEnd = JSON.stringify(files) === JSON.stringify(end);
        if (!isStart && !isEnd) halfway++;
        if (wasKilled) await finish(...steps, target);
        expect({ title, call, delay, files: seen(target, { title, call, delay }) }).toEqual({
          title,
          call,
          delay,
          files: end,
        });
        if (title === "publish" && call % 4 === 0) {
          await finish("--back", target);
          expect({ title, call, files: filesOf(target) }).toEqual({ title, call, files: before });
        }
        rmSync(target, { recursive: true });
      }
    }
    expect(halfway).toBeGreaterThan(5);
  },
  300_000,
);
