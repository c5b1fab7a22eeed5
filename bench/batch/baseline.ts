/** The batch baseline: bare Fastify routes that only parse the same bodies and serialise the same answers. */

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import Fastify, { LogController } from 'fastify'
import { createLogger } from '../../src/adapters/logger.ts'
import type { BatchAnswers } from './batch.ts'

const [, , answersPath] = process.argv
if (answersPath === undefined) throw new Error('usage: node bench/batch/baseline.ts ANSWERS_FILE')
/** Answers of the service from this run, as values: each request serialises them again. */
const { report, records } = JSON.parse(readFileSync(answersPath, 'utf8')) as BatchAnswers

const app = Fastify({
  loggerInstance: createLogger({ logLevel: 'info', logFormat: 'json' }),
  logController: new LogController({ disableRequestLogging: true }),
})
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
  done(null, JSON.parse(bytes.toString()))
})
app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, bytes, done) => {
  done(null, parse(bytes))
})
app.route({
  method: 'POST',
  url: '/json',
  handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(JSON.stringify(report)),
})
app.route({
  method: 'POST',
  url: '/csv',
  handler: (_request, reply) => reply.type('text/csv; charset=utf-8').send(stringify(records)),
})
const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.stdout.write(`port ${url.port}\n`)
process.once('SIGTERM', () => {
  app.server.closeAllConnections()
  void app.close()
})
