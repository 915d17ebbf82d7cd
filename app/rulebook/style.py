"""The look of a book in a browser and on paper. Colours are named once, for light and for dark."""

STYLE = """\
:root {
  --paper: #fbf9f4; --ink: #22262b; --soft: #5d6670; --line: #ddd6c8; --accent: #8a3b12; --card: #ffffff; --good: #2d6a3f; --bad: #a3261b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171a1e; --ink: #e4e1d9; --soft: #9aa3ad; --line: #363c44; --accent: #e8a06b; --card: #1f2329; --good: #7fc493; --bad: #f0897f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.06rem/1.55 Charter, "Bitstream Charter", "Source Serif 4", Georgia, "DejaVu Serif", serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }
nav { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-size: .86rem; line-height: 1.35; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav li { margin: .3rem 0; }
nav li.level3 { margin: .12rem 0 .12rem .9rem; }
nav li.level3 a { color: var(--soft); }
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); }
.nav-title { font-weight: 700; margin: 0 0 .8rem; }
@media (min-width: 72rem) {
  nav { position: fixed; inset: 0 auto 0 0; width: 15.5rem; padding: 2.2rem 1.2rem; overflow-y: auto; border-right: 1px solid var(--line); }
  main { margin-left: max(17.5rem, calc(50vw - 20rem)); }
}
@media (max-width: 71.99rem) {
  nav { max-width: 46rem; margin: 0 auto; padding: 1.2rem 1.5rem 0; }
  nav ol { columns: 2 14rem; }
}
h1, h2, h3, h4, h5 { line-height: 1.2; font-weight: 700; text-wrap: balance; break-after: avoid; }
h1 { font-size: 2.6rem; margin: 0 0 .6rem; letter-spacing: -.01em; }
h2 { font-size: 1.6rem; margin: 3rem 0 .9rem; padding-top: .9rem; border-top: 3px double var(--line); color: var(--accent); }
h3 { font-size: 1.22rem; margin: 2rem 0 .5rem; }
h4 { font-size: 1.02rem; margin: 1.6rem 0 .4rem; color: var(--soft); }
h5 { font-size: .95rem; margin: 1.2rem 0 .35rem; color: var(--soft); font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
p { margin: .55rem 0; }
p.lead { font-size: 1.2rem; line-height: 1.45; margin: 1.2rem 0; }
p.aside { color: var(--soft); font-style: italic; }
.facts { display: flex; flex-wrap: wrap; gap: .35rem 2rem; margin: 0 0 1.2rem; font-size: .95rem; }
.facts div { display: flex; gap: .5rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
ol, ul { margin: .4rem 0; padding-left: 1.5rem; }
li { margin: .25rem 0; }
li > ol, li > ul { margin: .15rem 0 .35rem; }
ol.steps > li::marker { color: var(--accent); font-weight: 700; }
ul.options { list-style: none; padding-left: 1.1rem; }
ul.options > li { position: relative; }
ul.options > li::before { content: "•"; color: var(--accent); position: absolute; left: -1rem; }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .15em; }
a:hover { color: var(--accent); }
a.term { font-style: italic; }
a.phase { font-weight: 600; }
sup.note { font: 600 .62em system-ui, "DejaVu Sans", sans-serif; line-height: 0; margin-left: .1em; }
sup.note a { color: var(--soft); text-decoration: none; padding: 0 .1em; }
sup.note.assumed a, sup.note.erratum a { color: var(--accent); }
.entries { margin: .4rem 0 1rem; padding: .2rem 0 .2rem .9rem; border-left: 3px solid var(--line); }
.entries dt { font-weight: 700; margin-top: .45rem; }
.entries .more { font-weight: 400; color: var(--soft); }
.entries dd { margin: 0 0 .3rem; }
.wide { overflow-x: auto; margin: .6rem 0 1.1rem; }
table { border-collapse: collapse; font-size: .93rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-style: italic; padding-bottom: .25rem; }
th, td { padding: .22rem .65rem; border-bottom: 1px solid var(--line); text-align: center; }
th[scope="row"] { text-align: left; font-weight: 600; }
thead th { border-bottom: 2px solid var(--soft); white-space: nowrap; }
thead th:first-child { text-align: left; font-weight: 400; color: var(--soft); }
tr { break-inside: avoid; }
.example {
  background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--good); border-radius: 4px;
  padding: .55rem .9rem; margin: .7rem 0; font-size: .95rem; break-inside: avoid;
}
.example h5 { margin: 0 0 .3rem; color: var(--ink); font-size: .97rem; }
.example p { margin: .2rem 0; }
.example .outcome { color: var(--good); font: 600 .82rem system-ui, "DejaVu Sans", sans-serif; }
.example.fails { border-left-color: var(--bad); }
.example.fails .outcome { color: var(--bad); }
:target { background: color-mix(in srgb, var(--accent) 14%, transparent); }
main:target { background: none; }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --card: #fff; --good: #000; --bad: #000; }
  body { font-size: 10pt; }
  nav { position: static; width: auto; border: 0; padding: 0 0 1rem; break-after: page; }
  main { max-width: none; margin: 0; padding: 0; }
  a { text-decoration: none; }
  h2 { break-before: auto; }
  @page { margin: 1.8cm; }
}
"""
