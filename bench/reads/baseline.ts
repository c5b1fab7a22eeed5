/** The baseline of the reads: for each endpoint a bare Fastify route that only sends the same answers. */

import { readFileSync } from 'node:fs'
import Fastify, { LogController } from 'fastify'
import { createLogger } from '../../src/adapters/logger.ts'
import { barePathOf, readEndpoints, type ReadEndpoint } from './endpoints.ts'

const [, , answersPath] = process.argv
if (answersPath === undefined) throw new Error('usage: node bench/reads/baseline.ts ANSWERS_FILE')
/** Answers of the service from this run: one list per endpoint. */
const answers = JSON.parse(readFileSync(answersPath, 'utf8')) as readonly (readonly string[])[]

const app = Fastify({
  loggerInstance: createLogger({ logLevel: 'info', logFormat: 'json' }),
  logController: new LogController({ disableRequestLogging: true }),
})

/** Cycles through the answers regardless of the id: a lookup would be work that a bare route does not have. */
function addRoute({ method, path, textType }: ReadEndpoint, place: number): void {
  const texts = answers[place] ?? []
  // Stored as values: each request serialises one with JSON.stringify, as the service does.
  const sent = texts.map((text): unknown => (textType === undefined ? JSON.parse(text) : text))
  let turn = 0
  app.route({
    method,
    url: barePathOf(place, path.replace(/\?.*/, '').replaceAll(/\{(\w+)\}/g, ':$1')),
    handler: (_request, reply) => {
      if (textType !== undefined) reply.type(textType)
      reply.send(sent[turn++ % sent.length])
    },
  })
}

for (const [place, endpoint] of readEndpoints.entries()) addRoute(endpoint, place)
const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdout.write(`port ${url.port}\n`)
process.once('SIGTERM', () => {
  app.server.closeAllConnections()
  void app.close()
})
