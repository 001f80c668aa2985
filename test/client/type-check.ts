// Type-checks a consumer of the client as a separate strict project.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";

export interface TypeCheck {
  readonly errors: readonly string[];
  /** The number of types that the compiler instantiates: the time that it needs, on any machine. */
  readonly instantiations: number;
  /** The packages whose declarations are read. */
  readonly packages: readonly string[];
}

/** What packages, the program and TypeScript itself declare is parsed once in a process. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** `files` are texts by name. They import `stillapi` as the package is imported. */
export function typeCheck(files: Readonly<Record<string, string>>): TypeCheck {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-types-"));
  try {
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
    const rootNames = Object.keys(files).map((name) => path.join(folder, name));
    const host = ts.createCompilerHost(strict);
    const { getSourceFile } = host;
    host.getSourceFile = (file, ...how) => {
      if (file.startsWith(folder)) return getSourceFile(file, ...how);
      if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...how));
      return parsed.get(file);
    };
    const program = ts.createProgram({ rootNames, options: strict, host });
    // Not the program's modules, which npm run typecheck checks.
    const sources = rootNames.map((name) => program.getSourceFile(name));
    const diagnostics = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...sources.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ];
    const errors = diagnostics.map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1;
      return `${path.basename(file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    const packages = program
      .getSourceFiles()
      .flatMap(({ fileName }) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(fileName)?.[1] ?? []);
    return { errors, instantiations: program.getInstantiationCount(), packages: [...new Set(packages)] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  // The declarations of zod need not be checked again.
  skipLibCheck: true,
  types: [],
  paths: {
    stillapi: [path.resolve("src/index.ts")],
    "stillapi/forms": [path.resolve("src/declare/forms.ts")],
    "stillapi/client": [path.resolve("src/answers/client.ts")],
    "stillapi/edge-network": [path.resolve("src/edge-network/index.ts")],
  },
};
