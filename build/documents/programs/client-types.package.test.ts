// The types of the client that an API brings: one file without imports, from the sources. `npm run generate` writes it.
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { typeCheck } from "../../../test/client/type-check.ts";
import { asset } from "../../files/asset.ts";

const modules = [
  "src/answers/answers.ts",
  "src/answers/client/types.ts",
  "src/answers/client/send.ts",
  "build/documents/programs/browser/client.ts",
];

const head =
  "// The types of the client beside this file. `npm run generate` of stillapi writes them from its sources.\n";

/** The declarations of the modules in one file. Names that consumers import are exported. */
function declarations(): string {
  const options: ts.CompilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    strict: true,
    skipLibCheck: true,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  };
  const program = ts.createProgram(modules, options);
  const texts = new Map<string, string>();
  program.emit(undefined, (file, text) => texts.set(path.relative("", file), text));
  const all = modules.map((module) => texts.get(module.replace(/\.ts$/, ".d.ts")) ?? "");
  const client = all.at(-1) ?? "";
  const names = [...client.matchAll(/^export (?:type )?\{(.*?)\}/gms)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.replace(/\btype\b/, "").trim()),
  );
  const body = all
    .map((text) =>
      text
        .replace(/^(?:import|export) (?:type )?\{[^}]*\}(?: from "[^"]*")?;\n/gms, "")
        .replace(/^import .*\n/gm, "")
        .replace(/^export (?=declare|interface|type)/gm, "")
        .replace(/^\/\/.*\n/gm, ""),
    )
    .join("");
  return `${head}${body}export { ${["createClient", ...names].filter((name) => name !== "").join(", ")} };\n`;
}

it("are those of the sources", async () => {
  await expect(declarations()).toMatchFileSnapshot("client.d.ts");
});

const consumer = `
import type edgeNetwork from "stillapi/edge-network";
import { ApiError, createClient } from "./client.js";

const client = createClient<typeof edgeNetwork>();
for await (const { id } of client.nodes.items({ region: "lhr1" })) id satisfies string;
// @ts-expect-error: there is no such order
await client.nodes.get({ sort: "oldest" });
// @ts-expect-error: there is no such operation
client.edges;
await createClient()["nodes"]?.get().catch((error: unknown) => error instanceof ApiError && error.code);
`;

it("need nothing else", () => {
  const { errors } = typeCheck({ "client.d.ts": asset("documents/programs/client.d.ts"), "consumer.ts": consumer });
  expect(errors).toEqual([]);
});
