/** A webhook receiver with Fastify: verifies each event and handles it once. */

import Fastify from 'fastify'
import { verifyWebhook, WebhookVerificationError } from '@fairway/client'

const secret = process.env['FAIRWAY_WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 9000)
if (secret === '') throw new Error('Set FAIRWAY_WEBHOOK_SECRET to the secret from the registration')

/** Deliveries may repeat. In production, store the ids in your database, in the same transaction as the work. */
const handled = new Set<string>()

const app = Fastify()

// The signature covers the raw bytes, so do not parse the body before you verify it.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)

app.post<{ Body: Buffer | undefined }>('/hooks/fairway', async (request, reply) => {
  try {
    const event = await verifyWebhook(request.body ?? '', request.headers, secret)
    if (!handled.has(event.event_id)) {
      handled.add(event.event_id)
      process.stdout.write(`${event.event} ${event.event_id}\n`)
    }
    return await reply.code(204).send()
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    process.stdout.write(`rejected: ${error.fault}\n`)
    return reply.code(400).send(error.message)
  }
})

await app.listen({ host: '127.0.0.1', port })
process.stdout.write(`Listening at http://127.0.0.1:${port}/hooks/fairway\n`)
