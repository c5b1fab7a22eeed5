/** The console: its pages, and the files that they are made of. Nothing in it comes from another host. */

import fastifyStatic from '@fastify/static'
import type { App, BuiltConsole } from '../types.ts'

/** Every page is the same document; the console finds out by the address which one it is. */
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

/** Scripts of its own alone, none of them in the page; and no text can become one. */
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

const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairway</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in Fairway's folder and start it again. The API is up: see the <a href="/docs/">API reference</a>.</p>
`

/** A buoy in the fairway. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M16 5l5 14h-10z" fill="#fff"/><path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`

/** `built`: null where the console was not built. */
export async function registerConsole(app: App, built: BuiltConsole | null): Promise<void> {
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
  for (const page of consolePages) {
    app.get(page, { schema: { hide: true } }, (_request, reply) =>
      reply.headers(pageHeaders).send(built?.page ?? unbuilt),
    )
  }
  if (built !== null) await app.register((part: App) => registerFiles(part, built.folder))
}

/** In a part of the application of their own, for the sake of their hook. */
async function registerFiles(part: App, folder: string): Promise<void> {
  // Conditions for changing a file, and nobody changes one here. What sends the files throws where they do not hold.
  part.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['if-match']
    delete request.headers['if-unmodified-since']
    done()
  })
  await part.register(fastifyStatic, {
    root: folder,
    // A route for each file: what is not there is a 404 like any other.
    wildcard: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    index: false,
    preCompressed: true,
    // They are small: whoever asks for a part gets the whole.
    acceptRanges: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // Their names change with what is in them.
      const isNamedByContent = /[\\/]assets[\\/][^\\/]+$/.test(path)
      reply.header(
        'cache-control',
        isNamedByContent ? `public, max-age=${assetAgeMaxSeconds}, immutable` : 'no-cache',
      )
    },
  })
}
