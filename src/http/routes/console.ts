/** Serves the console's pages and files. Nothing is loaded from another host. */

import { createSend, serveFile } from '../static-files.ts'
import type { App, BuiltConsole, Forms } from '../types.ts'

/** Every page is the same document; the console routes by URL in the browser. */
export const consolePages = [
  '/',
  '/sign-in',
  '/invitation',
  '/overview',
  '/reviews',
  '/verifications',
  '/verifications/compare',
  '/verifications/:request_id',
  '/batch',
  '/batch/:report_id',
  '/policies',
  '/policies/new',
  '/policies/:policy_id',
  '/calibration',
  '/partners',
  '/corridors',
  '/corridors/:corridor',
  '/webhooks',
  '/webhooks/:webhook_id',
  '/status',
  '/admin/keys',
  '/admin/access',
  '/admin/people',
  '/admin/feeds',
  '/admin/webhooks',
  '/admin/platform',
  '/admin/maintenance',
  '/admin/activity',
] as const

/** Allows only scripts from this origin, no inline scripts, and no conversion of text to script (trusted types). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The headers of every page. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Names under `assets/` contain a hash of the content. */
const lasting = 'public, max-age=31536000, immutable'
const asked = 'no-cache'

const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairway</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in Fairway's folder, then restart Fairway. The API is running: see <a href="/openapi.json">its description</a>.</p>
`

/** Served in place of a page that is not built. */
export const notBuilt: Forms = { identity: async () => Buffer.from(notBuiltPage) }

/** A buoy in the fairway. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

/** `built` is null if the console is not built. */
export function registerConsole(app: App, built: BuiltConsole | null): void {
  serveFile(app, '/favicon.ico', {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
    forms: { identity: async () => Buffer.from(icon) },
  })
  const sendPage = createSend({ headers: pageHeaders, forms: built?.get('index.html') ?? notBuilt })
  for (const page of consolePages) app.get(page, { schema: { hide: true } }, sendPage)
  for (const [path, fileForms] of built ?? []) {
    // Pages are served at addresses of their own.
    if (path.endsWith('.html')) continue
    serveFile(app, `/${path}`, { headers: headersOf(path), forms: fileForms })
  }
}

/** The headers of a file of the build. */
function headersOf(path: string): Record<string, string> {
  return {
    'content-type': types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'cache-control': path.startsWith('assets/') ? lasting : asked,
  }
}
