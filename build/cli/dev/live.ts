// Tells the pages in browsers of each plan and of faults, by server-sent events (HTML, section 9.2). No build has the script
// that listens to them: it is added to pages as they are served.
import type { IncomingMessage, ServerResponse } from "node:http";
import { bundle } from "../../files/asset.ts";

/** What a page has to know. */
export interface PageState {
  /** Names the plan from which pages are made. */
  readonly plan: string;
  /** The faults of later saves, as the terminal shows them; empty if there are none. */
  readonly faults: string;
}

/** No base of an API has such a part. */
const folder = "/__stillapi__";
const events = `${folder}/events`;
const script = `${folder}/dev.js`;

/** The element that runs the script, for a page made from a plan. */
export const liveScript = ({ plan }: PageState): string =>
  `<script type="module" src="${script}" data-plan="${plan}" data-events="${events}"></script>\n`;

export interface Live {
  /** Answers a request of the script, or for it. Returns false if the request is another one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Tells all open pages the state. */
  announce(): void;
}

export function openLive(state: () => PageState): Live {
  const pages = new Set<ServerResponse>();
  const event = () => `data: ${JSON.stringify(state())}\n\n`;
  return {
    answer({ url }, response) {
      if (url === script) {
        response.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" });
        response.end(bundle("documents/browser/dev"));
        return true;
      }
      if (url !== events) return false;
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write(event());
      pages.add(response);
      response.on("close", () => pages.delete(response));
      return true;
    },
    announce() {
      for (const page of pages) page.write(event());
    },
  };
}
