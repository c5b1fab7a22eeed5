/** Serves the OpenAPI document at /openapi.json and the reference page at /docs/. */

import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { TSchema } from 'typebox'
import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import { notBuilt, pageHeaders } from '../routes/console.ts'
import { serveFile } from '../static-files.ts'
import type { App, BuiltConsole } from '../types.ts'
import type { Access } from '../access.ts'
import { withComponents } from './components.ts'
import { addExamples } from './examples.ts'
import { withNullMembers } from './null-members.ts'
import { keyed } from '../schemas/common.ts'
import { describeWebhooks } from '../schemas/events.ts'
import { contractVersion } from './version.ts'

const gzip = promisify(zlib.gzip)
const brotliCompress = promisify(zlib.brotliCompress)

const tags = [
  { name: 'Decisions', description: 'Verify before a payment.' },
  { name: 'Demo', description: 'Try the service without a key. Nothing is stored.' },
  { name: 'Records', description: 'Recorded decisions, overrides, outcomes and proofs.' },
  { name: 'Intelligence', description: 'Inspect a decision, a corridor or a past payment.' },
  {
    name: 'Policies',
    description: 'Tighten decisions with rules: backtest, candidate, promotion by four eyes.',
  },
  {
    name: 'Reviews',
    description:
      'Payments that need a person: claim, comment, propose, approve by four eyes. Holds by reason.',
  },
  { name: 'Webhooks', description: 'Receive events when decisions and overrides are recorded.' },
  { name: 'Events', description: 'Read the same events in order, at your own pace.' },
  { name: 'Access', description: 'Request a key; who calls, and sessions.' },
  {
    name: 'Administration',
    description:
      'Keys, access requests, people, feeds and webhooks of all owners. For admins of the installation.',
  },
  { name: 'Service', description: 'Health, readiness, methodology and settings.' },
]

/** `built` is null if the pages are not built: the document is served all the same. */
export async function registerReference(app: App, built: BuiltConsole | null): Promise<void> {
  const mayBeEmpty = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.emptyBody === true) mayBeEmpty.add(url.replaceAll(/:(\w+)/g, '{$1}'))
  })
  await app.register(swagger, {
    // Publishes the scope that the route enforces.
    transform: ({ schema, url, route }) => {
      const { access } = route.config ?? {}
      const security = access === undefined ? [] : securityFor(access)
      const { body } = schema as { readonly body?: TSchema }
      const mayBeNull = body !== undefined && route.config?.nullIsFault !== true
      return { schema: { ...schema, security, ...(mayBeNull && { body: withNullMembers(body) }) }, url }
    },
    transformObject: (input) => {
      if (!('openapiObject' in input)) return input.swaggerObject
      return completed(input.openapiObject, mayBeEmpty)
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairway',
        version: contractVersion,
        description:
          'The API contract of Fairway, in its own version: `GET /api/health` has that of the service. Payment corridor verification: one decision before money moves. Send a corridor and an amount, and receive `GO`, `DEGRADED` or `NO-GO` with the evidence. Fairway never moves funds. A 503 means hold, never allow. All errors have the same shape. Besides the errors listed, any path may return 405 for an unsupported method, and any request 400 for malformed HTTP or a missing host, 408 if it does not arrive in time, and 431 if its headers are too large.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-fairway-session',
            description: 'The session of a person; without the prefix on http loopback.',
          },
        },
      },
    },
  })

  const document = async (): Promise<Buffer> => Buffer.from(JSON.stringify(app.swagger()))
  serveFile(app, '/openapi.json', {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
    forms: {
      identity: document,
      gzip: async () => gzip(await document(), { level: 9 }),
      br: async () => brotliCompress(await document()),
    },
  })
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/', 301))
  serveFile(app, '/docs/', { headers: pageHeaders, forms: built?.get('docs/index.html') ?? notBuilt })
}

type Document = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: object }>['openapiObject']

/** Adds what the routes cannot declare (optional bodies, events, examples) and moves repeated parts to components. */
function completed(document: Document, mayBeEmpty: ReadonlySet<string>): Document {
  for (const url of mayBeEmpty) {
    const body = document.paths?.[url]?.post?.requestBody
    if (body !== undefined && 'content' in body) body.required = false
  }
  const complete = Object.assign(document, { webhooks: describeWebhooks() })
  addExamples(complete)
  return withComponents(complete)
}

function securityFor({ scope, callers }: Access): Record<string, string[]>[] {
  const byKey = keyed.flatMap((scheme) => Object.keys(scheme))
  const isForPeople = callers === 'people' || callers === 'admins'
  const names = isForPeople ? ['session'] : callers === 'keys' ? byKey : [...byKey, 'session']
  return names.map((name) => ({ [name]: scope === null ? [] : [scope] }))
}
