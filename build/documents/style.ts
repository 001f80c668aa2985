// The stylesheet of the documents. Every page is readable without it.

import { generator } from "../generator.ts";
import { networkStyle } from "./network-style.ts";

const colours = `
:root {
  color-scheme: light dark;
  --text: #1a1d21;
  --quiet: #59636e;
  --ground: #fff;
  --surface: #f6f8fa;
  --line: #d9dee3;
  --accent: #0a5bc2;
  --tint: #eaf2fd;
  --good: #156f33;
  --warn: #8a5300;
  --bad: #b3261e;
  --key: #0b4f9e;
  --string: #136c3a;
  --number: #9a4408;
  --literal: #7d35a8;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}

@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ec;
    --quiet: #9aa4ae;
    --ground: #0f1216;
    --surface: #171b20;
    --line: #2b3138;
    --accent: #7db8ff;
    --tint: #14263b;
    --good: #5fcb7d;
    --warn: #e3b04b;
    --bad: #ff938a;
    --key: #8cc4ff;
    --string: #85d8a4;
    --number: #f2b27a;
    --literal: #d6abf7;
  }
}
`;

const text = `
*, ::before, ::after { box-sizing: border-box; }

html {
  scroll-padding-top: 24px;
  text-size-adjust: 100%;
  -webkit-text-size-adjust: 100%;
}

@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}

body {
  margin: 0;
  color: var(--text);
  background: var(--ground);
  font: 16px/1.6 var(--sans);
  overflow-wrap: break-word;
}

h1, h2, h3, h4 { margin: 0; line-height: 1.25; font-weight: 650; letter-spacing: -0.011em; text-wrap: balance; }
h1 { font-size: 2.074rem; letter-spacing: -0.02em; }
h2 { font-size: 1.44rem; }
h3 { font-size: 1.2rem; }
h4 { margin-top: 28px; font-size: 1rem; }
h2 a, h3 a, h4 a { color: inherit; text-decoration: none; }
:is(h2, h3, h4) a:hover::after { content: " #"; color: var(--quiet); font-weight: 400; }

p, ul, ol, dl, table, pre, form, details { margin: 12px 0 0; }
ul, ol { padding-inline-start: 20px; }
li + li { margin-top: 4px; }

a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

code, pre { font-family: var(--mono); font-size: 0.9em; }
:not(pre) > code {
  display: inline-block;
  max-width: 100%;
  padding: 0 5px;
  border-radius: 4px;
  background: var(--surface);
  box-shadow: inset 0 0 0 1px var(--line);
  line-height: 1.5;
  overflow-wrap: anywhere;
}
:is(p, li) > code { display: inline; white-space: nowrap; }
a > code:only-child { display: inline; padding: 0; background: none; box-shadow: none; text-decoration: inherit; }
a:has(> code:only-child) { text-underline-offset: 0.32em; }

pre {
  max-width: 100%;
  overflow-x: auto;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  font-size: 0.84rem;
  line-height: 1.6;
  tab-size: 2;
}
pre code { font-size: inherit; }
pre a { text-decoration-style: dotted; }
.copy { user-select: all; }
.k { color: var(--key); }
.s { color: var(--string); }
.n { color: var(--number); }
.l { color: var(--literal); }
.c { color: var(--quiet); font-style: italic; }

.lead { max-width: 60ch; font-size: 1.125rem; color: var(--quiet); }
.tag, .type { color: var(--quiet); font-size: 0.875rem; }
.get, .ok, .bad { font: 600 0.75rem/1 var(--mono); letter-spacing: 0.02em; color: var(--good); }
.bad { color: var(--bad); }
.caption { margin-bottom: 8px; color: var(--quiet); font-size: 0.875rem; font-weight: 600; }
.sample > .caption:first-child { margin-top: 4px; }
.caption + pre { margin-top: 0; }
`;

const layout = `
.skip { position: absolute; left: -999px; }
.skip:focus { left: 16px; top: 16px; z-index: 2; padding: 8px 16px; background: var(--ground); }

.side { display: none; }
.folded { margin: 0; padding: 12px 20px; border-bottom: 1px solid var(--line); background: var(--surface); }
.folded summary { font-weight: 600; cursor: pointer; }
.folded nav { padding: 4px 0 12px; columns: 2 140px; }
.folded nav > * { break-inside: avoid; }

.brand { margin: 0; font-weight: 650; line-height: 1.35; }
.brand a { color: inherit; text-decoration: none; }
.list-title { margin: 24px 0 6px; color: var(--quiet); font-size: 0.8125rem; font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li + li { margin: 0; }
nav li a { display: block; padding: 4px 8px; margin: 0 -8px; border-radius: 6px; color: var(--text); font-size: 0.9375rem; text-decoration: none; }
nav li a:hover { background: var(--tint); }
nav .get { display: inline-block; width: 30px; font-size: 0.6875rem; }

@media (max-width: 719px) {
  pre { padding: 12px; font-size: 0.8rem; }
}

main { padding: 0 20px 64px; }
section { padding: 36px 0; border-top: 1px solid var(--line); }
.intro { border-top: 0; }
.group { margin-top: 0; padding: 56px 0 20px; border-top: 1px solid var(--line); font-size: 1.728rem; }
.group + section { border-top: 0; padding-top: 4px; }
.sample { margin-top: 28px; }

@media (min-width: 720px) {
  body { display: grid; grid-template-columns: 232px minmax(0, 1fr); }
  .folded { display: none; }
  .side {
    display: block;
    position: sticky;
    top: 0;
    height: 100vh;
    overflow-y: auto;
    padding: 32px 24px;
    border-inline-end: 1px solid var(--line);
    background: var(--surface);
  }
  .side { scroll-target-group: auto; }
  nav a:target-current { background: var(--tint); color: var(--accent); font-weight: 600; }
  main { padding: 0 40px 96px; }
  .text, .sample { max-width: 44rem; }
}

@media (min-width: 1100px) {
  body { grid-template-columns: 256px minmax(0, 1fr); }
  main { padding-inline: 56px; max-width: 86rem; }
  section { display: grid; grid-template-columns: minmax(0, 42rem) minmax(0, 32rem); gap: 56px; padding: 48px 0; }
  .sample { position: sticky; top: 24px; align-self: start; margin: 0; }
  .wide { grid-column: 1 / -1; margin-top: -32px; }
}
`;

const parts = `
.facts { display: grid; gap: 8px 24px; grid-template-columns: max-content minmax(0, 1fr); margin-top: 24px; }
.facts > div { display: contents; }
dt { font-weight: 400; }
dd { margin: 0; }
.facts dt { color: var(--quiet); }

.endpoints { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; }
.endpoints li { margin: 0; padding: 10px 14px; }
.endpoints li + li { border-top: 1px solid var(--line); }
.endpoints a { font: 0.875rem/1.6 var(--mono); text-decoration: none; }
.endpoints a:hover { text-decoration: underline; }
.endpoints .get { margin-inline-end: 6px; }
.endpoints p { margin: 0; color: var(--quiet); font-size: 0.875rem; }

.endpoint { display: flex; gap: 12px; align-items: center; padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.endpoint code { padding: 0; background: none; box-shadow: none; overflow-wrap: anywhere; }

.fields > div { padding: 14px 0; border-top: 1px solid var(--line); }
.fields > div:last-child { border-bottom: 1px solid var(--line); }
.fields > div:target { background: linear-gradient(var(--tint), var(--tint)); box-shadow: -10px 0 var(--tint), 10px 0 var(--tint); }
.fields dt a { color: inherit; text-decoration: none; }
.fields dt code { font-weight: 600; }
.fields dt .type { margin-inline-start: 6px; }
.fields dd { margin-top: 4px; }
.fields .form { color: var(--quiet); font-size: 0.9375rem; }
.fields .form code { color: var(--text); }

.values { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; padding: 0; list-style: none; }
.values li { margin: 0; }
.values a { display: inline-block; padding: 1px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: var(--text); font-size: 0.9375rem; line-height: 1.6; text-decoration: none; }
.values a:hover { border-color: var(--accent); color: var(--accent); }
.values code { padding: 0; background: none; box-shadow: none; }
.values bdi { color: var(--quiet); }
details summary { cursor: pointer; color: var(--accent); }
details details, dd details { margin-top: 8px; }

.errors { padding: 0; list-style: none; }
.errors li + li { margin-top: 8px; }
.errors span { display: block; color: var(--quiet); }

table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 10px 16px 10px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
th:last-child, td:last-child { padding-inline-end: 0; }
thead th { color: var(--quiet); font-size: 0.875rem; font-weight: 600; }
tr:target { background: var(--tint); }

th code { white-space: nowrap; }

@media (max-width: 899px) {
  th code { white-space: normal; }
  .stack, .stack tbody, .stack tr, .stack th, .stack td { display: block; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack tr { padding: 12px 0; border-bottom: 1px solid var(--line); }
  .stack th, .stack td { padding: 2px 0; border: 0; }
  .stack td { position: relative; padding-inline-start: 7.5rem; }
  .stack td::before { content: attr(data-label); position: absolute; inset-inline-start: 0; color: var(--quiet); }
}

.tabs { display: flex; flex-wrap: wrap; gap: 4px; }
.tabs input { position: absolute; opacity: 0; pointer-events: none; }
.tabs label { padding: 4px 10px; border-radius: 6px; color: var(--quiet); font-size: 0.875rem; font-weight: 600; cursor: pointer; }
.tabs label:hover { color: var(--text); }
.tabs input:checked + label { background: var(--tint); color: var(--accent); }
.tabs input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }
.tabs pre { display: none; width: 100%; margin-top: 4px; }
.tabs input:nth-of-type(1):checked ~ pre:nth-of-type(1),
.tabs input:nth-of-type(2):checked ~ pre:nth-of-type(2),
.tabs input:nth-of-type(3):checked ~ pre:nth-of-type(3),
.tabs input:nth-of-type(4):checked ~ pre:nth-of-type(4) { display: block; }

.walk { margin-top: 0; padding: 0; list-style: none; counter-reset: step; }
.walk li + li { margin-top: 20px; }
.walk .request { margin: 0 0 8px; font: 0.84rem/1.6 var(--mono); overflow-wrap: anywhere; }
.walk pre { margin-top: 0; }

form { display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: end; padding: 14px; border: 1px solid var(--line); border-radius: 8px; }
form label { display: grid; gap: 4px; font: 0.875rem/1.4 var(--mono); color: var(--quiet); max-width: 100%; }
input[type="number"], input:not([type]), select, button, .button {
  min-height: 38px;
  padding: 6px 12px;
  border: 1px solid var(--quiet);
  border-radius: 8px;
  background: var(--ground);
  color: var(--text);
  font: 0.9375rem/1.5 var(--sans);
}
input[type="number"] { width: 6rem; }
select { max-width: 100%; }
button, .button { display: inline-block; border-color: var(--accent); background: var(--accent); color: var(--ground); font-weight: 600; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.1); }
`;

const paper = `
@media print {
  :root { color-scheme: light; }
  body { display: block; font-size: 10.5pt; }
  .side, .folded, .skip, form, .button, .tabs input, .tabs label { display: none; }
  main { max-width: none; padding: 0; }
  section { display: block; padding: 16pt 0; }
  .sample { position: static; margin-top: 12pt; }
  .tabs pre:first-of-type { display: block; }
  .tabs pre:not(:first-of-type) { display: none; }
  pre { white-space: pre-wrap; }
  pre, tr, .fields > div { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
}
`;

export const style = `/* ${generator} */\n${colours}${text}${layout}${parts}${networkStyle}${paper}`;
