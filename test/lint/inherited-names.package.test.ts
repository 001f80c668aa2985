// A record that is read or written by a name of the data finds what every object inherits, such as `constructor`: it is
// read by `ownField` and written by `setField`. A Map is another way.
import path from "node:path";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";

const root = path.resolve("src/..");
const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);

/** The functions by which records are read and written. */
const home = "src/model/fields.ts";

const files = ts.sys
  .readDirectory(root, [".ts"], ["**/*.test.ts", "**/*.d.ts", "**/templates/**"], ["src/**/*", "build/**/*"])
  .filter((file) => path.relative(root, file) !== home);

const samples: readonly (readonly [statement: string, isFound: boolean])[] = [
  ["record[name];", true],
  ["record.a;", false],
  ['record["a"];', false],
  ["record[kind];", false],
  ["list[0];", false],
  ["for (const key in record) record[key];", false],
  ["for (const key of Object.keys(record)) record[key];", false],
  ["for (const key of Object.keys(record)) other[key];", true],
  ['record[name] = "b";', true],
  ["untyped[name];", true],
  ["name in record;", true],
  ['"a" in record;', false],
];

/** A module with the samples, from the third line on. It is in no file. */
const example = path.join(root, "src/example.ts");
const exampleText = [
  "export function example(record: Record<string, string>, other: Record<string, string>,",
  'list: readonly string[], name: string, kind: "a" | "b", untyped: any) {',
  ...samples.map(([statement]) => statement),
  "}",
].join("\n");

/** The accesses to records by a name that could be an inherited one, such as `src/x.ts:3 meanings[path]`. */
function accesses(): readonly string[] {
  const modules = [...files, example];
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === example ? ts.createSourceFile(name, exampleText, version, true) : getSourceFile(name, version);
  const program = ts.createProgram(modules, options, host);
  const checker = program.getTypeChecker();
  const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => checker.getStringLiteralType(name));
  const mayBeInherited = (name: ts.Type) => inherited.some((one) => checker.isTypeAssignableTo(one, name));
  const isRecord = (type: ts.Type): boolean => {
    const parts = type.isUnion() ? type.types : [type];
    return parts.some((part) => {
      const infos = checker.getIndexInfosOfType(checker.getApparentType(part));
      return (part.flags & ts.TypeFlags.Any) !== 0 || infos.some(({ keyType }) => keyType.flags & ts.TypeFlags.String);
    });
  };
  const isAccess = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword)
      return mayBeInherited(checker.getTypeAtLocation(node.left)) && node.right.getText() !== "Object.prototype";
    if (!ts.isElementAccessExpression(node)) return false;
    const { expression, argumentExpression } = node;
    return (
      isRecord(checker.getTypeAtLocation(expression)) &&
      mayBeInherited(checker.getTypeAtLocation(argumentExpression)) &&
      !isNameOfLoop(checker, expression, argumentExpression)
    );
  };
  const found: string[] = [];
  for (const file of modules) {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`There is no ${file}.`);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!isAccess(node)) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path.relative(root, file)}:${line + 1} ${node.getText()}`);
    };
    visit(source);
  }
  return found;
}

/** Whether a name is that of a loop over the names of the same record. */
function isNameOfLoop(checker: ts.TypeChecker, record: ts.Expression, name: ts.Expression): boolean {
  const loop = checker.getSymbolAtLocation(name)?.valueDeclaration?.parent.parent;
  if (loop === undefined) return false;
  if (ts.isForInStatement(loop)) return loop.expression.getText() === record.getText();
  return ts.isForOfStatement(loop) && loop.expression.getText() === `Object.keys(${record.getText()})`;
}

/** Those in the example and in the program. */
let found: { readonly example: readonly string[]; readonly program: readonly string[] };

beforeAll(() => {
  const all = accesses();
  const isInExample = (access: string) => access.startsWith("src/example.ts:");
  found = { example: all.filter(isInExample), program: all.filter((access) => !isInExample(access)) };
});

it("finds accesses by names that are not known", () => {
  const lines = found.example.map((access) => Number(/:(\d+) /.exec(access)?.[1]));
  expect(lines).toEqual(samples.flatMap(([, isFound], index) => (isFound ? [index + 3] : [])));
});

it("finds no record of the program that is accessed by a name which could be an inherited one", () => {
  expect(files.length).toBeGreaterThan(300);
  expect(found.program).toEqual([]);
});
