/** The machine-readable contract at /openapi.json, and the page that shows it at /docs/. */

import { hash } from 'node:crypto'
import swagger from '@fastify/swagger'
import type { App } from './app.ts'
import { engineVersion } from '../core/engine.ts'

export async function registerReference(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairway',
        version: engineVersion,
        description:
          'Payment corridor verification: ask before money moves, and get one decision, `GO`, `DEGRADED` or `NO-GO`, with the evidence behind it. Fairway never moves funds. A 503 is a hold, never an allow.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Decisions', description: 'Ask before a payment.' },
        { name: 'Records', description: 'What was decided, for ever.' },
        { name: 'Service', description: 'How it works and whether it is up.' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
  })

  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()))

  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const type = String(reply.getHeader('content-type') ?? '')
      if (type.startsWith('text/html') && typeof payload === 'string') {
        reply.header('content-security-policy', policyFor(payload))
      }
      if (type.startsWith('application/javascript')) reply.header('cache-control', 'public, max-age=3600')
      return payload
    })
    await scope.register(apiReference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Fairway API reference',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        // The page's extras speak to its makers' servers; ours speaks to this one alone.
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        favicon: '/favicon.ico',
      },
    })
  })
}

/** Admits the inline scripts that the page has, by their hash, and nothing from another host. */
function policyFor(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${hash('sha256', script ?? '', 'base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
