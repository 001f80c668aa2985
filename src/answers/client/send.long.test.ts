// One request: retried, given up, aborted, and revalidated.
import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  errorOf,
  pageOf,
  type ScriptedServer,
  type Step,
  startScript,
  testClient,
  testEnvironment,
} from "../../../test/client/server.ts";
import { ApiError } from "./send.ts";
import type { ClientOptions } from "./types.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function setUp(steps: readonly Step[], options: ClientOptions = {}, onWait?: (wait: number) => Promise<void>) {
  const environment = testEnvironment(onWait);
  const server = await startScript(steps, environment.expire);
  servers.push(server);
  return { server, environment, client: testClient(server.origin, options, environment) };
}

const page = pageOf([1, 2], null);

const failureOf = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    },
  );

describe("a request", () => {
  const passing: readonly (readonly [string, Step])[] = [
    ["a connection that is closed", "close"],
    ["a torn body", "tear"],
    ["no answer in time", "hang"],
    ...[408, 425, 429, 500, 501, 502, 503, 504, 520, 599].map((status) => [String(status), { status }] as const),
    ["500 with an error of the API", errorOf("internal_error", 500)],
  ];

  it.each(passing)("is sent again after %s", async (_, step) => {
    const { client, server, environment } = await setUp([step, { body: page }]);
    expect(await client.things.get()).toEqual(page);
    expect(server.asked).toEqual(["/api/v1/things", "/api/v1/things"]);
    expect(environment.waits).toEqual([250]);
  });

  it.each([300, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 414, 422, 426, 431, 451])(
    "is not sent again after %i",
    async (status) => {
      const { client, server } = await setUp([{ status }, { body: page }]);
      const url = `${server.origin}/api/v1/things`;
      expect(await failureOf(client.things.get())).toMatchObject({ url, status, code: "http_error" });
      expect(server.asked).toHaveLength(1);
    },
  );

  it("fails at once if the host wants to know who reads, also when it learns how to ask", async () => {
    const { client, server } = await setUp([{ status: 401 }], { addresses: undefined });
    expect(await failureOf(client.things.get())).toMatchObject({ status: 401, code: "http_error" });
    expect(server.asked).toEqual(["/api/v1"]);
  });

  it("is not sent again after an answer that is not the operation's", async () => {
    for (const body of ["<html>", "null", "{}", '{"object":"list","data":7}']) {
      const { client, server } = await setUp([{ body }]);
      const error = await failureOf(client.things.get());
      expect([error.code, error.cause]).toEqual(["unexpected_answer", expect.any(Error)]);
      expect(server.asked).toHaveLength(1);
    }
  });

  it("waits for a random part of a time that doubles up to eight seconds, then fails as the last try did", async () => {
    const steps = Array.from({ length: 8 }, (_, index) => ({ status: 500 + index }));
    const { client, server, environment } = await setUp(steps, { retries: 7 });
    expect(await failureOf(client.notice())).toMatchObject({ status: 507 });
    expect(server.asked).toHaveLength(8);
    expect(environment.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it("is sent six times by default", async () => {
    for (const [options, tries] of [[{}, 6] as const, [{ retries: 0 }, 1] as const]) {
      const { environment, client, server } = await setUp([], options);
      await server.stop();
      expect(await failureOf(client.notice())).toMatchObject({ code: "network_error", cause: expect.any(TypeError) });
      expect(environment.waits).toHaveLength(tries - 1);
    }
  });

  it.each([
    ["2", 2_250],
    ["0", 250],
    ["60", 60_250],
    ["soon", 250],
    ["-5", 250],
    ["", 250],
  ])("waits for a Retry-After of %j and the random part", async (value, wait) => {
    const { client, environment } = await setUp([{ status: 503, headers: { "Retry-After": value } }, { body: page }]);
    await client.things.get();
    expect(environment.waits).toEqual([wait]);
  });

  it("waits until a date in Retry-After, or fails at once if that is too late", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-10-21T06:28:00Z"));
    onTestFinished(() => void vi.restoreAllMocks());
    const later = { status: 429, headers: { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" } };
    const soon = { status: 429, headers: { "Retry-After": "Wed, 21 Oct 2026 06:28:30 GMT" } };
    const patient = await setUp([soon, { body: page }]);
    await patient.client.things.get();
    expect(patient.environment.waits).toEqual([30_250]);
    const { client, server } = await setUp([later, { body: page }]);
    expect(await failureOf(client.things.get())).toMatchObject({ status: 429, retryAfter: 3_600_000 });
    expect(server.asked).toHaveLength(1);
  });

  it("may have no time limit", async () => {
    const never = () => new Promise<void>(() => undefined);
    const { client, environment } = await setUp([{ body: page }], { timeout: Number.POSITIVE_INFINITY }, never);
    await client.things.get();
    expect(environment.waits).toEqual([2 ** 31 - 1]);
  });

  it("has its parameters as they are, but for undefined ones and for characters that no value has", async () => {
    const { client, server } = await setUp([1, 2, 3].map(() => ({ body: page })));
    await client.things.get({ kind: "big", limit: 5, cursor: undefined });
    await client.things.get({ is_new: false, cursor: "aZ9._~-" });
    await client.things.get({ cursor: "a&b é" });
    const queries = ["kind=big&limit=5", "is_new=false&cursor=aZ9._~-", "cursor=a*b**"];
    expect(server.asked).toEqual(queries.map((query) => `/api/v1/things?${query}`));
  });

  it.each([
    ["", "/api/v1"],
    ["/", "/api/v1"],
    ["/api/v1", "/api/v1"],
    ["/api/v1/", "/api/v1"],
    ["/v3", "/v3"],
    ["/deep/er//", "/deep/er"],
  ])("goes to the API at an address that ends in %j", async (end, base) => {
    const { server, environment } = await setUp([1, 2].map(() => ({ body: { text: "" } })));
    await testClient(server.origin + end, {}, environment).notice();
    await testClient(new URL(server.origin + end), {}, environment).notice();
    expect(server.asked).toEqual([`${base}/notice`, `${base}/notice`]);
  });

  it("needs a valid address", () => {
    expect(() => testClient("http://:0", {}, testEnvironment())).toThrow(TypeError);
  });

  it.each([
    ["", "/api/v1"],
    ["/", "/api/v1"],
    ["/v3", "/v3"],
    ["//api.example.com", "//api.example.com/api/v1"],
    ["HTTPS://api.example.com", "HTTPS://api.example.com/api/v1"],
  ])("goes to the API at the address %j in a browser", async (url, root) => {
    const asked: unknown[] = [];
    const respond: typeof fetch = async (address) => {
      asked.push(address);
      return Response.json({ text: "" });
    };
    // Node has no address to which others are relative.
    vi.stubGlobal("Request", class {});
    onTestFinished(() => void vi.unstubAllGlobals());
    await testClient(url, { fetch: respond }, testEnvironment()).notice();
    expect(asked).toEqual([`${root}/notice`]);
  });
});

describe("an error", () => {
  it("is the API's error, with its code and parameter", async () => {
    const { client, server } = await setUp([errorOf("invalid_kind", 400, "kind")]);
    const error = await failureOf(client.things.get({ kind: "small" }));
    expect(error).toBeInstanceOf(Error);
    expect({ ...error }).toMatchObject({
      url: `${server.origin}/api/v1/things?kind=small`,
      status: 400,
      code: "invalid_kind",
      param: "kind",
    });
    expect(String(error)).toBe(`ApiError: It is invalid_kind. (${server.origin}/api/v1/things?kind=small)`);
  });

  it("says that the time was over", async () => {
    const { client, server } = await setUp(["hang"], { retries: 0 });
    expect(await failureOf(client.notice())).toMatchObject({
      code: "timeout",
      message: `No answer: timeout. (${server.origin}/api/v1/notice)`,
    });
  });
});

describe("a signal", () => {
  const reason = new Error("Enough.");

  it("that is aborted already sends nothing", async () => {
    const { client, server } = await setUp([]);
    const signal = AbortSignal.abort(reason);
    await expect(client.things.get({}, { signal })).rejects.toBe(reason);
    await expect(client.notice({ signal })).rejects.toBe(reason);
    await expect(client.things.items({}, { signal }).next()).rejects.toBe(reason);
    expect(server.asked).toEqual([]);
  });

  it("ends a try", async () => {
    const controller = new AbortController();
    const environment = testEnvironment();
    const server = await startScript(["hang"], () => controller.abort(reason));
    servers.push(server);
    const call = testClient(server.origin, {}, environment).notice({ signal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(environment.waits).toEqual([]);
  });

  it("ends a wait", async () => {
    const controller = new AbortController();
    const never = () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise<void>(() => undefined);
    };
    const { client, server } = await setUp([{ status: 503 }], {}, never);
    await expect(client.things.get({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  it("is left as it was", async () => {
    const { signal } = new AbortController();
    const { client } = await setUp(["close", { body: page }, { status: 404 }]);
    await client.things.get({}, { signal });
    await failureOf(client.things.get({}, { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

it("is revalidated by the cache of a browser, without a header that needs a preflight", async () => {
  const sent: unknown[] = [];
  const respond: typeof fetch = async (_, init) => {
    sent.push({ ...init, signal: undefined });
    return Response.json(page);
  };
  const client = testClient("http://localhost", { fetch: respond }, testEnvironment());
  await client.things.get();
  vi.stubGlobal("location", {});
  onTestFinished(() => void vi.unstubAllGlobals());
  await client.things.get();
  expect(sent).toEqual([{}, { cache: "no-cache" }]);
});

it("warns once of each address that is deprecated", async () => {
  const headers = {
    Deprecation: "@1796083200",
    Sunset: "Tue, 01 Jun 2027 00:00:00 GMT",
    Link: '</api/v1/openapi.json>; rel="service-desc", </docs/>; rel="deprecation"; type="text/html", </api/v2>; rel="successor-version"',
  };
  const { client, server } = await setUp([
    { headers, body: pageOf([0], null) },
    { headers, body: pageOf([1], null) },
    { headers: { Deprecation: "@1796083200" }, body: {} },
    { body: pageOf([1], null) },
  ]);
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  await client.things.get();
  await client.things.get({ limit: 1 });
  await client.notice();
  await client.shelves.get();
  expect(warn.mock.calls).toEqual([
    [
      `${server.origin}/api/v1/things is deprecated, and may be gone from ${headers.Sunset}.`,
      '</docs/>; rel="deprecation"',
      '</api/v2>; rel="successor-version"',
    ],
    [`${server.origin}/api/v1/notice is deprecated.`],
  ]);
});
