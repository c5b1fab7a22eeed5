/** The verify baseline: a bare Fastify route that only validates the same body and serialises the same answer. */

import Fastify, { LogController } from 'fastify'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import { createLogger } from '../../src/adapters/logger.ts'
import { VerifyAnswer, VerifyBody, VerifyQuery } from '../../src/http/schemas/verify.ts'

/** An answer of the service from this run, so that it is never out of date. */
const answer = JSON.parse(process.argv[2] ?? 'null') as unknown
if (answer === null) throw new Error('usage: node bench/harness/baseline.ts ANSWER_JSON')

const app = Fastify({
  loggerInstance: createLogger({ logLevel: 'info', logFormat: 'json' }),
  logController: new LogController({ disableRequestLogging: true }),
})
app.setValidatorCompiler(TypeBoxValidatorCompiler)
app.route({
  method: 'POST',
  url: '/api/v1/verify',
  schema: { querystring: VerifyQuery, body: VerifyBody, response: { 200: VerifyAnswer } },
  handler: (_request, reply) => {
    reply.send(answer)
  },
})
const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdout.write(`port ${url.port}\n`)
process.once('SIGTERM', () => {
  app.server.closeAllConnections()
  void app.close()
})
