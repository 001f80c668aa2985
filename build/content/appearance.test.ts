import { describe, expect, it } from "vitest";
import { discovered, faultsOf, type Tree } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { compileContent } from "./content.ts";

const settingsOf = (tree: Tree) => {
  const [{ settings }, faults] = compileContent(discovered(tree), edgeNetwork);
  expect(faults).toEqual([]);
  return settings;
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0]);

describe("the accent", () => {
  it.each([
    ['"#0a5bc2"', { light: "#0a5bc2", dark: "#4a86d2" }],
    ['{light: "#0A5BC2", dark: "#7db8ff"}', { light: "#0A5BC2", dark: "#7db8ff" }],
  ])("is a colour, or one for each scheme: %s", (text, accent) => {
    expect(settingsOf({ "api.yaml": `accent: ${text}` }).accent).toEqual(accent);
  });

  it.each([
    [
      '"#ff9900"',
      'api.yaml:1:9 wrong-value accent must be a colour with a contrast of 4.5:1 on light pages, but is "#ff9900". Did you mean "#9c5d00"?',
    ],
    [
      '{light: "#0a5bc2", dark: "#0a5bc2"}',
      'api.yaml:1:34 wrong-value accent.dark must be a colour with a contrast of 4.5:1 on dark pages, but is "#0a5bc2". Did you mean "#4a86d2"?',
    ],
    [
      "#0a5bc2",
      'api.yaml:1:9 wrong-type accent must be a colour in quotes, such as "#0a5bc2", or one for each of light and dark, but is empty (null). In YAML, # starts a comment: put the colour in quotes.',
    ],
    ["blue", 'api.yaml:1:9 wrong-value accent must be a colour in quotes, such as "#0a5bc2", but is "blue".'],
  ])("is refused as %s", (text, report) => {
    expect(faultsOf({ "api.yaml": `accent: ${text}` })).toEqual([report]);
  });
});

describe("the logo", () => {
  it.each([
    ["logo.svg", `<?xml version="1.0"?>\n<!-- A mark -->\n${svg}`],
    ["logo.png", png],
  ] as const)("is %s", (file, image) => {
    const { logo } = settingsOf({ "api.yaml": `logo: ${file}`, [file]: image });
    expect(logo?.file).toBe(file);
    expect(Buffer.from(logo?.bytes ?? [])).toEqual(Buffer.from(image));
  });

  const unsafe =
    "api.yaml:1:7 wrong-value logo must name a plain SVG image, without scripts, animations and addresses of other files";

  it.each([
    ["logo.png", { "logo.png": svg }, 'api.yaml:1:7 wrong-value logo must name a PNG image, but is "logo.png".'],
    [
      "logo.png",
      {},
      "api.yaml:1:7 no-such-file There is no file logo.png in the content folder. Add it, or leave out logo.",
    ],
    [
      "logo.jpg",
      {},
      'api.yaml:1:7 wrong-value logo must be logo.svg or logo.png, but is "logo.jpg". Did you mean "logo.svg"?',
    ],
  ])("is refused as %s", (named, files, report) => {
    expect(faultsOf({ "api.yaml": `logo: ${named}`, ...files })).toEqual([report]);
  });

  it.each([
    "<p>",
    "",
    svg.slice(4),
    svg.replace("<path", "<script>alert(1)</script><path"),
    svg.replace("<path", "<x:script>alert(1)</x:script><path"),
    svg.replace("<path", '<path onclick="alert(1)"'),
    svg.replace("<path", '<image href="https://example.com/x.png"/><path'),
    svg.replace("<path", '<use href="https://example.com/x.svg#a"/><path'),
    svg.replace("<path", '<a href="java&#115;cript:alert(1)"><path'),
    svg.replace("<path", '<animate attributeName="href" to="java&#115;cript:alert(1)"/><path'),
    svg.replace("<path", "<style>path { fill: red }</style><path"),
    svg.replace("<path", "<style>&#64;import 'https://example.com/x.css';</style><path"),
    svg.replace("<path", '<path fill="u&#114;l(https://example.com/x.svg)"'),
    svg.replace("<path", '<path style="fill: u\\72l(https://example.com/x.svg)"'),
    `<!DOCTYPE svg [<!ENTITY a "<script/>">]>${svg}`,
    `<?xml version="1.0" encoding="iso-2022-jp"?>${svg}`,
    `<?xml-stylesheet type="text/xsl" href="#a"?>${svg}`,
  ])("is not %s", (image) => {
    expect(faultsOf({ "api.yaml": "logo: logo.svg", "logo.svg": image })).toEqual([`${unsafe}, but is "logo.svg".`]);
  });

  it("may have gradients and references within itself", () => {
    const own = svg.replace(
      "<path",
      '<defs><linearGradient id="b"><stop/></linearGradient></defs><use xlink:href="#c"/><path id="c"',
    );
    expect(settingsOf({ "api.yaml": "logo: logo.svg", "logo.svg": own }).logo?.file).toBe("logo.svg");
  });

  it("is named in api.yaml", () => {
    expect(faultsOf({ "api.yaml": "title: A", "logo.svg": svg })).toEqual([
      'logo.svg:1:1 unknown-file api.yaml does not name this logo. Add "logo: logo.svg" to api.yaml, or remove the file.',
    ]);
    expect(faultsOf({ "api.yaml": "logo: logo.png", "logo.svg": svg })).toEqual([
      'api.yaml:1:7 no-such-file There is no file logo.png in the content folder. Did you mean "logo.svg"?',
    ]);
  });
});
