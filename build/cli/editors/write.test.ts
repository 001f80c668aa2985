import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeSample } from "../../../test/check/sample.ts";
import { run } from "../../../test/cli/run-command.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { schemasFolder, writeSchemas } from "./write.ts";

let repository = "";
beforeEach(() => {
  repository = mkdtempSync(path.join(tmpdir(), "stillapi-schemas-"));
});
afterEach(() => rmSync(repository, { recursive: true }));

const schemas = ["a.json", "b.json"].map((file) => ({ file, text: `{"title":"${file}"}` }));

it("puts the schemas into the folder that holds the content folder", () => {
  expect(schemasFolder("content")).toBe(path.resolve(".schemas"));
  expect(schemasFolder("/srv/data/")).toBe("/srv/.schemas");
});

it("writes what changed and nothing else", () => {
  const folder = path.join(repository, ".schemas");
  expect(writeSchemas(folder, schemas)).toBeUndefined();
  const inodes = () => schemas.map(({ file }) => statSync(path.join(folder, file)).ino);
  const [a, b] = inodes();
  const [first] = schemas.map(({ file, text }) => ({ file, text: `${text}\n` }));
  expect(writeSchemas(folder, [...(first === undefined ? [] : [first]), ...schemas.slice(1)])).toBeUndefined();
  const [changed, same] = inodes();
  expect([changed === a, same === b]).toEqual([false, true]);
  expect(readFileSync(path.join(folder, "a.json"), "utf8")).toBe(first?.text);
  expect(readdirSync(folder).sort()).toEqual(["a.json", "b.json"]);
});

it("reads and writes nothing through a link", () => {
  const folder = path.join(repository, ".schemas");
  const elsewhere = path.join(repository, "elsewhere");
  mkdirSync(folder);
  mkdirSync(elsewhere);
  const linked = path.join(elsewhere, "linked.json");
  writeFileSync(linked, "{}");
  symlinkSync(linked, path.join(folder, "a.json"));
  // It has no end.
  symlinkSync("/dev/zero", path.join(folder, "b.json"));
  expect(writeSchemas(folder, schemas)).toBeUndefined();
  for (const { file, text } of schemas) {
    expect(lstatSync(path.join(folder, file)).isFile()).toBe(true);
    expect(readFileSync(path.join(folder, file), "utf8")).toBe(text);
  }

  const link = path.join(repository, "link");
  symlinkSync(elsewhere, link);
  expect(writeSchemas(link, schemas)).toBe(`${link} is a link, so the schemas for editors were not written.`);
  expect(readdirSync(elsewhere)).toEqual(["linked.json"]);
  expect(readFileSync(linked, "utf8")).toBe("{}");
});

const args = (name: string) => [name, "--content", path.join(repository, "content")];
const sample = () => writeSample(path.join(repository, "content"), { count: 3, pageSizes: [10] });
const places = [...edgeNetwork.lists.map(({ name }) => name), "deployments", "api"]
  .map((name) => `${name}.json`)
  .sort();

it.each(["check", "build"])(
  "%s writes them, also where the content has faults, and goes on where it cannot",
  async (name) => {
    sample();
    const [folder, dist] = [".schemas", "dist"].map((name) => path.join(repository, name)) as [string, string];
    const command = () => run([...args(name), ...(name === "build" ? ["--out", dist] : [])]);
    writeFileSync(path.join(repository, "content/api.yaml"), "title: ''\n");
    expect(await command()).toMatchObject({ status: 1 });
    expect(readdirSync(folder).sort()).toEqual(places);

    rmSync(folder, { recursive: true });
    rmSync(path.join(repository, "content/api.yaml"));
    writeFileSync(folder, "");
    const { status, stderr } = await command();
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^editors-unwritten \(warning\) The schemas for editors were not written\. File already exists: .*\.schemas.*\n$/,
    );
    expect(existsSync(dist)).toBe(name === "build");
  },
);

it("writes nothing beside a folder that holds no content", async () => {
  mkdirSync(path.join(repository, "content"));
  writeFileSync(path.join(repository, "content/notes.txt"), "");
  expect(await run(args("check"))).not.toMatchObject({ status: 0 });
  expect(readdirSync(repository)).toEqual(["content"]);
});
