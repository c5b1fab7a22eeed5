/** Serves the console's pages and files. Nothing is loaded from another host. */

import fastifyStatic from '@fastify/static'
import type { App, BuiltConsole } from '../types.ts'

/** Every page is the same document; the console routes by URL in the browser. */
export const consolePages = [
  '/',
  '/sign-in',
  '/overview',
  '/verifications',
  '/verifications/:request_id',
  '/batch',
  '/partners',
  '/corridors',
  '/corridors/:corridor',
  '/webhooks',
  '/webhooks/:webhook_id',
  '/status',
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

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

const assetAgeMaxSeconds = 31_536_000

const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairway</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in Fairway's folder, then restart Fairway. The API is running: see the <a href="/docs/">API reference</a>.</p>
`

/** A buoy in the fairway. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

/** `built` is null if the console is not built. */
export async function registerConsole(app: App, built: BuiltConsole | null): Promise<void> {
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
  for (const page of consolePages) {
    app.get(page, { schema: { hide: true } }, (_request, reply) =>
      reply.headers(pageHeaders).send(built?.page ?? notBuiltPage),
    )
  }
  if (built !== null) await app.register((plugin: App) => registerFiles(plugin, built.folder))
}

/** Registered in its own plugin, so that the hook applies to these files only. */
async function registerFiles(plugin: App, folder: string): Promise<void> {
  // These conditions apply to writes only. The static plugin throws if they fail.
  plugin.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['if-match']
    delete request.headers['if-unmodified-since']
    done()
  })
  await plugin.register(fastifyStatic, {
    root: folder,
    // One route per file, so that a missing file gets the common 404.
    wildcard: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    index: false,
    preCompressed: true,
    // The files are small, so range requests get the complete file.
    acceptRanges: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names under assets/ contain a hash of the content.
      const isNamedByContent = /[\\/]assets[\\/][^\\/]+$/.test(path)
      reply.header(
        'cache-control',
        isNamedByContent ? `public, max-age=${assetAgeMaxSeconds}, immutable` : 'no-cache',
      )
    },
  })
}
