/** Serves the guide: the documents for people who use and run the service, as pages. */

import { serveFile } from '../static-files.ts'
import type { App, BuiltConsole } from '../types.ts'
import { notBuilt, pageHeaders } from './console.ts'

/** `built` is null if the pages are not built. */
export function registerGuide(app: App, built: BuiltConsole | null): void {
  app.get('/guide', { schema: { hide: true } }, (_request, reply) => reply.redirect('/guide/', 301))
  serveFile(app, '/guide/', { headers: pageHeaders, forms: built?.get('guide/index.html') ?? notBuilt })
  for (const [path, forms] of built ?? []) {
    const [, name = 'index'] = /^guide\/(.+)\.html$/.exec(path) ?? []
    if (name !== 'index') serveFile(app, `/guide/${name}`, { headers: pageHeaders, forms })
  }
}
