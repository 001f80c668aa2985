import { expect, it } from "vitest";
import { harmIn } from "./svg.ts";

const svg = (inner: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"${attributes}>${inner}</svg>`;

it.each([
  svg("<path d='M0 0'/><title>On script = one</title>"),
  svg('<style>path { fill: red }</style><a href="https://example.com/on=1"><text>x</text></a>'),
  `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg("")}`,
  svg('<image href="data:image/png;base64,AAAA"/><desc>a &#38; b &lt;script&gt;</desc>'),
  svg("<animate attributeName='x' onion='1'/>").replace("onion", "orion"),
  svg("<desc>&#0; &#x110000;</desc>"),
])("accepts the SVG %#", (text) => expect(harmIn(text)).toBeUndefined());

it.each([
  [svg("<script>alert(1)</script>"), "has the element script, which may run something"],
  [svg("<SCRIPT\n>alert(1)</SCRIPT>"), "has the element SCRIPT, which may run something"],
  [svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'), "has the element x:script, which may run something"],
  [svg("<foreignObject><p/></foreignObject>"), "has the element foreignObject, which may run something"],
  [svg("", ' onload="alert(1)"'), "has the attribute onload, which runs a script"],
  [svg('<rect/onclick="alert(1)"/>'), "has the attribute onclick, which runs a script"],
  [svg('<rect id="a"onclick ="alert(1)"/>'), "has the attribute onclick, which runs a script"],
  [svg('<a href="javascript:alert(1)"/>'), "has an address that may run something"],
  [svg('<a href="java&#115;cript:alert(1)"/>'), "has an address that may run something"],
  [svg('<a href="java&#x0A;script:alert(1)"/>'), "has an address that may run something"],
  [svg('<a href="&#x6a&#x61;vascript:alert(1)"/>'), "has an address that may run something"],
  [svg('<use href="data:image/svg+xml;base64,AAAA#x"/>'), "has an address that may run something"],
  [svg('<animate attributeName="href" to="javascript:alert(1)"/>'), "has an address that may run something"],
  [`<!DOCTYPE svg [<!ENTITY x "<script/>">]>${svg("&x;")}`, "has definitions, which may hide what it runs"],
  [svg('<é:script xmlns:é="http://www.w3.org/2000/svg"/>'), "has the element é:script, which may run something"],
  [svg("<scr\x1b(Bipt/>"), "has control characters, which may hide what it runs"],
  [svg("<a>\0</a>"), "has control characters, which may hide what it runs"],
  [`<?xml version="1.0" encoding="utf-16le"?>${svg("")}`, "says that its encoding is utf-16le, and must be UTF-8"],
  [
    `<!DOCTYPE svg SYSTEM "a>b" [<!ATTLIST svg onload CDATA "x">]>${svg("")}`,
    "has definitions, which may hide what it runs",
  ],
  [svg('<a href="java&Tab;script:alert(1)"/>'), "refers to an entity, which may hide what it runs"],
  [`<?xml-stylesheet href="a.xsl"?>${svg("")}`, "has a stylesheet that may run something"],
])("refuses the SVG %#", (text, harm) => expect(harmIn(text)).toBe(harm));
