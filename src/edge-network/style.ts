// The rules of the network page. The stylesheet that all pages share has the colours and the header.

export const style = `:where(.network td[class]) { --tone: var(--quiet); color: var(--tone); font-weight: 500; }
.network td[class]::before { content: ""; display: inline-block; width: 0.7em; height: 0.7em; margin-inline-end: 0.5em; background: var(--tone); print-color-adjust: exact; -webkit-print-color-adjust: exact; forced-color-adjust: none; }
.network main { overflow-wrap: anywhere; }
.network .about { color: var(--quiet); font-size: 0.875rem; font-weight: 400; }

:where(.banner, .disc, .arc, .mark, .map text) { --tone: var(--quiet); }
.banner ul, .components, .key { padding: 0; list-style: none; }
:is(.banner, .components, .key) li { margin: 0; }

.banner { padding: 1.5rem; border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent); border-radius: 0.75rem; background: color-mix(in srgb, var(--tone) 7%, transparent); }
.banner h1 { font-size: 1.728rem; }
.banner h1 .state { font-weight: inherit; }
.banner p { margin-top: 0.5rem; }
.banner ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin-top: 0.75rem; }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1px; margin-top: 1.25rem; overflow: hidden; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--line); }
.figures > div { padding: 1rem 1.25rem; background: var(--ground); }
.figures dt { color: var(--quiet); font-size: 0.875rem; }
.figures dd { font-size: 1.44rem; font-weight: 600; line-height: 1.3; letter-spacing: -0.011em; font-variant-numeric: tabular-nums; }

.components { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0 2rem; }
.components li { display: flex; gap: 1rem; justify-content: space-between; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.components .state { flex: none; max-width: 60%; font-size: 0.9375rem; }
:is(summary, .banner li) > .state { display: inline; }
:is(summary, .banner li) > .state::before { margin-inline-end: 0.5em; }

.map { position: relative; margin: 1rem 0 0; }
.map svg { display: block; width: 100%; height: auto; overflow: visible; }
.land { fill: color-mix(in srgb, var(--quiet) 20%, var(--ground)); }
.map .narrow { display: none; }
.disc { fill: color-mix(in srgb, var(--tone) 22%, var(--ground)); stroke: var(--tone); stroke-width: 1.5; }
.arc { stroke: var(--tone); stroke-width: 3; }
.mark { fill: var(--tone); }
.map text { fill: var(--text); font: 600 10px/1 var(--sans); text-anchor: middle; dominant-baseline: central; paint-order: stroke; stroke: color-mix(in srgb, var(--tone) 22%, var(--ground)); stroke-width: 3; stroke-linejoin: round; }
.map .narrow text { font-size: 23px; stroke-width: 7; }
.map :is(text, .mark, .pointer, .home) { pointer-events: none; }
.pointer { stroke: var(--text); stroke-width: 1; vector-effect: non-scaling-stroke; }
.home { stroke: var(--text); stroke-width: 4; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.map a:hover .disc { fill: color-mix(in srgb, var(--tone) 45%, var(--ground)); }
.map svg a:focus-visible { outline: none; }
.map a:focus-visible .disc { stroke: var(--accent); stroke-width: 4; }
.map figcaption { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin-top: 0.75rem; color: var(--quiet); font-size: 0.875rem; }
.map figcaption p { margin: 0; }
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; }

@media screen and (width < 45em) {
  .figures { grid-template-columns: repeat(2, 1fr); }
  .map .wide { display: none; }
  .map .narrow { display: inline; }
  .disc { stroke-width: 4; }
  .arc { stroke-width: 8; }
  .map a:focus-visible .disc { stroke-width: 9; }
}

.zone .row { display: grid; grid-template-columns: 24% 15% 28% 16% 17%; align-items: baseline; padding: 0.5rem 0; border-radius: 0.375rem; background: var(--surface); font-size: 0.9375rem; font-weight: 600; }
.zone .row:not(:has(:nth-child(4))) { grid-template-columns: 24% 15% 61%; }
.row > :first-child { padding-inline-start: 0.75rem; }
.row > :last-child { padding-inline-end: 0.75rem; }
.zone .row > :nth-child(n + 4) { text-align: end; }
.row h3 { font-size: 1rem; }
.row .state { font-weight: 600; }
.network table { table-layout: fixed; margin-top: 0; font-variant-numeric: tabular-nums; }
.network th, .network td { padding: 0.5rem 1rem 0.5rem 0; }
.network :is(th, td):first-child { padding-inline-start: 0.75rem; }
.network :is(th, td):last-child { padding-inline-end: 0.75rem; }
.network tbody th { font-weight: 500; }
.network tbody th > a:only-child { font: 0.875rem/1 var(--mono); }
.network td > code, .network th > code { padding: 0; background: none; color: var(--quiet); font: 0.8125rem/1 var(--mono); }
.regions :is(th, td):nth-child(1) { width: 24%; }
.regions :is(th, td):nth-child(2) { width: 15%; }
.regions :is(th, td):nth-child(3) { width: 20%; }
.regions :is(th, td):nth-child(4) { width: 24%; padding-inline-end: 0; }
.regions :is(th, td):nth-child(n + 4), .nodes :is(th, td):nth-child(4) { text-align: end; }
.changed :is(th, td):nth-child(4) { width: 35%; }
.zone summary.row { color: inherit; }
.page .zone { padding-top: 0.5rem; }
summary.row h3::before { content: "▸ "; color: var(--quiet); }
[open] > summary.row h3::before { content: "▾ "; }
.zone details { margin: 0; }

@media screen {
  .regions thead th { position: relative; padding-block: 0; border: 0; }
  .regions thead span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}

@media screen and (width < 45em) {
  .banner { padding: 1.25rem; }
  .banner h1 { font-size: 1.44rem; }
  .network thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .network table, .network tbody { display: block; }
  .network tr { display: grid; grid-template-columns: minmax(25%, 5fr) minmax(20%, 4fr) minmax(6.4rem, auto); gap: 2px 0.75rem; padding: 0.5rem 0.75rem; }
  .zone .row { display: flex; flex-wrap: wrap; gap: 2px 0.75rem; padding: 0.5rem 0.75rem; }
  .zone .row > :nth-child(n) { padding: 0; }
  .zone .row::after { content: ""; order: 1; flex-basis: 100%; height: 0; margin-top: -2px; }
  .row h3 { flex: 1 1 auto; }
  .zone .row > span:not(.state) { order: 2; }
  .row > :nth-child(2) { flex: 1; }
  .row > :nth-child(5) { min-width: 6.4rem; }
  .network tr > :nth-child(n + 4) { justify-self: end; }
  .components li { padding: 0.25rem 0; }
  .map svg { width: calc(100% + 2 * var(--gutter)); margin-inline: calc(-1 * var(--gutter)); }
  .network tr { border-bottom: 1px solid var(--line); }
  .network tr > :nth-child(n):nth-child(n) { width: auto; padding: 0; border: 0; }
  .network td, .zone .row span:not(.state) { font-size: 0.875rem; }
  .regions td:nth-child(4):has(.about) { grid-row: 3; grid-column: 1 / -1; justify-self: start; }
  .regions td:nth-child(5) { grid-column: 3; }
  .network td:nth-child(3) { grid-row: 1; grid-column: 3; justify-self: end; }
  .network tr > th { grid-column: 1 / span 2; }
  .network .nodes td:nth-child(4) { grid-column: 3; }
  .network .changed tr { grid-template-columns: auto 1fr; }
  .network .changed td:nth-child(3) { grid-row: 2; grid-column: 2; justify-self: start; }
  .network .changed td:nth-child(4) { grid-row: 3; grid-column: 1 / -1; justify-self: start; }
}

@media screen and (width < 15em) {
  .network tr, .network tr > :nth-child(n) { display: block; }
}

@media print {
  .network details::details-content { content-visibility: visible; height: auto; }
  .network summary { list-style: none; }
  .banner, .figures > div, .components li { break-inside: avoid; }
}
`;
