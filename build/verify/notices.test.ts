import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { ofDeprecated, writeDeprecated } from "../../test/check/deprecated.ts";
import { type Mistake, remembering, serveWith } from "../../test/check/published.ts";
import { type Preview, startPreview } from "../cli/preview/preview.ts";
import { readBuild } from "./build.ts";
import { verify } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-notices-"));
const [content, dist] = [path.join(folder, "content"), path.join(folder, "dist")];
let preview: Preview;

beforeAll(async () => {
  writeDeprecated(content);
  await buildForTest(content, dist, [], ofDeprecated);
  preview = await startPreview(dist, 0);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

/** The mistake changes the headers of the answers of a path. */
const headersAt =
  (at: string, change: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): Mistake =>
  ({ path: asked }, answer) =>
    asked === at && answer.status === 200 ? { ...answer, headers: change(answer.headers) } : answer;

it.each<[string, Mistake, ...RegExp[]]>([
  ["nothing in the preview", (_, answer) => answer],
  [
    "that the header is missing",
    headersAt("/api/v1/spots", ({ deprecation: _, ...others }) => others),
    /The header Deprecation is missing/,
  ],
  [
    "another sunset",
    headersAt("/api/v1/spots", (headers) => ({ ...headers, sunset: "Tue, 08 Jun 2027 00:00:00 GMT" })),
    /Sunset is Tue, 08 Jun 2027 00:00:00 GMT, not Tue, 01 Jun 2027 00:00:00 GMT/,
  ],
  [
    "a link that does not name the notice",
    headersAt("/api/v1/spots", (headers) => ({ ...headers, link: '</api/v1/docs/>; rel="service-doc"' })),
    /Link is .*, not .*rel="deprecation"/,
  ],
  [
    "another day of a deprecation",
    headersAt("/api/v1/health", (headers) => ({ ...headers, deprecation: "@0" })),
    /Deprecation is @0, not @1767225600/,
  ],
  [
    "a notice of what stays",
    headersAt("/api/v1/places/a", (headers) => ({ ...headers, sunset: "Tue, 01 Jun 2027 00:00:00 GMT" })),
    /There is a header Sunset, although the build has no notice/,
  ],
])("finds %s", async (_, mistake, ...expected) => {
  const server = await serveWith(remembering(preview.origin), mistake);
  onTestFinished(() => server.stop());
  const { findings } = await verify(new URL(server.origin), readBuild(dist));
  expect(findings.map(({ message }) => message)).toEqual(expected.map((each) => expect.stringMatching(each)));
});
