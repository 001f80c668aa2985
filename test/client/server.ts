// A small API for tests, a server that follows a script, and an environment whose waits end at once.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { vi } from "vitest";
import * as z from "zod";
import { clientOf } from "../../src/answers/client/create.ts";
import type { Timer } from "../../src/answers/client/send.ts";
import type { ClientOptions } from "../../src/answers/client/types.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/declare/declare.ts";
import { type Listening, listen } from "../serve.ts";

const word = z.string().regex(/^\w{1,32}$/);
const thing = z.strictObject({ id: word, made: word, kind: z.enum(["big", "small"]), is_new: z.boolean().nullable() });
export type Thing = Readonly<z.infer<typeof thing>>;

const notice = z.strictObject({ text: z.string() });
export type Notice = Readonly<z.infer<typeof notice>>;

export const testApi = defineApi({
  collections: {
    things: defineCollection({
      purpose: "Things.",
      schema: thing,
      key: "id",
      order: ["made"],
      orders: { newest: ["-made"] },
      filters: { kind: "kind", is_new: "is_new" },
      together: [["kind", "is_new"]],
    }),
    shelves: defineCollection({ purpose: "Shelves.", schema: thing, key: "id", paged: false }),
  },
  documents: { notice: defineDocument({ purpose: "A notice.", schema: notice }) },
});

/** The document at the address of the API, as far as clients read it. */
export const testOverview = {
  operations: [
    {
      name: "things",
      key: "id",
      order: ["made", "id"],
      orders: { newest: ["-made", "id"] },
    },
    { name: "shelves", order: ["id"] },
    { name: "notice" },
  ],
};

export const testClient = (url: string | URL, options: ClientOptions, environment: TestEnvironment) =>
  clientOf<typeof testApi>(url, { timeout: tryTime, addresses: "queries", ...options }, environment.timer);

/** The timeout that tests use, by which the environment distinguishes it from a wait between tries. */
const tryTime = 12_345;

export interface TestEnvironment {
  readonly timer: Timer;
  /** The milliseconds of each wait. Waits end at once. */
  readonly waits: readonly number[];
  /** Ends the time of the pending tries. */
  readonly expire: () => void;
}

/** `onWait` runs before a wait ends. Random numbers are always 0.5. */
export function testEnvironment(onWait = async (_wait: number): Promise<void> => undefined): TestEnvironment {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const waits: number[] = [];
  const pending = new Set<() => void>();
  return {
    waits,
    expire: () => {
      for (const ring of pending) ring();
    },
    timer: (ring, milliseconds) => {
      if (milliseconds === tryTime) {
        pending.add(ring);
        return () => pending.delete(ring);
      }
      let isOff = false;
      waits.push(milliseconds);
      onWait(milliseconds).then(() => isOff || ring());
      return () => {
        isOff = true;
      };
    },
  };
}

/** An answer; or the server closes the connection before or during the answer, or keeps it open without one. */
export type Step =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string is sent as it is, all other values as JSON. */
      readonly body?: unknown;
    }
  | "close"
  | "tear"
  | "hang";

export interface ScriptedServer extends Listening {
  /** The path and query of each request, in order. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
}

/** Answers the n-th request with the n-th step. `onHang` runs when a request is kept waiting. */
export async function startScript(steps: readonly Step[], onHang = (): void => undefined): Promise<ScriptedServer> {
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const step = steps[asked.length];
    asked.push(request.url ?? "");
    headers.push(request.headers);
    if (step === "hang") onHang();
    else take(step ?? { status: 418, body: "The script is over." }, response);
  });
  return { ...(await listen(server)), asked, headers };
}

function take(step: Exclude<Step, "hang">, response: ServerResponse): void {
  if (step === "close") response.destroy();
  else if (step === "tear") {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write('{"object":', () => response.destroy());
  } else {
    const { status = 200, headers = {}, body = "" } = step;
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  }
}

/** A thing made at this time. */
export const made = (time: number): Thing => {
  const text = String(time).padStart(4, "0");
  return { id: `t${text}`, made: text, kind: "big", is_new: null };
};

/** A page of things. */
export const pageOf = (times: readonly number[], next: string | null, limit = 100) => ({
  object: "list",
  data: times.map(made),
  pagination: { limit, count: times.length, has_more: next !== null, next_cursor: next },
});

export const errorOf = (code: string, status = 400, param?: string) => ({
  status,
  body: { object: "error", status, code, message: `It is ${code}.`, ...(param && { param }) },
});

export const expired = errorOf("invalid_cursor", 400, "cursor");
