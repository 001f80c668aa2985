import { expect, it } from "vitest";
import { pictures } from "../../../test/content/pictures.ts";
import { factsOf } from "./measure.ts";

it.each([
  ["a.png", pictures.png, "image/png"],
  ["a.JPG", pictures.jpeg, "image/jpeg"],
  ["a.webp", pictures.webp, "image/webp"],
  ["a.avif", pictures.avif, "image/avif"],
  ["a.gif", pictures.gif, "image/gif"],
  ["a.svg", pictures.svg, "image/svg+xml"],
  ["b.svg", pictures.viewBox, "image/svg+xml"],
])("measures %s", (file, bytes, type) => {
  expect(factsOf(file, 1_000, bytes)).toEqual({ content_type: type, bytes: 1_000, width: 3, height: 2 });
});

it.each([
  'viewBox="0 0 3 2"',
  'viewBox="0,0,3,2"',
  'viewBox="0, 0, 3,2"',
  'viewBox="0\t0\n3 \t2"',
  'viewBox="  0 0 3 2 "',
  'viewBox="-.5 +1 +3 2.0"',
  "viewBox = '0 0 3 2'",
  'width="  3px " height="\n2"',
  'width="+3" height="2"',
  'width="3" viewBox="0,0,6,4"',
  'width="100%" viewBox="0 0 3 2"',
  'width="3PX" height="2."',
  'width="30e-1" height="2E0px"',
  'viewBox="0 0 .3e+1 2e0"',
])("reads the size of an SVG with %j", (attributes) => {
  const svg = Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${attributes}><g/></svg>`);
  expect(factsOf("a.svg", 9, svg)).toMatchObject({ width: 3, height: 2 });
});

it.each([
  ["1in", 96],
  ["2.54cm", 96],
  ["25.4mm", 96],
  ["101.6Q", 96],
  ["72pt", 96],
  ["6pc", 96],
  ["6em", 96],
  ["12ex", 96],
])("reads the width %s of an SVG as %i pixels", (length, width) => {
  expect(factsOf("a.svg", 9, Buffer.from(`<svg width="${length}" height="1"/>`))).toMatchObject({ width });
});

it("finds the root element of an SVG behind a long preamble", () => {
  const svg = `<!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(200)}]>\n<!-- <svg width="9" height="9"/> -->\n<svg width=".9em" height="2">`;
  expect(factsOf("a.svg", 9, Buffer.from(svg))).toMatchObject({ width: 14, height: 2 });
});

it("gives a photo that its EXIF data turn the width and the height that a person sees", () => {
  const facts = { content_type: "image/jpeg", bytes: 957, width: 2, height: 3 };
  expect(factsOf("a.jpeg", 957, pictures.turned)).toEqual(facts);
});

it("knows the media type of other files", () => {
  expect(factsOf("a.pdf", 5, new Uint8Array())).toEqual({ content_type: "application/pdf", bytes: 5 });
  expect(factsOf("a.xyzzy", 5, new Uint8Array())).toEqual({ content_type: "application/octet-stream", bytes: 5 });
});

it.each([
  ["a.png", pictures.jpeg, "is image/jpeg by its content, but image/png by its name"],
  ["a.png", Buffer.from("text"), "is damaged: it has no size as image/png"],
  ["a.png", Uint8Array.from(pictures.png).slice(0, 20), "is damaged: it has no size as image/png"],
  ["a.jpg", Uint8Array.from(pictures.jpeg).slice(0, 100), "is damaged: it has no size as image/jpeg"],
  ["a.svg", Buffer.from("text"), "is damaged: it has no size as image/svg+xml"],
  ["a.svg", pictures.png, "is image/png by its content, but image/svg+xml by its name"],
  ["a.svg", Buffer.from("<svg/>"), "has no size"],
  ["a.svg", Buffer.from('<svg width="100%" height="100%"></svg>'), "has no size"],
  ["a.svg", Buffer.from('<svg width="3rem" height="2"/>'), "has no size"],
  ["a.gif", new Uint8Array(), "is empty"],
  ["b.svg", Buffer.from('<svg width="1e400" height="2"/>'), "has no size"],
])("refuses %s in case %#", (file, bytes, problem) => {
  expect(factsOf(file, bytes.length, bytes)).toBe(problem);
});
