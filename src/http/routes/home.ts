/** The front door: what this is and where to go. One page, no script, nothing from another host. */

import { hash } from 'node:crypto'
import { decisionModel } from '../../core/engine.ts'
import type { App } from '../app.ts'

const style = `
  :root { color-scheme: light dark; --ink: #14213d; --soft: #51607a; --line: #d9dfe9; --paper: #fbfcfe; --card: #ffffff; --accent: #0b5cad }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8edf6; --soft: #a3b0c6; --line: #2b3650; --paper: #0f1626; --card: #162036; --accent: #7db8ff } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif }
  main { max-width: 46rem; margin: 0 auto; padding: 4rem 1.25rem }
  h1 { font-size: 2.4rem; line-height: 1.15; margin: 0 0 .5rem; letter-spacing: -.02em }
  h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem }
  p { margin: 0 0 1rem } .lead { font-size: 1.2rem; color: var(--soft) }
  a { color: var(--accent) } code, pre { font: 14px/1.55 ui-monospace, monospace }
  pre { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; overflow-x: auto }
  ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)) }
  li a { display: block; height: 100%; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; text-decoration: none; color: inherit }
  li a:hover, li a:focus-visible { border-color: var(--accent) } li strong { color: var(--accent) } li span { display: block; color: var(--soft); font-size: .92rem }
  footer { margin-top: 3rem; color: var(--soft); font-size: .9rem }`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairway: ask before money moves</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<main>
<h1>Ask before money moves.</h1>
<p class="lead">Fairway checks a payment corridor and answers with one decision, <b>GO</b>, <b>DEGRADED</b> or <b>NO-GO</b>, with a score, a confidence, the reasons, and the seven signals behind it. It never moves funds.</p>
<h2>A first decision</h2>
<p>Without a key, on synthetic signals, kept nowhere:</p>
<pre>curl -s -X POST http://127.0.0.1:8080/api/v1/demo-verify</pre>
<p>Recorded, with a key that you issue on the machine that runs this server:</p>
<pre>npm run -s fairway -- keys issue --type test --owner "My team"

export FAIRWAY_API_KEY=pk_test_…
curl -s http://127.0.0.1:8080/api/v1/verify \\
  -H "Authorization: Bearer $FAIRWAY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"corridor":"GB-NG","amount":1000,"currency":"GBP"}'</pre>
<h2>Where to go</h2>
<ul>
<li><a href="/docs/"><strong>API reference</strong><span>Every endpoint, field and error</span></a></li>
<li><a href="/openapi.json"><strong>OpenAPI 3.1</strong><span>The same, for machines</span></a></li>
<li><a href="/api/v1/methodology"><strong>Methodology</strong><span>Weights, bands and caps</span></a></li>
<li><a href="/api/health"><strong>Health</strong><span>Up, and how many decisions</span></a></li>
<li><a href="/api/v1/readiness"><strong>Readiness</strong><span>Sixteen items, looked up now</span></a></li>
<li><a href="/api/v1/cip/status"><strong>Corridor intelligence</strong><span>Where the platform stands</span></a></li>
</ul>
<footer>Shadow mode: signals are simulated and no payment rail is queried. Engine ${decisionModel}.</footer>
</main>
</body>
</html>
`

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A buoy in the fairway. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

export function registerHome(app: App): void {
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
  app.get('/', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  )
}
