// A repository with content, and the language servers of editors looking at its files as an editor's user does.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  type CompletionList,
  type Diagnostic,
  getLanguageService,
  type Hover,
  type MarkupContent,
  type Position,
  TextDocument,
} from "vscode-json-languageservice";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node.js";
import { readCatalog } from "../content/content.ts";
import { editorSchemas } from "./schemas.ts";
import { vscodeSettings } from "./vscode.ts";
import { schemasFolder, writeSchemas } from "./write.ts";

/** Writes the schemas of `content/` in a repository. */
export async function refreshSchemas(repository: string): Promise<void> {
  const content = path.join(repository, "content");
  const [read] = await readCatalog(content);
  const warnings = writeSchemas(schemasFolder(content), editorSchemas(read));
  if (warnings.length > 0) throw new Error(warnings.join("\n"));
}

/** What an editor shows at the cursor, which is the `|` in a text, or in the whole of it. */
export interface Editor {
  /** Labels with what stands beside them; `word: text`. */
  complete(file: string, text: string): Promise<readonly string[]>;
  hover(file: string, text: string): Promise<string>;
  /** `line:column message`. */
  faults(file: string, text: string): Promise<readonly string[]>;
  /** The schemas changed on disk. */
  refresh(): Promise<void>;
}

const settingsFor = JSON.parse(vscodeSettings());

/** yaml-language-server as an editor runs it, with the settings of `.vscode/settings.json`. */
export async function openYamlEditor(repository: string): Promise<Editor> {
  const server = createRequire(import.meta.url).resolve("yaml-language-server/bin/yaml-language-server");
  const child = spawn(process.execPath, [server, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  onTestFinished(async () => {
    await connection.sendRequest("shutdown");
    connection.dispose();
    child.kill();
  });
  const yaml = {
    schemas: settingsFor["yaml.schemas"],
    schemaStore: { enable: false },
    validate: true,
    hover: true,
    completion: true,
  };
  connection.onRequest("workspace/configuration", ({ items }: { items: readonly { section?: string }[] }) =>
    items.map(({ section }) => (section === "yaml" ? yaml : {})),
  );
  connection.onRequest("client/registerCapability", () => null);
  let diagnosed: (found: readonly Diagnostic[]) => void = () => undefined;
  connection.onNotification("textDocument/publishDiagnostics", ({ diagnostics }) => diagnosed(diagnostics));
  connection.listen();
  const rootUri = String(pathToFileURL(repository));
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "repository" }],
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: { dynamicRegistration: true } },
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
        hover: { contentFormat: ["markdown"] },
      },
    },
  });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("workspace/didChangeConfiguration", { settings: { yaml } });

  const uriOf = (file: string) => String(pathToFileURL(path.join(repository, file)));
  let version = 0;
  /** What is wrong with a file comes when it is opened, and, then nothing, when it is closed. */
  const notify = (method: string, textDocument: object): Promise<readonly Diagnostic[]> => {
    const found = new Promise<readonly Diagnostic[]>((resolve) => {
      diagnosed = resolve;
    });
    return connection.sendNotification(`textDocument/${method}`, { textDocument }).then(() => found);
  };
  const open = (file: string, text: string) =>
    notify("didOpen", { uri: uriOf(file), languageId: "yaml", version: ++version, text });
  const close = (file: string) => notify("didClose", { uri: uriOf(file) });

  async function ask<Answer>(method: string, file: string, marked: string): Promise<Answer> {
    const { text, position } = cursorIn(marked);
    await open(file, text);
    const answer: Answer = await connection.sendRequest(method, { textDocument: { uri: uriOf(file) }, position });
    await close(file);
    return answer;
  }
  return {
    complete: async (file, text) => labelsOf(await ask("textDocument/completion", file, text)),
    hover: async (file, text) => hoverText(await ask("textDocument/hover", file, text)),
    async faults(file, text) {
      const diagnostics = await open(file, text);
      await close(file);
      return diagnostics.map(lineOf);
    },
    async refresh() {
      const changes = Object.keys(settingsFor["yaml.schemas"]).map((file) => ({ uri: uriOf(file), type: 2 }));
      await connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
    },
  };
}

/** The JSON service of Visual Studio Code, set up as its extension does, from `.vscode/settings.json`. */
export function openJsonEditor(repository: string): Editor {
  const folderUri = String(pathToFileURL(`${repository}/`));
  const service = getLanguageService({
    schemaRequestService: async (uri) => readFileSync(fileURLToPath(uri), "utf8"),
    workspaceContext: { resolveRelativePath: (relative, resource) => String(new URL(relative, resource)) },
    clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ["markdown"] } } } },
  });
  const schemas = settingsFor["json.schemas"].map(({ fileMatch, url }: { fileMatch: string[]; url: string }) => ({
    fileMatch,
    uri: String(new URL(url, folderUri)),
    folderUri,
  }));
  service.configure({ schemas, validate: true });
  const open = (file: string, text: string) => {
    const document = TextDocument.create(String(new URL(file, folderUri)), "json", 1, text);
    return { document, json: service.parseJSONDocument(document) };
  };
  return {
    async complete(file, marked) {
      const { text, position } = cursorIn(marked);
      const { document, json } = open(file, text);
      return labelsOf(await service.doComplete(document, position, json));
    },
    async hover(file, marked) {
      const { text, position } = cursorIn(marked);
      const { document, json } = open(file, text);
      return hoverText(await service.doHover(document, position, json));
    },
    async faults(file, text) {
      const { document, json } = open(file, text);
      return (await service.doValidation(document, json)).map(lineOf);
    },
    async refresh() {
      for (const { uri } of schemas) service.resetSchema(uri);
    },
  };
}

function cursorIn(marked: string): { readonly text: string; readonly position: Position } {
  const before = marked.slice(0, marked.indexOf("|"));
  const lines = before.split("\n");
  return {
    text: before + marked.slice(before.length + 1),
    position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
  };
}

function labelsOf(list: CompletionList | null): readonly string[] {
  return (list?.items ?? []).map(({ label, documentation }) => {
    const text = (typeof documentation === "string" ? documentation : (documentation?.value ?? "")).replaceAll(
      /\s+/g,
      " ",
    );
    return text === "" ? label : `${label}: ${text}`;
  });
}

const hoverText = (hover: Hover | null): string =>
  hover === null
    ? ""
    : [hover.contents]
        .flat()
        .map((part) => (typeof part === "string" ? part : (part as MarkupContent).value))
        .join("\n");

const lineOf = ({ range: { start }, message }: Diagnostic): string =>
  `${start.line + 1}:${start.character + 1} ${message}`;

/** Writes files of a repository. */
export function layFiles(repository: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(repository, file)), { recursive: true });
    writeFileSync(path.join(repository, file), text);
  }
}
