/** A receiver of webhooks with Fastify: checks each event, then acts on it once. */

import Fastify from 'fastify'
import { verifyWebhook, WebhookVerificationError } from '@fairway/client'

const secret = process.env['FAIRWAY_WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 9000)
if (secret === '') throw new Error('FAIRWAY_WEBHOOK_SECRET is needed: registration gave it')

/** Deliveries come at least once. A real receiver keeps these in its database, in the transaction of what it does. */
const seen = new Set<string>()

const app = Fastify()

// The signature is over the bytes as they came, so they are not parsed before it is checked.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)

app.post<{ Body: Buffer | undefined }>('/hooks/fairway', async (request, reply) => {
  try {
    const event = await verifyWebhook(request.body ?? '', request.headers, secret)
    if (!seen.has(event.event_id)) {
      seen.add(event.event_id)
      process.stdout.write(`${event.event} ${event.event_id}\n`)
    }
    return await reply.code(204).send()
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    process.stdout.write(`refused: ${error.fault}\n`)
    return reply.code(400).send(error.message)
  }
})

await app.listen({ host: '127.0.0.1', port })
process.stdout.write(`listening at http://127.0.0.1:${port}/hooks/fairway\n`)
