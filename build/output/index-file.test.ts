import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentsOf,
  type Files,
  lay,
  mount,
  ownership,
  planOf,
  stateOf,
  temporaryFolder,
  writeOutput,
} from "../../test/output/folder.ts";
import { intercept } from "../../test/output/intercept.ts";
import { openOutput } from "./folder.ts";
import type { Change } from "./stage.ts";

const filesOf = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`api/v1/${index % 7}/${index}.json`, `text ${index}`]),
  );

const files = filesOf(140);

/** So many that a second thread walks the folder. */
const manyFiles = filesOf(2_100);

const one = "api/v1/3/3.json";

async function write(out: string, cache: string, planned: Files = files): Promise<Change[]> {
  const changes: Change[] = [];
  await writeOutput(out, planOf(planned), (change) => changes.push(change), { cache });
  return changes.filter(({ kind }) => kind !== "kept");
}

/** How many files of the out folder a build reads. */
async function countReads(out: string, cache: string, planned = files): Promise<number> {
  let count = 0;
  await intercept(
    () => write(out, cache, planned),
    ["readFileSync"],
    (_, __, target) => {
      if (target.startsWith(path.join(out, "api"))) count++;
    },
  );
  return count;
}

async function begin(planned = files) {
  const parent = temporaryFolder();
  const [out, cache] = [path.join(parent, "dist"), path.join(parent, "indexes")];
  await write(out, cache, planned);
  const [index = ""] = readdirSync(cache);
  return { parent, out, cache, index: path.join(cache, index) };
}

describe.each([
  ["a small folder", files],
  ["a folder that a second thread walks", manyFiles],
])("in %s", (_, files) => {
  it("a build over an untouched one reads none of its files, and leaves all as it is", async () => {
    const { parent, out, cache } = await begin(files);
    const before = stateOf(parent).filter(({ name }) => name !== "indexes/");
    expect(await countReads(out, cache, files)).toBe(0);
    expect(stateOf(parent).filter(({ name }) => name !== "indexes/")).toEqual(before);
  });

  it("only files that differ from before are written and removed", async () => {
    const { out, cache } = await begin(files);
    const { [one]: _, ...rest } = files;
    const changes = await write(out, cache, { ...rest, "api/v1/0/0.json": "TEXT 0", "api/v1/9/9.json": "new" });
    expect(changes.map(({ kind, file }) => `${kind} ${file}`).sort()).toEqual([
      `removed ${one}`,
      "written api/v1/0/0.json",
      "written api/v1/9/9.json",
    ]);
  });

  it("a build notices another text of the same length and time, and a file that is not planned", async () => {
    const { out, cache } = await begin(files);
    const before = contentsOf(out);
    const { atime, mtime } = statSync(path.join(out, one));
    lay(out, { [one]: files[one]?.toUpperCase() ?? "", "api/v1/4/more.json": "more" });
    utimesSync(path.join(out, one), atime, mtime);
    await write(out, cache, files);
    expect(contentsOf(out)).toEqual(before);
  });
});

describe("notices", () => {
  const text = files[one] ?? "";
  it.each<[string, (file: string, out: string) => void]>([
    ["another text", (file) => writeFileSync(file, "another text")],
    ["that it is missing", (file) => rmSync(file)],
    ["that its folder is missing", (file) => rmSync(path.dirname(file), { recursive: true })],
    ["that it is another file", (file, out) => renameSync(path.join(out, "api/v1/4/4.json"), file)],
    [
      "that its folder is another one",
      (file) => {
        const folder = path.dirname(file);
        renameSync(folder, `${folder}-old`);
        lay(folder, { "3.json": text.toUpperCase() });
      },
    ],
    [
      "a file that is not planned, beside one that is missing",
      (file) => renameSync(file, path.join(path.dirname(file), "more.json")),
    ],
  ])("%s", async (_, tamper) => {
    const { out, cache } = await begin();
    const before = contentsOf(out);
    tamper(path.join(out, one), out);
    await write(out, cache);
    expect(contentsOf(out)).toEqual(before);
  });

  it("that a folder was replaced by a link to itself", async () => {
    const { parent, out, cache } = await begin();
    renameSync(path.join(out, "api/v1/3"), path.join(parent, "3"));
    symlinkSync(path.join(parent, "3"), path.join(out, "api/v1/3"));
    await expect(write(out, cache)).rejects.toThrow("api/v1/3 is a link or a special file");
  });

  it("that the out folder is an older one, moved back", async () => {
    const { parent, out, cache } = await begin();
    renameSync(out, path.join(parent, "older"));
    const newer = { ...files, [one]: "newer" };
    await write(out, cache, newer);
    rmSync(out, { recursive: true });
    renameSync(path.join(parent, "older"), out);
    await write(out, cache, newer);
    expect(contentsOf(out)[one]).toBe("newer");
  });

  it("and names files that the program did not write", async () => {
    const { out, cache } = await begin();
    lay(out, { "robots.txt": "foreign" });
    for (const _ of ["noticed", "remembered"]) {
      const { foreign } = await writeOutput(out, planOf(files), () => undefined, { cache });
      expect(foreign).toEqual(["robots.txt"]);
    }
  });
});

/** The same files with other texts of the same lengths. */
const newerOf = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.toUpperCase()]));

const newer = newerOf(files);

describe("what ordinary tools put back of an older build is noticed:", () => {
  const shell = (script: string) => (parent: string) => {
    execFileSync("sh", ["-c", script], { cwd: parent });
  };
  it.for<[string, (parent: string) => void]>([
    ["a folder that was moved in", shell("rm -rf dist/api; mv bak/api dist/api")],
    ["an inner folder that was moved in", shell("rm -rf dist/api/v1/3; mv bak/api/v1/3 dist/api/v1/3")],
    ["a file that was moved in", shell("mv bak/api/v1/3/3.json dist/api/v1/3/3.json")],
    ["a file that was linked", shell("ln -f bak/api/v1/3/3.json dist/api/v1/3/3.json")],
    ["files that changed places", shell("cd dist/api/v1/3; mv 3.json x; mv 10.json 3.json; mv x 10.json")],
    ["folders that changed places", shell("cd dist/api/v1; mv 3 x; mv 4 3; mv x 4")],
    ["files that cp copied over", shell("cp -a bak/. dist")],
    ["files that tar unpacked", shell("tar -C bak -c . | tar -C dist -x")],
    ["files that rsync copied", shell("command -v rsync || exit 0; rsync -a --delete bak/ dist")],
    ["an out folder that was copied", shell("rm -rf dist; cp -a bak dist")],
    [
      "files that git checked out",
      shell(
        "cd bak; git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm a; rm -rf ../dist/api; git --work-tree=../dist checkout -q .",
      ),
    ],
  ])("%s", async ([, meddle]) => {
    const { parent, out, cache } = await begin();
    execFileSync("cp", ["-a", out, path.join(parent, "bak")]);
    await write(out, cache, newer);
    meddle(parent);
    await write(out, cache, newer);
    expect(contentsOf(out)).toMatchObject(newer);
  });
});

describe("another volume in the out folder's place is noticed:", () => {
  it("one with the same inodes", async ({ skip }) => {
    const parent = temporaryFolder();
    const [out, cache] = [path.join(parent, "dist"), path.join(parent, "indexes")];
    const volumes = ["one", "two"].map((name) => path.join(parent, name));
    for (const volume of volumes) mount(skip, volume, "-t", "tmpfs", "tmpfs");
    for (const [index, planned] of [files, newer, newer, files].entries()) {
      mkdirSync(out, { recursive: true });
      execFileSync("mount", ["--bind", volumes[index % 2] ?? "", out]);
      try {
        await write(out, cache, planned);
        expect(contentsOf(out)).toMatchObject(planned);
      } finally {
        execFileSync("umount", [out]);
      }
    }
  });

  it("an older layer below a new one", async ({ skip }) => {
    const parent = temporaryFolder();
    const [image, cache] = [path.join(parent, "image"), path.join(parent, "indexes")];
    const out = path.join(image, "dist");
    mount(skip, path.join(parent, "layers"), "-t", "tmpfs", "tmpfs");
    lay(parent, { "layers/lower/": "", "image/": "" });
    const over = (name: string) => {
      lay(parent, { [`layers/upper-${name}/`]: "", [`layers/work-${name}/`]: "" });
      const folders = [`lowerdir=${parent}/layers/lower`, `upperdir=${parent}/layers/upper-${name}`];
      return ["-t", "overlay", "overlay", "-o", [...folders, `workdir=${parent}/layers/work-${name}`].join(",")];
    };
    const layers = [["--bind", path.join(parent, "layers/lower")], over("one"), over("two"), over("three")];
    for (const [index, layer] of layers.entries()) {
      if (spawnSync("mount", [...layer, image]).status !== 0) skip("layers cannot be mounted here");
      try {
        const planned = index === 0 ? files : newer;
        await write(out, cache, planned);
        expect(contentsOf(out)).toMatchObject(planned);
      } finally {
        execFileSync("umount", [image]);
      }
    }
  });
});

describe("what someone changes during a build is noticed by the next one:", () => {
  const changed: Files = { ...newer, "api/v1/new/1.json": "new", "api/v1/new/2.json": "new" };
  const meddle = (out: string) => {
    for (const file of [one, "api/v1/0/0.json", "api/v1/new/1.json"].filter((file) =>
      existsSync(path.join(out, file)),
    )) {
      writeFileSync(path.join(out, file), "X".repeat(changed[file]?.length ?? 0));
    }
    for (const folder of ["3", "new"].filter((folder) => existsSync(path.join(out, "api/v1", folder)))) {
      lay(out, { [`api/v1/${folder}/copied.json`]: "copied" });
    }
  };

  it.each<[string, Files]>([
    ["no build", {}],
    ["an older build", files],
    ["a build that differs in one file", { ...newer, [one]: "other" }],
  ])("over %s, at any moment", async (_, before) => {
    const count = async (work: (each: (index: number) => void) => Promise<unknown>) => {
      let last = 0;
      await work((index) => {
        last = index;
      });
      return last;
    };
    const run = async (each: (index: number, out: string) => void) => {
      const parent = temporaryFolder();
      const [out, cache] = [path.join(parent, "dist"), path.join(parent, "indexes")];
      if (Object.keys(before).length > 0) await write(out, cache, before);
      await intercept(
        () => write(out, cache, changed),
        ["renameSync", "lstatSync"],
        (index) => each(index, out),
      );
      return { out, cache };
    };
    const last = await count((each) => run(each));
    for (let moment = 0; moment < 12; moment++) {
      const at = moment === 11 ? last : Math.floor((last * moment) / 11);
      const { out, cache } = await run((index, out) => index === at && meddle(out));
      await write(out, cache, changed);
      expect(contentsOf(out)).toMatchObject(changed);
      expect(Object.keys(contentsOf(out)).filter((file) => file.endsWith("copied.json"))).toEqual([]);
    }
  });

  it("while it holds the lock, before any file is written", async () => {
    const { out, cache } = await begin();
    const output = await openOutput(out, { ownership, cache, onWait: () => undefined });
    try {
      writeFileSync(path.join(out, one), "TEXT");
      await (await output.stage(planOf(files), () => undefined)).commit();
    } finally {
      output.close();
    }
    await write(out, cache, files);
    expect(contentsOf(out)).toMatchObject(files);
  });
});

it.each<[string, (text: string) => string]>([
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, text.length / 2)],
  ["not of this form", (text) => text.replace("index 3", "index 0")],
  ["of another device", (text) => text.replace(/^(\["[^"]+",)\d+/, "$10")],
  ["not text", () => "\u0000\ufffd[1"],
])("files are compared if the index is %s", async (_, spoil) => {
  const { out, cache, index } = await begin();
  const before = contentsOf(out);
  const text = readFileSync(index, "latin1");
  const spoilt = spoil(text);
  expect(spoilt).not.toBe(text);
  writeFileSync(index, spoilt, "latin1");
  expect(await countReads(out, cache)).toBeGreaterThanOrEqual(Object.keys(files).length);
  expect(contentsOf(out)).toEqual(before);
  expect(await countReads(out, cache)).toBeLessThan(Object.keys(files).length);
});

it("a build does without an index if none can be kept", async () => {
  const parent = temporaryFolder();
  lay(parent, { indexes: "a file" });
  await write(path.join(parent, "dist"), path.join(parent, "indexes"));
  expect(contentsOf(path.join(parent, "dist"))).toMatchObject(files);
});
