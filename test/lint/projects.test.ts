// The name of a test says what it needs, so that `npm test` needs nothing but Node, and a change of a page starts no
// compiler.
import { readFileSync } from "node:fs";
import path from "node:path";
import fastGlob from "fast-glob";
import { expect, it } from "vitest";

interface Need {
  /** Modules, and functions of the program, that only these tests import. */
  readonly imports: readonly string[];
  /** Whether a test also needs what its helpers import. Few functions of the helpers start a process. */
  readonly withHelpers: boolean;
  readonly names: RegExp;
}

const servers = ["node:http", "node:net", "startPreview", "test/serve.ts", "test/hosts/emulated.ts"];
const processes = ["node:child_process", "test/output/cli.ts", "test/hosts/publish.ts", "test/hosts/upload.ts"];

/** Smoke tests use the servers and the browser that they find. */
const needs: readonly Need[] = [
  { imports: [...servers, ...processes], withHelpers: false, names: /\.\w+\.test\.ts$/ },
  { imports: ["startProgram"], withHelpers: true, names: /\.(?:server|browser|package)\.test\.ts$|^test\/smoke\// },
  { imports: ["puppeteer-core"], withHelpers: true, names: /\.browser\.test\.ts$|^test\/smoke\// },
  { imports: ["test/tools/skip.ts"], withHelpers: true, names: /\.(?:server|package)\.test\.ts$/ },
  {
    imports: ["typescript", "openapi-typescript", "vscode-jsonrpc/node.js"],
    withHelpers: true,
    names: /\.package\.test\.ts$/,
  },
];

const tests = fastGlob.sync("{src,build,test,docs}/**/*.test.ts");

/** The modules that a file imports, and the names of what it imports. Not its types. */
function importsOf(file: string): readonly string[] {
  const statements = readFileSync(file, "utf8").matchAll(/^import (?!type )([^"]*?) from "(.*?)"/gm);
  return [...statements].flatMap(([, names = "", from = ""]) => [
    from.startsWith(".") ? path.join(path.dirname(file), from) : from,
    ...names.split(/\W+/),
  ]);
}

const isHelper = (imported: string): boolean => /^(?:test|docs)\/.*\.ts$/.test(imported);

/** With what helpers import. */
function allImportsOf(file: string): ReadonlySet<string> {
  const found = new Set(importsOf(file));
  for (const imported of found) {
    if (isHelper(imported)) for (const further of importsOf(imported)) found.add(further);
  }
  return found;
}

it("finds no test that imports what its name does not promise", () => {
  expect(tests.length).toBeGreaterThan(200);
  const broken = tests.flatMap((test) => {
    const direct = new Set(importsOf(test));
    const all = allImportsOf(test);
    return needs
      .filter(({ names }) => !names.test(test))
      .flatMap(({ imports, withHelpers }) => imports.filter((name) => (withHelpers ? all : direct).has(name)))
      .map((name) => `${test} imports ${name}`);
  });
  expect(broken).toEqual([]);
});
