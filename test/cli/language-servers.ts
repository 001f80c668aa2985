// A repository with content, and the language servers of editors that have its files open.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
import { editorSchemas } from "../../build/cli/editors/schemas.ts";
import { schemasFolder, writeSchemas } from "../../build/cli/editors/write.ts";
import { readContents } from "../../build/content/content.ts";
import { openLog } from "../../build/messages.ts";
import { edgeNetwork } from "../edge-network.ts";

/** Writes the schemas of `content/` in a repository, even if it has errors. */
export async function refreshSchemas(repository: string): Promise<void> {
  const content = path.join(repository, "content");
  const read = await readContents(content, [edgeNetwork], openLog());
  const problem = writeSchemas(schemasFolder(content), editorSchemas(read));
  if (problem !== undefined) throw new Error(problem);
}

/** An editor's answers at the cursors, each marked by `|` in a text, or for the whole text. */
export interface Editor {
  /** Labels with their details: `word: text`. */
  complete(file: string, text: string): Promise<readonly string[]>;
  /** A hover text for each cursor. */
  hovers(file: string, text: string): Promise<readonly string[]>;
  /** Faults as `line:column message`. */
  faults(file: string, text: string): Promise<readonly string[]>;
  /** Notifies the server that the schemas have changed on disk, like an editor that watches them. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const settingsFor = JSON.parse(readFileSync(".vscode/settings.json", "utf8"));

/** yaml-language-server as an editor runs it, with the settings of `.vscode/settings.json`. */
export async function openYamlEditor(repository: string): Promise<Editor> {
  const child = spawn("yaml-language-server", ["--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
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
  /** The server sends the faults of a file when it is opened, and an empty list when it is closed. */
  const notify = (method: string, textDocument: object): Promise<readonly Diagnostic[]> => {
    const found = new Promise<readonly Diagnostic[]>((resolve) => {
      diagnosed = resolve;
    });
    return connection.sendNotification(`textDocument/${method}`, { textDocument }).then(() => found);
  };
  const open = (file: string, text: string) =>
    notify("didOpen", { uri: uriOf(file), languageId: "yaml", version: ++version, text });
  const close = (file: string) => notify("didClose", { uri: uriOf(file) });

  async function ask<Answer>(method: string, file: string, marked: string): Promise<readonly Answer[]> {
    const { text, positions } = cursorsIn(marked);
    await open(file, text);
    const answers: Answer[] = [];
    for (const position of positions) {
      answers.push(await connection.sendRequest(method, { textDocument: { uri: uriOf(file) }, position }));
    }
    await close(file);
    return answers;
  }
  return {
    complete: async (file, text) =>
      (await ask<CompletionList>("textDocument/completion", file, text)).flatMap(labelsOf),
    hovers: async (file, text) => (await ask<Hover | null>("textDocument/hover", file, text)).map(hoverText),
    async faults(file, text) {
      const diagnostics = await open(file, text);
      await close(file);
      return diagnostics.map(lineOf);
    },
    async refresh() {
      const changes = Object.keys(settingsFor["yaml.schemas"]).map((file) => ({ uri: uriOf(file), type: 2 }));
      await connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
    },
    async close() {
      await connection.sendRequest("shutdown");
      connection.dispose();
      child.kill();
    },
  };
}

/** The JSON service of Visual Studio Code, configured like its extension, from `.vscode/settings.json`. */
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
      const { text, positions } = cursorsIn(marked);
      const { document, json } = open(file, text);
      return (await Promise.all(positions.map((position) => service.doComplete(document, position, json)))).flatMap(
        labelsOf,
      );
    },
    async hovers(file, marked) {
      const { text, positions } = cursorsIn(marked);
      const { document, json } = open(file, text);
      return (await Promise.all(positions.map((position) => service.doHover(document, position, json)))).map(hoverText);
    },
    async faults(file, text) {
      const { document, json } = open(file, text);
      return (await service.doValidation(document, json)).map(lineOf);
    },
    async refresh() {
      for (const { uri } of schemas) service.resetSchema(uri);
    },
    close: async () => undefined,
  };
}

/** The text without the marks, and their positions. */
function cursorsIn(marked: string): { readonly text: string; readonly positions: readonly Position[] } {
  const parts = marked.split("|");
  const positions = parts.slice(1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join("")
      .split("\n");
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  });
  return { text: parts.join(""), positions };
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
