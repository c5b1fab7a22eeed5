/** A webhook receiver with Express: verifies each event and handles it once. */

import express from 'express'
import { verifyWebhook, WebhookVerificationError } from '@fairway/client'

const secret = process.env['FAIRWAY_WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 9000)
if (secret === '') throw new Error('Set FAIRWAY_WEBHOOK_SECRET to the secret from the registration')

/** Deliveries may repeat. In production, store the ids in your database, in the same transaction as the work. */
const handled = new Set<string>()

const app = express()

// The signature covers the raw bytes, so do not parse the body before you verify it.
app.post('/hooks/fairway', express.raw({ type: () => true }), async (request, response) => {
  try {
    const body: unknown = request.body
    const event = await verifyWebhook(Buffer.isBuffer(body) ? body : '', request.headers, secret)
    if (!handled.has(event.event_id)) {
      handled.add(event.event_id)
      process.stdout.write(`${event.event} ${event.event_id}\n`)
    }
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    process.stdout.write(`rejected: ${error.fault}\n`)
    response.status(400).send(error.message)
  }
})

app.listen(port, '127.0.0.1', () => {
  process.stdout.write(`Listening at http://127.0.0.1:${port}/hooks/fairway\n`)
})
