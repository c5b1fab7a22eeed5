/** The API reference: Scalar's page in the site's frame. It contacts its own server alone. */

import apiReference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { framedPage } from './frame.ts'

/** Files by their path below `docs/`. */
export async function referenceFiles(styles: string): Promise<ReadonlyMap<string, string | Buffer>> {
  const page = framedPage({
    title: 'API reference · Fairway',
    place: '/docs/',
    styles,
    // A section, because Scalar has a header of its own, which must not be the page's.
    body: '<section id="content" tabindex="-1"><div id="reference"></div></section>',
    scripts: [
      '<script defer src="/docs/js/scalar.js"></script>',
      '<script type="module" src="/reference.js"></script>',
    ],
  })
  return new Map<string, string | Buffer>([
    ['index.html', page],
    ['js/scalar.js', await scalarScript()],
  ])
}

async function scalarScript(): Promise<Buffer> {
  const server = Fastify()
  await server.register(apiReference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await server.inject('/docs/js/scalar.js')
  if (statusCode !== 200) throw new Error('the package of the API reference has no script')
  await server.close()
  return rawPayload
}
