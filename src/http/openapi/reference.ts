/** The machine-readable contract at /openapi.json, and the page that shows it at /docs/. */

import { hash } from 'node:crypto'
import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { App } from '../types.ts'
import type { Scope } from '../../core/identity/api-key.ts'
import { withComponents } from './components.ts'
import { notFound, sendProblem } from '../errors.ts'
import { addExamples } from './examples.ts'
import { keyed } from '../schemas/common.ts'
import { describeWebhooks } from '../schemas/events.ts'
import { contractVersion } from './version.ts'

const tags = [
  { name: 'Decisions', description: 'Ask before a payment.' },
  { name: 'Demo', description: 'Try it without a key. Nothing is kept.' },
  { name: 'Records', description: 'What was decided, for ever.' },
  { name: 'Intelligence', description: 'Look into a decision, a corridor, a payment of the past.' },
  { name: 'Webhooks', description: 'Be told of decisions and overrides as they are recorded.' },
  { name: 'Access', description: 'Ask for a key.' },
  { name: 'Service', description: 'How it works and whether it is up.' },
]

export async function registerReference(app: App): Promise<void> {
  const mayBeEmpty = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.emptyBody === true) mayBeEmpty.add(url)
  })
  await app.register(swagger, {
    // The scope that a route needs, in the words of the document: what is enforced is what is told.
    transform: ({ schema, url, route }) => {
      const { access } = route.config ?? {}
      const security = access === undefined ? [] : securityFor(access.scope)
      return { schema: { ...schema, security }, url }
    },
    transformObject: (given) => {
      if (!('openapiObject' in given)) return given.swaggerObject
      return completed(given.openapiObject, mayBeEmpty)
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairway',
        version: contractVersion,
        description:
          'Payment corridor verification: ask before money moves, and get one decision, `GO`, `DEGRADED` or `NO-GO`, with the evidence behind it. Fairway never moves funds. A 503 is a hold, never an allow. Every error has one shape; besides those listed, any path answers 405 for a method that it does not have, and any request 400 when it is no HTTP or names no host, 408 when it does not arrive in time and 431 when its headers are too large.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
  })

  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()))

  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/', 301))

  // The page is several megabytes of script that most processes never serve: it is loaded by its first visitor.
  let page: Promise<FastifyInstance> | null = null
  app.get('/docs/*', { schema: { hide: true } }, async (request, reply) => {
    page ??= loadPage()
    const shown = await (await page).inject({ method: 'GET', url: request.url.split('?')[0] ?? '/docs/' })
    const type = shown.headers['content-type'] ?? ''
    if (shown.statusCode !== 200) return sendProblem(reply, notFound)
    if (type.startsWith('text/html')) reply.header('content-security-policy', policyFor(shown.body))
    else reply.header('cache-control', 'public, max-age=3600')
    return reply.type(type).send(shown.rawPayload)
  })
  app.addHook('onClose', async () => {
    await (await page)?.close()
  })
}

type Document = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: object }>['openapiObject']

/** What routes cannot say of themselves: bodies that may be empty, events, examples; and everything once. */
function completed(document: Document, mayBeEmpty: ReadonlySet<string>): Document {
  for (const url of mayBeEmpty) {
    const body = document.paths?.[url]?.post?.requestBody
    if (body !== undefined && 'content' in body) body.required = false
  }
  const whole = Object.assign(document, { webhooks: describeWebhooks() })
  addExamples(whole)
  return withComponents(whole)
}

function securityFor(scope: Scope | null): Record<string, string[]>[] {
  return keyed.map((scheme) =>
    Object.fromEntries(Object.keys(scheme).map((name) => [name, scope === null ? [] : [scope]])),
  )
}

async function loadPage(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  await page.register(apiReference, {
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
  await page.ready()
  return page
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
