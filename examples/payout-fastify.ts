/** Gates POST /payouts with Fastify: the handler runs only for a payout that Fairway allows. Needs payout-gate.ts. */

import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { gate, type KeptPayout } from './payout-gate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    payout: KeptPayout | null
  }
}

const port = Number(process.env['PORT'] ?? 9000)
const app = Fastify()
app.decorateRequest('payout', null)

/** Ends the request, or leaves the payout in `request.payout` for the handler. */
async function gatePayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const result = await gate(request.headers['idempotency-key'], request.body)
  if ('body' in result) return reply.code(result.status).headers(result.headers).send(result.body)
  request.payout = result
  return undefined
}

app.post('/payouts', { preHandler: gatePayout }, async ({ payout }, reply) => {
  if (payout === null) throw new Error('the route has lost its gate')
  await sendPayout(payout)
  payout.status = 'sent'
  return reply.code(201).send(payout)
})

/** Your rail. If this throws, the payout stays `sending`: look at the rail before you send it again. */
async function sendPayout({ amount, currency, payee, request_id }: KeptPayout): Promise<void> {
  if (payee === 'unreachable') throw new Error('the rail cannot be reached')
  await Promise.resolve(console.log('sent', amount, currency, 'allowed by', request_id))
}

app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  const status = error.statusCode ?? 500
  if (status >= 500) console.error(error)
  return reply
    .code(status)
    .send({ message: status < 500 ? error.message : 'unknown: look before you repeat' })
})

await app.listen({ host: '127.0.0.1', port })
console.log(`Listening at http://127.0.0.1:${port}/payouts`)
