// The site that dev serves: the files of the last valid plan, each generated on request. Pages for people start with the
// current faults, and receive each plan and later faults as server-sent events (HTML, section 9.2). No build has the script
// that receives them: it is added to pages as they are served.
import type { IncomingMessage, ServerResponse } from "node:http";
import { stripVTControlCharacters } from "node:util";
import getPort from "get-port";
import { bundled } from "../../files/asset.ts";
import { bytesOf, encode } from "../../files/file.ts";
import type { BuildPlan } from "../../plan/plan.ts";
import type { Tables } from "../../routing/table.ts";
import { mapNonEmpty } from "../../values/non-empty.ts";
import { type Preview, type ServedSite, serveSite } from "../preview/preview.ts";
import type { DevState } from "./state.ts";

/** No base of an API has such a part. */
const folder = "/__stillapi__";
const events = `${folder}/events`;
const script = `${folder}/dev.js`;
const style = `${folder}/dev.css`;

/** The script and the stylesheet that dev adds to pages, by their paths. */
const sources = new Map([
  [script, { source: "cli/dev/browser/dev.ts", type: "text/javascript" }],
  [style, { source: "cli/dev/browser/dev.css", type: "text/css" }],
]);

export class DevSite implements ServedSite {
  /** Browsers ask again after each save. */
  readonly cacheControl = "no-cache";
  readonly #current: { readonly state: DevState };
  /** Pages of an earlier run are loaded anew. */
  readonly #run = Date.now();
  /** The open pages that listen. */
  readonly #pages = new Set<ServerResponse>();
  #preview: Preview | undefined;

  /** Reads the current state at each request. */
  constructor(current: { readonly state: DevState }) {
    this.#current = current;
  }

  get isServed(): boolean {
    return this.#preview !== undefined;
  }

  /** Returns the origin. There has to be a plan. The port may be that of `freePort`. */
  async serve(port: number): Promise<string> {
    this.#preview = await serveSite(this, port);
    return this.#preview.origin;
  }

  /** Sends the current state to all open pages. */
  announce(): void {
    for (const page of this.#pages) {
      page.write(this.#event());
      // Node sends it at the next tick, before which an error may end the process.
      page.socket?.uncork();
    }
  }

  async close(): Promise<void> {
    await this.#preview?.stop();
  }

  tables(): Tables {
    return mapNonEmpty(this.#plan.apis, ({ table }) => table);
  }

  has(file: string): boolean {
    return this.#plan.files.find(file) !== undefined;
  }

  async read(file: string): Promise<Uint8Array | undefined> {
    const found = this.#plan.files.find(file);
    const documents = this.#plan.apis.flatMap((api) => api.documents);
    const isForPeople = documents.some(
      (document) => document.file === file && document.contentType.startsWith("text/html"),
    );
    if (found === undefined || !isForPeople) return found && bytesOf(found);
    return encode(this.#page(bytesOf(found).toString()));
  }

  /** Answers a request of the script, or for it. Returns false if the request is another one. */
  answerOther({ url }: IncomingMessage, response: ServerResponse): boolean {
    const asked = sources.get(url ?? "");
    if (asked !== undefined) {
      response.writeHead(200, { "Content-Type": `${asked.type}; charset=utf-8`, "Cache-Control": "no-store" });
      response.end(bundled(asked.source));
      return true;
    }
    if (url !== events) return false;
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write(this.#event());
    this.#pages.add(response);
    response.on("close", () => this.#pages.delete(response));
    return true;
  }

  get #plan(): BuildPlan {
    const { plan } = this.#current.state;
    if (plan === undefined) throw new Error("Nothing is planned yet.");
    return plan;
  }

  /** Names the plan from which pages are made. */
  get #name(): string {
    return `${this.#run}-${this.#current.state.plans}`;
  }

  #event(): string {
    return `data: ${JSON.stringify({ plan: this.#name, faults: this.#current.state.faults })}\n\n`;
  }

  /** A page with the script of dev, and with the faults for readers without scripts. */
  #page(html: string): string {
    const { faults } = this.#current.state;
    const elements = `<link rel="stylesheet" href="${style}">
<script type="module" src="${script}" data-plan="${this.#name}" data-events="${events}"></script>\n`;
    const page = html.replace("</head>", () => `${elements}</head>`);
    if (faults === undefined) return page;
    const text = stripVTControlCharacters(faults.text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const title = "This page shows the last valid content. The current faults:";
    return page.replace(/<body[^>]*>/, (body) => `${body}<pre role="alert">${title}\n\n${text}</pre>`);
  }
}

/** The port, or the next one that is free. */
export async function freePort(port: number): Promise<number> {
  if (port === 0) return 0;
  const next = Array.from({ length: 20 }, (_, index) => port + index).filter((candidate) => candidate < 65_536);
  return getPort({ host: "127.0.0.1", port: next });
}
