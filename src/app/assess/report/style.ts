/** The stylesheet of the report: light, dark and print, from 360 pixels up. */

export type Palette = Readonly<Record<keyof typeof light, string>>

/** `…-ink` is the text colour on `…-tint`; names without a suffix fill bars. */
export const light = {
  ink: '#14213d',
  soft: '#51607a',
  line: '#d9dfe9',
  paper: '#fbfcfe',
  card: '#ffffff',
  accent: '#0b5cad',
  'accent-tint': '#eaf2fb',
  go: '#2b8a63',
  'go-ink': '#0e5c3c',
  'go-tint': '#e7f4ee',
  degraded: '#c17a10',
  'degraded-ink': '#7a4600',
  'degraded-tint': '#fdf2de',
  nogo: '#b3261e',
  'nogo-ink': '#8f1d17',
  'nogo-tint': '#fbe9e7',
} as const

export const dark: Palette = {
  ink: '#e8edf6',
  soft: '#a3b0c6',
  line: '#33405c',
  paper: '#0f1626',
  card: '#162036',
  accent: '#7db8ff',
  'accent-tint': '#1a2c4b',
  go: '#3fae7d',
  'go-ink': '#8be3bb',
  'go-tint': '#16332d',
  degraded: '#dd9f3c',
  'degraded-ink': '#f5cb80',
  'degraded-tint': '#372d1c',
  nogo: '#ee6a5f',
  'nogo-ink': '#ffb4ac',
  'nogo-tint': '#422326',
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

const base = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
.page{max-width:66rem;margin:0 auto;padding:2.5rem 1.5rem 3rem}
h1{font-size:2.1rem;line-height:1.2;letter-spacing:-.02em;margin:.5rem 0 1.25rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.3rem;line-height:1.3;letter-spacing:-.01em;margin:0 0 .6rem}
h3{font-size:.95rem;margin:0}
p{margin:0 0 .75rem}
section{margin-top:3rem}
bdi{overflow-wrap:anywhere}
code{font:.86em/1.5 ui-monospace,'SF Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.soft{color:var(--soft);font-weight:400}
.note{color:var(--soft);font-size:.92rem;max-width:54rem}
.lead{font-size:1.12rem;max-width:50rem}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:650}
.logo{flex:none}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem 1.5rem;margin:0 0 1.25rem}
.facts dt{color:var(--soft);font-size:.85rem}
.facts dd{margin:0;overflow-wrap:anywhere}
.notice{margin:0;padding:.8rem 1rem;background:var(--accent-tint);border-left:4px solid var(--accent);border-radius:0 8px 8px 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.15rem}
.cards{display:grid;gap:.8rem;margin:0}
.three{grid-template-columns:repeat(3,1fr)}
.measures{margin:.8rem 0 0;padding-block:.3rem}
.measures div{display:grid;grid-template-columns:14rem 10rem 1fr;gap:0 1.5rem;align-items:baseline;padding:.6rem 0;border-bottom:1px solid var(--line)}
.measures div:last-child{border-bottom:0}
.measures dt{font-weight:650}
.measures dd{margin:0}
.figure{font-size:2.3rem;line-height:1.2;font-weight:650;letter-spacing:-.02em;margin:.25rem 0 .1rem;font-variant-numeric:tabular-nums}
.measures .figure{font-size:1.3rem}
.measures .words{font-size:1rem;letter-spacing:0;color:var(--soft)}
.unit{font-size:1rem;font-weight:400;letter-spacing:0;color:var(--soft)}
.share{border-top-width:4px}
.share p:last-child{margin:0}
.go-edge{border-top-color:var(--go)}.degraded-edge{border-top-color:var(--degraded)}.nogo-edge{border-top-color:var(--nogo)}
.verdict{display:inline-block;padding:.05em .5em;border:1px solid;border-radius:6px;font-size:.85rem;font-weight:650;line-height:1.5;white-space:nowrap}
.go-mark,.low-mark{color:var(--go-ink);background:var(--go-tint)}
.degraded-mark,.moderate-mark,.high-mark{color:var(--degraded-ink);background:var(--degraded-tint)}
.nogo-mark,.critical-mark{color:var(--nogo-ink);background:var(--nogo-tint)}
.tag{font-size:.8rem;white-space:nowrap}
`

const charts = `
.bar{display:flex;gap:1px;height:.6rem;border-radius:3px;overflow:hidden;background:var(--line)}
.bar i{min-width:2px;flex:0 0 0}
.bar .plain{flex:0 0 auto;background:var(--accent)}
.wide-bar{margin:.8rem 0}.wide-bar .bar{height:.9rem}
i.go{background:var(--go)}i.degraded{background:var(--degraded)}i.nogo{background:var(--nogo)}
.uncertainty{display:grid;grid-template-columns:minmax(11rem,1fr) 3fr;gap:1rem 2rem;align-items:center}
.uncertainty p:last-child{margin:0}
figure{margin:0}
.scale{margin:.25rem .5rem .6rem}
.plot{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.1rem 1.6rem .6rem;margin:0 0 1rem}
.months{padding-left:4.6rem}
.months .key{margin-left:-3.4rem}
.curve{padding:1.1rem 2rem .8rem 3.6rem}
.curve .key{margin-left:-2.4rem}
.interval{stroke:var(--accent);stroke-width:1.5;fill:none}
.observed{fill:var(--accent);background:var(--accent)}
i.observed{border-radius:50%}
.swatch.diagonal{width:1.4em;height:0;border-top:1px dashed var(--soft);border-radius:0;vertical-align:middle}
svg{display:block;overflow:visible}
svg text{font-size:11px;fill:var(--ink);font-variant-numeric:tabular-nums}
svg text.quiet{fill:var(--soft)}svg text.strong{font-weight:650}
svg text.on-bar{font-size:10px;paint-order:stroke;stroke:var(--card);stroke-width:3px}
svg .go-ink{fill:var(--go-ink)}svg .degraded-ink{fill:var(--degraded-ink)}svg .nogo-ink{fill:var(--nogo-ink)}
.go-tint{fill:var(--go-tint)}.degraded-tint{fill:var(--degraded-tint)}.nogo-tint{fill:var(--nogo-tint)}
rect.go{fill:var(--go)}rect.degraded{fill:var(--degraded)}rect.nogo{fill:var(--nogo)}
rect.score{fill:var(--accent)}
.band{fill:var(--line);stroke:var(--card);stroke-width:2}
.band.low{fill:var(--go)}.band.moderate,.band.high{fill:var(--degraded)}.band.critical{fill:var(--nogo)}
.marker{fill:var(--ink)}
.axis{stroke:var(--soft)}.grid{stroke:var(--line)}
.edge{stroke:var(--soft);stroke-dasharray:3 3}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:0 0 .8rem;padding:0;font-size:.88rem}
.swatch{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
`

const tables = `
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:left;color:var(--soft);font-size:.88rem;padding-bottom:.4rem}
th,td{text-align:left;vertical-align:top;padding:.42rem .6rem;border-bottom:1px solid var(--line)}
th{font-weight:600}
thead th{font-size:.82rem;color:var(--soft);border-bottom:1px solid var(--soft);vertical-align:bottom}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tfoot th,tfoot td{border-bottom:0;border-top:1px solid var(--soft);font-weight:650}
.scroll{overflow-x:auto}
.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:4px}
.breakdown th:first-child{width:42%;padding-left:0}
.named{display:grid;grid-template-columns:7.8rem minmax(3rem,1fr);gap:1rem;align-items:center}
.breakdown td .soft{display:inline-block;min-width:3.9rem}
.matrix td{border:1px solid var(--line)}
.matrix td b{font-weight:650;font-size:1.05rem}
.matrix small{display:block;font-size:.78rem;line-height:1.35;white-space:normal}
.matrix .match{background:var(--go-tint);color:var(--go-ink)}
.matrix .mismatch{background:var(--nogo-tint);color:var(--nogo-ink)}
.matrix .uncounted,.matrix .empty{color:var(--soft)}
.matrix .empty{background:none}
.matrix .empty b{font-weight:400}
.matrix tfoot td,.matrix .total{font-weight:650;vertical-align:middle;border-color:var(--line)}
.matrix tbody th{vertical-align:middle}
.matrix th:first-child{padding-left:0}
.reliability{margin-bottom:1rem}
.reliability th:first-child{padding-left:0}
.small{width:auto;min-width:18rem}
.small th,.small td{padding:.25rem .6rem}
.small th:first-child{padding-left:0;font-weight:400}
details{margin:0 0 1rem}
summary{cursor:pointer;color:var(--accent);font-size:.92rem;margin-bottom:.5rem}
.reasons{list-style:none;margin:0;padding:.2rem 1.15rem}
.reason{display:grid;grid-template-columns:1fr 1fr;gap:.4rem 2.5rem;padding:.8rem 0;border-bottom:1px solid var(--line)}
.reason:last-child{border-bottom:0}
.reason p{margin:0}
.reason .ends{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin-bottom:.35rem}
.action{display:block}
.reason code{font-weight:650}
.rows th,.rows td{padding:.5rem .5rem}
.rows tbody th{min-width:8rem;max-width:16rem;font-weight:400}
.rows td:first-child,.rows th:first-child{padding-left:0}
.rows ul{list-style:none;margin:0;padding:0}
.rows code{font-size:.8rem;white-space:nowrap}
footer{margin-top:3.5rem;padding-top:1.5rem;border-top:1px solid var(--line);font-size:.92rem}
footer h2{font-size:1.1rem}
.method{display:grid;grid-template-columns:auto 1fr;gap:1.5rem 3rem;align-items:start;margin-bottom:1rem}
.method ul{margin:0;padding-left:1.1rem}
.method li{margin-bottom:.35rem}
`

const narrow = `
@media (max-width:40rem){
.page{padding:1.5rem 1rem 2rem}
h1{font-size:1.6rem}
section{margin-top:2.4rem}
.three{gap:.5rem}
.share{padding:.7rem .7rem}
.share h3 .soft{display:block;font-size:.82rem}
.figure{font-size:1.45rem}
.uncertainty,.method,.reason{grid-template-columns:1fr}
.uncertainty .figure{font-size:2rem}
.measures div{grid-template-columns:1fr auto;gap:.1rem 1rem}
.measures .note{grid-column:1/-1}
.plot{padding:1rem .9rem .5rem}
.months{padding-left:3.8rem}.months .key{margin-left:-2.9rem}
.curve{padding:1rem 1.3rem .6rem 2.9rem}.curve .key{margin-left:-2rem}
.curve .name{transform:translateY(-15px)}.curve>svg{margin-bottom:-12px}
.reliability{font-size:.84rem}.reliability thead th{font-size:.75rem}
.reliability th,.reliability td{padding:.42rem .25rem}
.reliability td:last-child,.reliability th:last-child{padding-right:0}
svg text.minor{display:none}
.named{grid-template-columns:1fr;gap:.3rem}
.facts{grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.6rem 1rem}
.breakdown{font-size:.84rem}.breakdown thead th{font-size:.75rem}
.breakdown th,.breakdown td{padding:.42rem .25rem}
.breakdown td:last-child,.breakdown th:last-child{padding-right:0}
.breakdown td .soft{display:block;min-width:0}
.breakdown th:first-child{width:auto;min-width:5.2rem}
}
@media (max-width:24rem){.three{grid-template-columns:1fr}.share h3 .soft{display:inline}}
@media screen and (max-width:56rem),(max-width:40rem){
.rows,.rows tr,.rows th,.rows td,.rows caption{display:block}
.rows tbody{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:.7rem}
.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows tr{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.5rem .9rem}
.rows tbody th,.rows td,.rows td:first-child{display:grid;grid-template-columns:5.5rem 1fr;gap:.75rem;border:0;padding:.2rem 0;max-width:none;text-align:left;white-space:normal}
.rows tbody th::before,.rows td::before{content:attr(data-name);color:var(--soft);font-weight:400}
.rows .verdict{justify-self:start}
}
`

const print = `
@page{margin:15mm 14mm;@bottom-right{content:'Page ' counter(page) ' of ' counter(pages);font:8pt system-ui,sans-serif;color:#51607a}}
@media print{
:root{color-scheme:light;--paper:#ffffff}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact;box-shadow:none!important}
html{font-size:12.5px}body{font-size:1rem}
.page{max-width:none;padding:0}
section{margin-top:1.6rem}
h2,h3,caption,section>p,section>.key{break-after:avoid}
tbody tr:first-child,tbody tr:nth-last-child(-n+2),tfoot tr{break-before:avoid}
.card,.plot,.notice,.reason,p,tr,.scale,.method li,.key,.matrix,.small,.reliability,#corridors table{break-inside:avoid}
.reasons.card{break-inside:auto}
thead{display:table-header-group}tfoot{display:table-row-group}
.scroll{overflow:visible}
details{display:none}
.rows{font-size:.85rem}.rows tbody th{min-width:6rem}.rows code,.rows .verdict{font-size:.75rem}
p,li{orphans:3;widows:3}
}
`

/** Print is always light, regardless of the screen's colour scheme. */
export const style = `
:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
${base}${charts}${tables}${narrow}${print}`
